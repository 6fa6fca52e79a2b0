import { Badge } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import { _n, sprintf } from '../../i18n.ts'
import { formatShort } from '../../parts/format.ts'
import { COUNTS, type CommentCounts } from './comment.ts'

/** The number of pending comments, next to the navigation entry. */
export function PendingBadge() {
  const { data } = useRead<CommentCounts>(COUNTS, undefined, { every: 120_000 })
  if (!data?.hold) return null
  const label = sprintf(_n('%d pending', '%d pending', data.hold, 'pentad'), data.hold)
  return (
    <Badge size="sm" variant="filled" aria-label={label}>
      {formatShort(data.hold)}
    </Badge>
  )
}
