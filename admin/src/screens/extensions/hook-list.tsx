import { Accordion, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterSelect } from '../../parts/filter-select.tsx'
import { formatMilliseconds, formatNumber, formatShort } from '../../parts/format.ts'
import { type ListQuery, useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { PageButtons } from '../../parts/page-buttons.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { HookCallbacks } from './hook-callbacks.tsx'
import type { HookReport } from './types.ts'
import { useExtensionNames } from './use-extension-names.ts'

const PER_PAGE = 25
/** Poll interval in ms while live update is on. */
const EVERY = 3000

const timeOf = ({ listeners }: HookReport) => listeners.reduce((sum, { time }) => sum + time, 0)

const longestOf = ({ listeners }: HookReport) => Math.max(0, ...listeners.map(({ longest }) => longest))

const SORTS: Readonly<Record<string, (one: HookReport, other: HookReport) => number>> = {
  name: (one, other) => one.name.localeCompare(other.name, 'en'),
  calls: (one, other) => other.count - one.count,
  time: (one, other) => timeOf(other) - timeOf(one),
  longest: (one, other) => longestOf(other) - longestOf(one),
}

/** Every hook of the running host, with its callbacks, their order, number of calls, and run time. */
export default function HookList() {
  const query = useListQuery()
  const isLive = query.get('live') === 'on'
  const list = useRead<{ readonly hooks: readonly HookReport[] }>('host/v1/hooks', undefined, {
    every: isLive ? EVERY : undefined,
  })
  const nameOf = useExtensionNames()
  const owners = useMemo(() => ownersOf(list.data?.hooks ?? []), [list.data])
  return (
    <Page
      title={__('Hook inspector', 'pentad')}
      description={__(
        'All actions and filters used since the server started, with their callbacks in execution order. Times are for this process and include everything that a callback calls and waits for.',
        'pentad',
      )}
    >
      <Group>
        <SearchField label={__('Search hooks', 'pentad')} query={query} />
        <FilterSelect
          label={__('Owner', 'pentad')}
          all={__('All owners', 'pentad')}
          name="owner"
          query={query}
          data={owners.map((value) => ({ value, label: nameOf(value) }))}
          searchable
        />
        <Select
          aria-label={__('Sort by', 'pentad')}
          allowDeselect={false}
          value={query.get('sort') || 'time'}
          onChange={(sort) => query.set({ sort: sort === 'time' || sort === null ? '' : sort })}
          data={[
            { value: 'time', label: __('Total time', 'pentad') },
            { value: 'longest', label: __('Longest callback', 'pentad') },
            { value: 'calls', label: __('Times fired', 'pentad') },
            { value: 'name', label: __('Name', 'pentad') },
          ]}
        />
        <Switch
          label={__('Show hooks without callbacks', 'pentad')}
          checked={query.get('all') === 'on'}
          onChange={(event) => query.set({ all: event.currentTarget.checked ? 'on' : '' })}
        />
        <Switch
          label={__('Live updates', 'pentad')}
          checked={isLive}
          onChange={(event) => query.set({ live: event.currentTarget.checked ? 'on' : '' })}
        />
      </Group>
      <Loaded query={list} lines={10}>
        {({ hooks }) => <Hooks hooks={chosen(hooks, query)} query={query} />}
      </Loaded>
    </Page>
  )
}

const ownersOf = (hooks: readonly HookReport[]) =>
  [...new Set(hooks.flatMap(({ listeners }) => listeners.map(({ owner }) => owner)))]
    .filter((owner) => owner !== '')
    .sort()

function chosen(hooks: readonly HookReport[], query: ListQuery): HookReport[] {
  const owner = query.get('owner')
  const text = query.get('search').toLowerCase()
  return hooks
    .filter(({ name, listeners }) => {
      if (owner !== '' && !listeners.some((listener) => listener.owner === owner)) return false
      if (listeners.length === 0 && query.get('all') !== 'on') return false
      return (
        name.toLowerCase().includes(text) || listeners.some(({ callback }) => callback.toLowerCase().includes(text))
      )
    })
    .sort(SORTS[query.get('sort') || 'time'])
}

function Hooks({ hooks, query }: { hooks: readonly HookReport[]; query: ListQuery }) {
  if (hooks.length === 0) {
    return (
      <EmptyState title={__('No hooks found', 'pentad')}>
        {__('Hooks appear here once they have a callback or have fired.', 'pentad')}
      </EmptyState>
    )
  }
  const pages = Math.ceil(hooks.length / PER_PAGE)
  const page = Math.min(query.page, pages)
  const shown = hooks.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  return (
    <Stack gap="sm">
      <Accordion
        multiple
        variant="contained"
        order={2}
        defaultValue={hooks.length <= 3 ? hooks.map(({ name }) => name) : []}
        key={query.get('search') + query.get('owner')}
      >
        {shown.map((hook) => (
          <Accordion.Item key={hook.name} value={hook.name}>
            <Accordion.Control>
              <Group gap="xs" me="sm">
                <Text ff="monospace" size="sm" flex="1 1 14rem" style={{ overflowWrap: 'anywhere' }}>
                  {hook.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {summaryOf(hook)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <HookCallbacks hook={hook} owner={query.get('owner')} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <PageButtons
        {...{ pages, query }}
        count={sprintf(_n('%s hook', '%s hooks', hooks.length, 'pentad'), formatNumber(hooks.length))}
      />
    </Stack>
  )
}

function summaryOf(hook: HookReport): string {
  const { count, listeners } = hook
  return [
    sprintf(_n('%d callback', '%d callbacks', listeners.length, 'pentad'), listeners.length),
    count === 0
      ? __('not fired yet', 'pentad')
      : sprintf(_n('fired %s time', 'fired %s times', count, 'pentad'), formatShort(count)),
    ...(count > 0 ? [formatMilliseconds(timeOf(hook))] : []),
  ].join(' · ')
}
