import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useChange, useList } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { FilterSelect } from 'pentad/admin/parts/filter-select.tsx'
import { formatAgo, formatBytes, formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { readable } from 'pentad/admin/parts/plain-text.ts'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { type SettingSchema, titleOf } from 'pentad/admin/settings/schema.ts'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { PurgeMenu } from './cache-controls.tsx'
import type { CachedPage } from './types.ts'

const PER_PAGE = 25

/** Lists the cached pages, most visited first. */
export default function Pages() {
  const query = useListQuery()
  const [search, status] = [query.get('search'), query.get('status')]
  const { schema } = useSettings('speed')
  const list = useList<CachedPage>('speed/v1/optimized-pages/fetch', {
    ...{ page: query.page, perPage: PER_PAGE, search, status },
  })
  return (
    <Page
      title={__('Cached pages', 'pentad')}
      description={__('Pages that are served from the page cache, most visited first.', 'pentad')}
      actions={<PurgeMenu />}
    >
      <Group gap="sm">
        <SearchField label={__('Search URLs', 'pentad')} query={query} />
        <FilterSelect
          label={__('Status', 'pentad')}
          all={__('All statuses', 'pentad')}
          name="status"
          query={query}
          data={Object.entries(STATES).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <DataTable
        label={__('Cached pages', 'pentad')}
        list={list}
        query={query}
        rowId={({ url }) => url}
        columns={columnsOf(schema)}
        actions={(page) => <PurgeButton page={page} />}
        empty={
          search === '' && status === '' ? (
            <EmptyState title={__('No cached pages yet', 'pentad')}>
              {__('Pages are cached when visitors open them. To cache all pages now, preload the cache.', 'pentad')}
            </EmptyState>
          ) : (
            <EmptyState
              title={__('No cached pages match your filters', 'pentad')}
              action={
                <Button variant="default" onClick={() => query.set({ search: '', status: '' })}>
                  {__('Clear filters', 'pentad')}
                </Button>
              }
            />
          )
        }
      />
    </Page>
  )
}

const STATES = { fresh: __('Fresh', 'pentad'), stale: __('Stale', 'pentad') }

/** @param schema of the settings that change pages */
const columnsOf = (schema: Readonly<Record<string, SettingSchema>> = {}): readonly Column<CachedPage>[] => [
  {
    title: __('Page', 'pentad'),
    cell: ({ url }) => (
      <Anchor href={url} size="sm">
        <bdi dir="ltr">{pathOf(url)}</bdi>
      </Anchor>
    ),
  },
  {
    title: __('Status', 'pentad'),
    cell: ({ status }) => (
      <Badge variant="light" color={status === 'fresh' ? 'teal' : 'yellow'}>
        {STATES[status]}
      </Badge>
    ),
  },
  { title: __('Hits', 'pentad'), align: 'end', cell: ({ hits }) => formatNumber(hits) },
  {
    title: __('Size', 'pentad'),
    align: 'end',
    cell: ({ size, compressedSize }) => (
      <Stack gap={0}>
        <span>{formatBytes(compressedSize)}</span>
        {size > compressedSize && (
          <Text size="xs" c="dimmed">
            {sprintf(__('%s uncompressed', 'pentad'), formatBytes(size))}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: __('Cached', 'pentad'), isMinor: true, isWhole: true, cell: ({ cachedAt }) => formatAgo(cachedAt) },
  {
    title: __('Optimizations', 'pentad'),
    isMinor: true,
    cell: ({ optimizations }) => (
      <Text size="xs" c="dimmed">
        {optimizations.map((name) => titleOf(name, schema[name] ?? {})).join(', ')}
      </Text>
    ),
  },
]

function PurgeButton({ page: { url } }: { page: CachedPage }) {
  const purge = useChange(() => change('POST', 'speed/v1/purge-current-page', { url }), {
    invalidates: ['speed/v1/optimized-pages', 'speed/v1/cache-overview'],
    done: sprintf(__('%s purged. It is being re-rendered.', 'pentad'), pathOf(url)),
  })
  return (
    <Button
      size="xs"
      variant="default"
      loading={purge.isPending}
      aria-label={sprintf(__('Purge %s', 'pentad'), pathOf(url))}
      onClick={() => purge.mutate()}
    >
      {__('Purge', 'pentad')}
    </Button>
  )
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return readable(pathname) + search
}
