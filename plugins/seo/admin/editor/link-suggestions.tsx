import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { Edited } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { Licensed } from 'pentad/admin/parts/licensed.tsx'
import { notifyDone, notifyFailed } from 'pentad/admin/parts/notify.ts'
import { insertLink } from './insert-link.ts'

type Suggestions = Responses['GET /seo/v1/link-suggestions']

/** Pages that the post could link to, with suggested anchor text. */
export function LinkSuggestions({ edited }: { edited: Edited }) {
  const { post, fields, set } = edited
  const found = useRead<Suggestions>('seo/v1/link-suggestions', { postId: post?.id }, { enabled: post !== undefined })
  function put(anchor: string, url: string): void {
    const content = insertLink(fields.content, anchor, new URL(url).pathname)
    if (content === undefined) {
      notifyFailed(new Error(sprintf(__('“%s” is no longer in the content.', 'pentad'), anchor)))
      return
    }
    set({ content })
    notifyDone(sprintf(__('Link added to “%s”. Save to keep it.', 'pentad'), anchor))
  }
  if (!post)
    return (
      <EmptyState title={__('Save the post first', 'pentad')}>
        {__('Link suggestions are based on the saved content.', 'pentad')}
      </EmptyState>
    )
  return (
    <Licensed query={found} what={__('Get suggestions for internal links.', 'pentad')}>
      {({ suggestions }) =>
        suggestions.length === 0 ? (
          <EmptyState title={__('No link suggestions', 'pentad')}>
            {__('No related pages were found that are not already linked.', 'pentad')}
          </EmptyState>
        ) : (
          <Stack gap="xs">
            {suggestions.map(({ postId, title, url, anchors }) => (
              <Paper key={postId} withBorder p="xs">
                <Anchor href={url} target="_blank" size="sm" fw={600}>
                  {title}
                </Anchor>
                <Group gap="xs" mt={4}>
                  {anchors.length === 0 && (
                    <Text size="xs" c="dimmed">
                      {__('No matching text. Add the link anywhere in the content.', 'pentad')}
                    </Text>
                  )}
                  {anchors.map((anchor) => (
                    <Button key={anchor} size="compact-xs" variant="light" onClick={() => put(anchor, url)}>
                      {sprintf(__('Link “%s”', 'pentad'), anchor)}
                    </Button>
                  ))}
                </Group>
              </Paper>
            ))}
          </Stack>
        )
      }
    </Licensed>
  )
}
