import { Anchor, Group, Text } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useRead } from '../../../../../api/query.ts'
import { __ } from '../../../../../i18n.ts'
import { parseComment } from '../block-comments.ts'
import { PATTERNS, type Pattern } from './patterns.ts'

/** The ID of the pattern if HTML is a reference to a synced pattern. */
export function patternOf(html: string): number | undefined {
  const [, comment = ''] = /^<!--\s+wp:([^>]*?)\s*\/-->$/.exec(html.trim()) ?? []
  const { name, attributes } = parseComment(comment)
  return name === 'block' && typeof attributes.ref === 'number' ? attributes.ref : undefined
}

/** A synced pattern in the text: its name, and a link to edit it. */
export function PatternReference({ id }: { id: number }) {
  const { data, isError } = useRead<Pattern>(`${PATTERNS}/${id}`)
  return (
    <Group justify="space-between">
      <Group gap="xs" wrap="nowrap">
        <IconStack2 size={18} aria-hidden />
        <div>
          <Text size="sm" fw={600}>
            {data?.title.raw ?? __('Pattern', 'pentad')}
          </Text>
          <Text size="xs" c="dimmed">
            {isError
              ? __('This pattern was deleted or cannot be shown.', 'pentad')
              : __('Synced: changes apply wherever the pattern is used.', 'pentad')}
          </Text>
        </div>
      </Group>
      {data && (
        <Anchor size="sm" component={Link} to={`/content/wp_block/${id}`} target="_blank">
          {__('Edit Pattern', 'pentad')}
        </Anchor>
      )}
    </Group>
  )
}
