import { Anchor, Group } from '@mantine/core'
import { useList, useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { type Column, DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { FilterSelect } from 'pentad/admin/parts/filter-select.tsx'
import { formatBytes, formatNumber, formatPercent } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SearchField } from 'pentad/admin/parts/search-field.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { ASSET_TYPES } from './labels.ts'
import type { CacheOverview, OptimizedAsset } from './types.ts'

const PER_PAGE = 25

const COLUMNS: readonly Column<OptimizedAsset>[] = [
  {
    title: __('File', 'pentad'),
    cell: ({ url }) => (
      <Anchor href={url} size="sm">
        {url.split('/').at(-1)}
      </Anchor>
    ),
  },
  { title: __('Type', 'pentad'), cell: ({ type }) => ASSET_TYPES[type] },
  {
    title: __('Original size', 'pentad'),
    align: 'end',
    isMinor: true,
    cell: ({ originalSize }) => formatBytes(originalSize),
  },
  { title: __('Optimized size', 'pentad'), align: 'end', cell: ({ size }) => formatBytes(size) },
  { title: __('Savings', 'pentad'), align: 'end', cell: ({ savings }) => formatPercent(savings / 100) },
]

/** Lists the optimized files: CSS, JavaScript, images, and fonts. */
export default function Assets() {
  const query = useListQuery()
  const [search, type] = [query.get('search'), query.get('type')]
  const list = useList<OptimizedAsset>('speed/v1/optimized-assets/fetch', {
    ...{ page: query.page, perPage: PER_PAGE, search, type },
  })
  const types = useRead<CacheOverview>('speed/v1/cache-overview/fetch').data?.assets.types ?? []
  return (
    <Page
      title={__('Optimized files', 'pentad')}
      description={__('Smaller copies of the CSS, JavaScript, images, and fonts that your pages use.', 'pentad')}
    >
      {types.length > 0 && (
        <Stats>
          {types.map(({ type: kind, total, size, originalSize }) => (
            <Stat
              key={kind}
              label={ASSET_TYPES[kind]}
              value={formatNumber(total)}
              hint={
                originalSize === 0
                  ? ''
                  : sprintf(__('%1$s instead of %2$s', 'pentad'), formatBytes(size), formatBytes(originalSize))
              }
            />
          ))}
        </Stats>
      )}
      <Group gap="sm">
        <SearchField label={__('Search files', 'pentad')} query={query} />
        <FilterSelect
          label={__('Type', 'pentad')}
          all={__('All types', 'pentad')}
          name="type"
          query={query}
          data={Object.entries(ASSET_TYPES).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <DataTable
        label={__('Optimized files', 'pentad')}
        list={list}
        query={query}
        rowId={({ url }) => url}
        columns={COLUMNS}
        empty={
          <EmptyState title={__('No optimized files yet', 'pentad')}>
            {search === '' && type === ''
              ? __('Files are optimized in the background after a page that uses them has been visited.', 'pentad')
              : __('Try different filters, or clear them.', 'pentad')}
          </EmptyState>
        }
      />
    </Page>
  )
}
