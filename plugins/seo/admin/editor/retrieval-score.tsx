import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import type { Edited } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { Licensed } from 'pentad/admin/parts/licensed.tsx'

type Score = Responses['GET /seo/v1/retrieval-score']

const NAMES: Readonly<Record<string, string>> = {
  passageSize: __('Section length', 'pentad'),
  selfContained: __('Self-contained sections', 'pentad'),
  questionHeadings: __('Questions as headings', 'pentad'),
  answerFirst: __('Answers come first', 'pentad'),
  listsAndTables: __('Lists and tables', 'pentad'),
}

/** How well AI assistants can cite the stored version, and what would help. */
export function RetrievalScore({ edited: { post, isDirty } }: { edited: Edited }) {
  const score = useRead<Score>('seo/v1/retrieval-score', { postId: post?.id }, { enabled: post !== undefined })
  if (!post)
    return (
      <EmptyState title={__('Save the post first', 'pentad')}>
        {__('The score is based on the saved content.', 'pentad')}
      </EmptyState>
    )
  return (
    <Licensed query={score} what={__('See how easy it is for AI assistants to cite a post.', 'pentad')}>
      {({ score: points, maximum, signals }) => (
        <Stack>
          <Group gap="xs">
            <Text fw={650} fz="1.4rem">
              {sprintf('%1$d / %2$d', points, maximum)}
            </Text>
            <Text size="sm" c="dimmed">
              {isDirty
                ? __('for the last saved version', 'pentad')
                : __('how easy it is for AI assistants to cite this post', 'pentad')}
            </Text>
          </Group>
          {signals.map(({ id, points: own, maximum: most, explanation, examples }) => (
            <Stack key={id} gap={4}>
              <Group justify="space-between">
                <Text size="sm" fw={600}>
                  {NAMES[id] ?? id}
                </Text>
                <Badge variant="light" color={own === most ? 'teal' : own > 0 ? 'yellow' : 'red'}>
                  {sprintf('%1$d / %2$d', own, most)}
                </Badge>
              </Group>
              <Progress value={(own / most) * 100} size="xs" aria-label={NAMES[id] ?? id} />
              <Text size="sm">{explanation}</Text>
              {examples.slice(0, 3).map((example) => (
                <Text key={example} size="xs" c="dimmed">
                  “{example}”
                </Text>
              ))}
            </Stack>
          ))}
        </Stack>
      )}
    </Licensed>
  )
}
