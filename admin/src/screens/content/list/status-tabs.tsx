import { __ } from '../../../i18n.ts'
import type { ListQuery } from '../../../parts/list-query.ts'
import { StatusTabs } from '../../../parts/status-tabs.tsx'
import { STATUSES, statusName } from '../statuses.ts'
import type { PostCounts } from './post-row.ts'

/** Tabs for the statuses in use, and for the user's own posts if there are others. */
export function PostStatusTabs({ query, counts }: { query: ListQuery; counts: PostCounts | undefined }) {
  const chosen = query.get('status')
  const used = STATUSES.filter((status) => status === chosen || (counts?.statuses[status] ?? 0) > 0)
  const hasOthers = counts !== undefined && counts.mine < counts.all && counts.mine > 0
  const tabs = [
    { value: '', label: __('All', 'pentad'), count: counts?.all },
    ...(hasOthers || chosen === 'mine' ? [{ value: 'mine', label: __('Mine', 'pentad'), count: counts?.mine }] : []),
    ...used.map((status) => ({ value: status, label: statusName(status), count: counts?.statuses[status] })),
  ]
  return <StatusTabs query={query} tabs={tabs} />
}
