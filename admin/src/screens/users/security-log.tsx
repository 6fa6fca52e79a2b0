import { Group, Stack, Text } from '@mantine/core'
import type { SecurityLogEntry } from '../../../../cms/accounts/security-log-entry.ts'
import { useList } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterSelect } from '../../parts/filter-select.tsx'
import { formatNumber, formatTime } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { eventName, KINDS, summaryOf } from './security-events.ts'
import { USERS, type UserItem } from './user.ts'

const SPANS = ['1', '7', '30', '90']
const DAY = 86_400_000

/** Logins, failed logins, and changes that affect security. */
export default function SecurityLog() {
  const query = useListQuery()
  const days = Number(query.get('days'))
  const kind = KINDS.find(({ value }) => value === query.get('kind'))
  const isFiltered = ['kind', 'user', 'days'].some((name) => query.get(name) !== '')
  const list = useList<SecurityLogEntry>('host/v1/security-log', {
    ...{ page: query.page, perPage: 25, event: kind?.events, user: query.get('user') },
    // Rounded to the hour, so that the same list is requested while the screen is open.
    after: days > 0 ? new Date(Math.floor((Date.now() - days * DAY) / 3_600_000) * 3_600_000).toISOString() : undefined,
  })
  return (
    <Page
      title={__('Security log', 'pentad')}
      description={__('Logins, account changes, extension changes, and restores in the last 12 months.', 'pentad')}
    >
      <Stack gap="md">
        <Group gap="xs">
          <FilterSelect
            label={__('Events', 'pentad')}
            all={__('All events', 'pentad')}
            name="kind"
            query={query}
            data={KINDS.map(({ value, label }) => ({ value, label }))}
          />
          <SearchSelect<Pick<UserItem, 'id' | 'name'>>
            label={__('User', 'pentad')}
            none={__('All users', 'pentad')}
            isFilter
            route={USERS}
            nameOf={({ name }) => name}
            value={Number(query.get('user'))}
            onChange={(id) => query.set({ user: id > 0 ? String(id) : '' })}
          />
          <FilterSelect
            label={__('Date range', 'pentad')}
            all={__('Last 12 months', 'pentad')}
            name="days"
            query={query}
            data={SPANS.map((value) => ({
              value,
              label: value === '1' ? __('Last 24 hours', 'pentad') : sprintf(__('Last %s days', 'pentad'), value),
            }))}
          />
        </Group>
        <DataTable
          label={__('Security log', 'pentad')}
          list={list}
          query={query}
          rowId={({ id }) => id}
          columns={[
            { title: __('Date', 'pentad'), isWhole: true, cell: (item) => <When {...item} /> },
            { title: __('Event', 'pentad'), cell: (item) => <What {...item} /> },
            { title: __('User', 'pentad'), cell: ({ user }) => <bdi>{user?.login ?? '–'}</bdi> },
            { title: __('Changed by', 'pentad'), cell: ({ actor }) => <bdi>{actor?.login ?? '–'}</bdi>, isMinor: true },
            { title: __('IP range', 'pentad'), cell: (item) => <From {...item} /> },
          ]}
          empty={
            <EmptyState title={__('No entries found', 'pentad')}>
              {isFiltered
                ? __('Try different filters, or clear them.', 'pentad')
                : __('Logins and account changes appear here.', 'pentad')}
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  )
}

function When({ first, last, count }: SecurityLogEntry) {
  if (count === 1) return formatTime(last)
  return (
    <>
      {formatTime(last)}
      <Text size="xs" c="dimmed">
        {sprintf(__('%1$s times since %2$s', 'pentad'), formatNumber(count), formatTime(first))}
      </Text>
    </>
  )
}

function What(item: SecurityLogEntry) {
  const summary = summaryOf(item)
  return (
    <>
      {eventName(item.event)}
      {summary && (
        <Text size="xs" c="dimmed">
          <bdi>{summary}</bdi>
        </Text>
      )}
    </>
  )
}

function From({ network, userAgent, event }: SecurityLogEntry) {
  if (network === '') return event.endsWith('_failed') ? __('Multiple IP ranges', 'pentad') : '–'
  return <span title={userAgent}>{network}</span>
}
