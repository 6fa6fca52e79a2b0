import { Button, Group, ScrollArea, Text } from '@mantine/core'
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
    <ScrollArea type="never" offsetScrollbars={false}>
      <Group gap={4} wrap="nowrap" role="group" aria-label={__('Status', 'pentad')}>
        {tabs.map(({ value, label, count }) => (
          <Button
            key={value}
            size="compact-sm"
            flex="none"
            variant={value === chosen ? 'light' : 'subtle'}
            color={value === chosen ? undefined : 'gray'}
            c={value === chosen ? undefined : 'var(--mantine-color-text)'}
            aria-pressed={value === chosen}
            onClick={() => query.set({ status: value })}
          >
            {label}
            {count !== undefined && (
              <Text span size="xs" ms={6} c="dimmed">
                {formatNumber(count)}
              </Text>
            )}
          </Button>
        ))}
      </Group>
    </ScrollArea>
  )
}
