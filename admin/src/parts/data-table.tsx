import { Box, Checkbox, Group, Paper, Stack, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Listed } from '../api/rest.ts'
import { __, _n, sprintf } from '../i18n.ts'
import classes from './data-table.module.css'
import { formatNumber } from './format.ts'
import type { ListQuery } from './list-query.ts'
import { Loaded } from './loaded.tsx'
import { PageButtons } from './page-buttons.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The `orderby` value that sorts by this column. */
  readonly sort?: string
  readonly align?: 'end'
  /** Never wraps: a date, a time. */
  readonly isWhole?: boolean
  /** On a phone rows become cards; minor columns are hidden there. */
  readonly isMinor?: boolean
}

export interface Selection {
  readonly ids: readonly (string | number)[]
  readonly onChange: (ids: readonly (string | number)[]) => void
}

interface DataTableProps<Row> {
  /** For screen readers. */
  readonly label: string
  readonly list: UseQueryResult<Listed<Row>>
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string | number
  /** Label of the row's checkbox, if rows can be selected. */
  readonly rowName?: (row: Row) => string
  readonly query: ListQuery
  readonly selection?: Selection
  /** Whether a row can be selected. Default: all rows. */
  readonly isChoosable?: (row: Row) => boolean
  /** Buttons at the end of each row. */
  readonly actions?: (row: Row) => ReactNode
  /** Reorders the rows of a page after the server has sorted them. */
  readonly arrange?: (rows: readonly Row[]) => readonly Row[]
  /** Shown instead of an empty table: an `EmptyState`. */
  readonly empty: ReactNode
}

/** One page of a list that the server sorts, filters, and paginates. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list, query, empty } = props
  return (
    <Loaded query={list} lines={6}>
      {({ items, total, pages }) =>
        items.length === 0 && query.page === 1 ? (
          empty
        ) : (
          <Stack gap="sm">
            <Rows {...props} rows={props.arrange?.(items) ?? items} isOld={list.isPlaceholderData} />
            <PageButtons
              {...{ pages, query }}
              count={sprintf(_n('%s item', '%s items', total, 'pentad'), formatNumber(total))}
            />
          </Stack>
        )
      }
    </Loaded>
  )
}

function Rows<Row>(props: DataTableProps<Row> & { rows: readonly Row[]; isOld: boolean }) {
  const { rows, columns, rowId, rowName, selection, isChoosable = () => true, actions, query, label, isOld } = props
  const ids = rows.filter(isChoosable).map(rowId)
  const chosen = new Set(selection?.ids)
  const toggle = (id: string | number) =>
    selection?.onChange(chosen.has(id) ? selection.ids.filter((other) => other !== id) : [...selection.ids, id])
  return (
    <Paper withBorder className={classes.frame} aria-busy={isOld} data-old={isOld || undefined}>
      <Table aria-label={label} className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={__('Select all on this page', 'pentad')}
                  checked={ids.length > 0 && ids.every((id) => chosen.has(id))}
                  indeterminate={chosen.size > 0 && !ids.every((id) => chosen.has(id))}
                  onChange={({ currentTarget: { checked } }) => selection.onChange(checked ? ids : [])}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.title} column={column} query={query} />
            ))}
            {actions && <Table.Th ta="end">{__('Actions', 'pentad')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)} bg={chosen.has(rowId(row)) ? 'var(--mantine-primary-color-light)' : undefined}>
              {selection && (
                <Table.Td className={classes.choice}>
                  {isChoosable(row) && (
                    <Checkbox
                      aria-label={sprintf(__('Select “%s”', 'pentad'), rowName?.(row) ?? String(rowId(row)))}
                      checked={chosen.has(rowId(row))}
                      onChange={() => toggle(rowId(row))}
                    />
                  )}
                </Table.Td>
              )}
              {columns.map(({ title, cell, align, isWhole, isMinor }) => (
                <Table.Td
                  key={title}
                  data-align={align}
                  data-label={title}
                  data-whole={isWhole || undefined}
                  data-minor={isMinor || undefined}
                >
                  <div>
                    <Cell>{cell(row)}</Cell>
                  </div>
                </Table.Td>
              ))}
              {actions && (
                <Table.Td className={classes.actions}>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {actions(row)}
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

/** User content keeps its own text direction in a right-to-left admin. */
function Cell({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <bdi>{children}</bdi> : children
}

/** The heading of a sortable column shows the sort order and toggles it. */
function Heading<Row>({ column: { title, sort, align }, query }: { column: Column<Row>; query: ListQuery }) {
  if (sort === undefined) return <Table.Th ta={align}>{title}</Table.Th>
  const isSorted = query.get('orderby') === sort
  const isDown = query.get('order') !== 'asc'
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <Table.Th ta={align} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        onClick={() => query.set({ orderby: sort, order: isSorted && isDown ? 'asc' : 'desc' })}
      >
        {title}
        {isSorted && (
          <Box component="span" ms={4}>
            <Arrow size={12} aria-hidden />
          </Box>
        )}
      </UnstyledButton>
    </Table.Th>
  )
}
