import { Anchor, Box, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { __ } from '../i18n.ts'

export interface ChartSeries<Row> {
  readonly label: string
  /** A theme color: `pentad.6`. */
  readonly color: string
  readonly value: (row: Row) => number | null
}

export interface ChartFigureProps<Row> {
  /** Label for screen readers. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly x: { readonly title: string; readonly value: (row: Row) => string }
  readonly series: readonly ChartSeries<Row>[]
  readonly format?: (value: number) => string
  readonly children: ReactNode
}

/** Ten and a half rows: the cut row shows that the table scrolls. */
const HEIGHT = '24rem'

/** A chart with its data as a table: the graphic is hidden from screen readers, the table is available to everyone. */
export function ChartFigure<Row>({ label, rows, x, series, format = String, children }: ChartFigureProps<Row>) {
  const [isOpen, table] = useDisclosure()
  if (series.every(({ value }) => rows.every((row) => !value(row)))) {
    return (
      <Text component="figure" m={0} size="sm" c="dimmed" aria-label={label}>
        {__('No data for this period.', 'pentad')}
      </Text>
    )
  }
  return (
    <Box component="figure" m={0} aria-label={label}>
      <div aria-hidden>{children}</div>
      <Anchor component="button" type="button" size="xs" onClick={table.toggle} aria-expanded={isOpen}>
        {isOpen ? __('Hide table', 'pentad') : __('Show as table', 'pentad')}
      </Anchor>
      {isOpen && (
        <Box mah={HEIGHT} tabIndex={0} role="region" aria-label={label} style={{ overflow: 'auto' }}>
          <Table aria-label={label} fz="xs" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{x.title}</Table.Th>
                {series.map((one) => (
                  <Table.Th key={one.label} ta="end">
                    {one.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={x.value(row)}>
                  <Table.Th scope="row">{x.value(row)}</Table.Th>
                  {series.map((one) => (
                    <Table.Td key={one.label} ta="end">
                      <Value value={one.value(row)} format={format} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </Box>
  )
}

function Value({ value, format }: { value: number | null; format: (value: number) => string }) {
  return value === null ? (
    <Text span c="dimmed" fz="inherit">
      –
    </Text>
  ) : (
    format(value)
  )
}
