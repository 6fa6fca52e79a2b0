import { Anchor, Group, Stack } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { useList } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListQuery } from '../../parts/list-query.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { memberOf, textOf } from './member.ts'
import { cellOf, linkTo, RowButtons } from './page-cells.tsx'
import type { ExtensionPageData, PartOf } from './part.ts'

const PER_PAGE = 20

/** A paginated table with rows from a route of the extension. */
export function PageTable({ part, page }: { part: PartOf<'table'>; page: ExtensionPageData }) {
  const { route, columns, search = false, empty, actions = [], details } = part
  const query = useListQuery()
  const [params] = useSearchParams()
  const list = useList<unknown>(route, { page: query.page, perPage: PER_PAGE, search: query.get('search') })
  const rowId = (row: unknown) => textOf(memberOf(row, 'id') ?? JSON.stringify(row))
  return (
    <Stack gap="sm">
      {search && <SearchField label={__('Search', 'pentad')} query={query} />}
      <DataTable
        label={part.title ?? page.title}
        list={list}
        query={query}
        rowId={rowId}
        columns={columns.map((column, place) => ({
          title: column.label,
          cell: (row: unknown) => {
            const value = memberOf(row, column.key)
            if (!details || place > 0) return cellOf(value, column)
            return (
              <Anchor component={Link} to={linkTo(params, rowId(row))} size="sm" fw={600}>
                {value === undefined || value === null || value === '' ? rowId(row) : cellOf(value, column)}
              </Anchor>
            )
          },
          ...(column.format === 'number' && { align: 'end' as const }),
          isWhole: column.format === 'date',
        }))}
        {...(actions.length > 0 && {
          actions: (row: unknown) => (
            <Group gap={4} justify="flex-end" maw={300}>
              <RowButtons actions={actions} row={row} size="compact-xs" />
            </Group>
          ),
        })}
        empty={<EmptyState title={__('No items yet', 'pentad')}>{empty}</EmptyState>}
      />
    </Stack>
  )
}
