import { Anchor, Button, Code, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { invalidate, useList } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber, formatTime } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { memberOf, textOf } from './member.ts'
import { type ExtensionPageData, namespaceOf, type PartOf } from './part.ts'
import { RouteButton } from './route-button.tsx'

type TableColumn = PartOf<'table'>['columns'][number]

const PER_PAGE = 20

/** A paginated table with rows from a route of the extension. */
export function PageTable({ part, page }: { part: PartOf<'table'>; page: ExtensionPageData }) {
  const { route, columns, search = false, empty, actions = [] } = part
  const query = useListQuery()
  const client = useQueryClient()
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
        columns={columns.map((column) => ({
          title: column.label,
          cell: (row: unknown) => cellOf(memberOf(row, column.key), column),
          ...(column.format === 'number' && { align: 'end' as const }),
          isWhole: column.format === 'date',
        }))}
        {...(actions.length > 0 && {
          actions: (row: unknown) => (
            <Group gap={4} justify="flex-end" maw={300}>
              {actions.map((button) => (
                <RouteButton
                  key={button.label}
                  button={button}
                  row={(key) => textOf(memberOf(row, key))}
                  onDone={() => void invalidate(client, [namespaceOf(button.route)])}
                >
                  {({ run, isRunning }) => (
                    <Button
                      size="compact-xs"
                      variant="light"
                      loading={isRunning}
                      onClick={run}
                      {...(button.destructive ? { color: 'red' } : {})}
                    >
                      {button.label}
                    </Button>
                  )}
                </RouteButton>
              ))}
            </Group>
          ),
        })}
        empty={<EmptyState title={__('No items yet', 'pentad')}>{empty}</EmptyState>}
      />
    </Stack>
  )
}

function cellOf(value: unknown, { format = 'text' }: TableColumn): ReactNode {
  switch (format) {
    case 'number':
      return typeof value === 'number' ? formatNumber(value) : textOf(value)
    case 'date':
      return typeof value === 'string' ? formatTime(value) : textOf(value)
    case 'boolean':
      return value ? __('Yes', 'pentad') : __('No', 'pentad')
    case 'link':
      return typeof value === 'string' && /^(https?:\/\/|\/(?![/\\]))/i.test(value) ? (
        <Anchor href={value} size="sm">
          {value}
        </Anchor>
      ) : (
        textOf(value)
      )
    case 'code':
      return <Code>{textOf(value)}</Code>
    default:
      return textOf(value)
  }
}
