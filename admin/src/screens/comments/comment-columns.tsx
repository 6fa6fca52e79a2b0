import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { __ } from '../../i18n.ts'
import type { Column } from '../../parts/data-table.tsx'
import { formatAgo } from '../../parts/format.ts'
import { plainText } from '../../parts/plain-text.ts'
import type { CommentItem } from './comment.ts'

export const STATUSES = {
  approved: { label: __('Approved', 'pentad'), color: 'teal' },
  hold: { label: __('Pending', 'pentad'), color: 'yellow' },
  spam: { label: __('Spam', 'pentad'), color: 'red' },
  trash: { label: __('Trash', 'pentad'), color: 'gray' },
} as const

export const commentColumns: readonly Column<CommentItem>[] = [
  {
    title: __('Author', 'pentad'),
    cell: ({ author_name: name, author_email: email, author_ip: address }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          <bdi>{name || __('Anonymous', 'pentad')}</bdi>
        </Text>
        {email && (
          <Anchor size="xs" href={`mailto:${email}`} title={email} maw="14rem" truncate>
            {email}
          </Anchor>
        )}
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      </Stack>
    ),
  },
  {
    title: __('Comment', 'pentad'),
    cell: ({ content }) => (
      <Text size="sm" lineClamp={4} maw="34rem" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{plainText(content.rendered)}</bdi>
      </Text>
    ),
  },
  {
    title: __('In response to', 'pentad'),
    cell: ({ link, _embedded: around }) => (
      <Anchor size="sm" href={link}>
        <bdi>{plainText(around?.up?.[0]?.title?.rendered ?? '') || __('View', 'pentad')}</bdi>
      </Anchor>
    ),
  },
  {
    title: __('Status', 'pentad'),
    cell: ({ status }) => (
      <Badge variant="light" miw="max-content" color={STATUSES[status]?.color ?? 'gray'}>
        {STATUSES[status]?.label ?? status}
      </Badge>
    ),
  },
  { title: __('Submitted on', 'pentad'), sort: 'date', isWhole: true, cell: ({ date_gmt: date }) => formatAgo(date) },
]
