import { Badge, ScrollArea, Tabs } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { formatNumber } from '../../../parts/format.ts'
import type { ListQuery } from '../../../parts/list-query.ts'
import { STATUSES, statusName } from '../statuses.ts'
import type { PostCounts } from './post-row.ts'

/** The statuses that posts have, each with their number; the address has the chosen one. */
export function StatusTabs({ query, counts }: { query: ListQuery; counts: PostCounts | undefined }) {
  const chosen = query.get('status')
  const used = STATUSES.filter((status) => status === chosen || (counts?.statuses[status] ?? 0) > 0)
  const hasOthers = counts !== undefined && counts.mine < counts.all && counts.mine > 0
  const tabs = [
    { value: '', label: __('All', 'pentad'), count: counts?.all },
    ...(hasOthers || chosen === 'mine' ? [{ value: 'mine', label: __('Mine', 'pentad'), count: counts?.mine }] : []),
    ...used.map((status) => ({ value: status, label: statusName(status), count: counts?.statuses[status] })),
  ]
  return (
    <ScrollArea type="never">
      <Tabs value={chosen} onChange={(value) => query.set({ status: value ?? '' })} keepMounted={false}>
        <Tabs.List style={{ flexWrap: 'nowrap' }} aria-label={__('Status', 'pentad')}>
          {tabs.map(({ value, label, count }) => (
            <Tabs.Tab
              key={value}
              value={value}
              rightSection={
                count !== undefined && (
                  <Badge size="sm" variant="default" circle={count < 10}>
                    {formatNumber(count)}
                  </Badge>
                )
              }
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </ScrollArea>
  )
}
