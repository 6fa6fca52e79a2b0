import { Paper, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { readable } from 'pentad/admin/parts/plain-text.ts'

interface SnippetProps {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly siteName: string
}

/** A search result. */
export function Snippet({ url, title, description, siteName }: SnippetProps) {
  return (
    <Paper withBorder p="sm" component="figure" m={0} aria-label={__('Search result preview', 'pentad')}>
      <Text size="sm">{siteName}</Text>
      <Text size="xs" c="dimmed" truncate>
        {readable(url)}
      </Text>
      <Text fz="1.1rem" c="var(--mantine-color-anchor)" lineClamp={2} mt={4}>
        {title}
      </Text>
      <Text size="sm" c="dimmed" lineClamp={3}>
        {description}
      </Text>
    </Paper>
  )
}
