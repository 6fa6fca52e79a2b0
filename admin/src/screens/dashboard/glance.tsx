import { Anchor, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconFileText, IconMessage, IconNotes, IconPhoto, type TablerIcon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useList, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { formatNumber } from '../../parts/format.ts'

type PostCounts = Responses['GET /host/v1/post-counts']

/** Content counts; authors see only their own. */
export function Glance() {
  const mayAll = can('edit_others_posts')
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Posts type="post" label={mayAll ? __('Posts', 'pentad') : __('Your posts', 'pentad')} icon={IconNotes} />
      {can('edit_pages') && <Posts type="page" label={__('Pages', 'pentad')} icon={IconFileText} />}
      {can('moderate_comments') && <Comments />}
      {can('upload_files') && <Media />}
    </SimpleGrid>
  )
}

function Posts({ type, label, icon }: { type: 'post' | 'page'; label: string; icon: TablerIcon }) {
  const counts = useRead<PostCounts>('host/v1/post-counts', { type })
  const { publish = 0, draft = 0, pending = 0 } = counts.data?.statuses ?? {}
  const hint = [
    draft > 0 && sprintf(_n('%s draft', '%s drafts', draft, 'pentad'), formatNumber(draft)),
    pending > 0 && sprintf(_n('%s pending review', '%s pending review', pending, 'pentad'), formatNumber(pending)),
  ]
  return (
    <Count
      to={type === 'post' ? '/posts' : '/pages'}
      label={label}
      icon={icon}
      value={counts.data && publish}
      hint={hint.filter(Boolean).join(', ') || __('published', 'pentad')}
    />
  )
}

function Comments() {
  const all = useList('wp/v2/comments', { per_page: 1, status: 'approve', _fields: 'id' })
  const waiting = useList('wp/v2/comments', { per_page: 1, status: 'hold', _fields: 'id' })
  const held = waiting.data?.total ?? 0
  return (
    <Count
      to={held > 0 ? '/comments?status=hold' : '/comments'}
      label={__('Comments', 'pentad')}
      icon={IconMessage}
      value={all.data?.total}
      hint={
        held > 0
          ? sprintf(_n('%s pending', '%s pending', held, 'pentad'), formatNumber(held))
          : __('approved', 'pentad')
      }
    />
  )
}

function Media() {
  const author = can('edit_others_posts') ? undefined : pageData.user.id
  const media = useList('wp/v2/media', { per_page: 1, author, _fields: 'id' })
  return (
    <Count
      to="/media"
      label={__('Media', 'pentad')}
      icon={IconPhoto}
      value={media.data?.total}
      hint={__('files', 'pentad')}
    />
  )
}

interface CountProps {
  readonly to: string
  readonly label: string
  readonly icon: TablerIcon
  readonly value: number | undefined
  readonly hint: string
}

function Count({ to, label, icon: Icon, value, hint }: CountProps) {
  return (
    <Paper withBorder p="md">
      <Anchor component={Link} to={to} size="sm" c="inherit">
        <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> {label}
      </Anchor>
      {value === undefined ? (
        <Skeleton height={28} width={48} my={6} />
      ) : (
        <Text fz="1.6rem" fw={650} lh={1.3}>
          {formatNumber(value)}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </Paper>
  )
}
