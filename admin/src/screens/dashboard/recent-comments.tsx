import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, sprintf } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { formatAgo } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Card } from './card.tsx'

type Comment = Pick<Responses['Comments'], 'id' | 'author_name' | 'date_gmt' | 'status' | 'content'>

/** Recent comments; moderators also see pending ones. */
export function RecentComments() {
  const isModerator = can('moderate_comments')
  const comments = useList<Comment>('wp/v2/comments', {
    ...{ per_page: 5, _fields: 'id,author_name,date_gmt,status,content' },
    ...(isModerator && { context: 'edit', status: 'all' }),
  })
  return (
    <Card title={__('Recent comments', 'pentad')} {...(isModerator && { to: '/comments' })}>
      <Loaded query={comments} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {__('No comments yet.', 'pentad')}
            </Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {items.map((comment) => (
                <li key={comment.id}>
                  <Entry comment={comment} isModerator={isModerator} />
                </li>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  )
}

function Entry({ comment, isModerator }: { comment: Comment; isModerator: boolean }) {
  const { author_name, date_gmt, status, content } = comment
  const isHeld = status === 'hold'
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {author_name || __('Anonymous', 'pentad')}
        </Text>
        <Text size="xs" c="dimmed" flex="none">
          {formatAgo(date_gmt)}
        </Text>
      </Group>
      <Text size="sm" lineClamp={2}>
        {plainText(content.rendered)}
      </Text>
      {isHeld && isModerator && (
        <Group gap="xs" mt={2}>
          <Badge size="sm" color="yellow" variant="light">
            {__('Pending', 'pentad')}
          </Badge>
          <Anchor
            component={Link}
            to="/comments?status=hold"
            size="xs"
            aria-label={sprintf(__('Moderate comment by %s', 'pentad'), author_name)}
          >
            {__('Moderate comment', 'pentad')}
          </Anchor>
        </Group>
      )}
    </>
  )
}
