import { Box, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import classes from './long-table.module.css'

interface LongTableProps<Row> {
  /** For screen readers. */
  readonly label: string
  readonly columns: readonly {
    readonly title: string
    readonly cell: (row: Row) => ReactNode
    /** As `grid-template-columns` has it. */
    readonly width: string
  }[]
  readonly rows: readonly Row[]
}

/** Height of a single-line row in pixels; other rows are measured when rendered. */
const ROW = 36

/** A virtualized table for rows that are loaded at once. Paginated lists use `DataTable`. */
export function LongTable<Row>({ label, columns, rows }: LongTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 10,
  })
  return (
    <Box
      ref={frame}
      className={classes.frame}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      __vars={{ '--columns': columns.map(({ width }) => width).join(' ') }}
    >
      <Box role="rowgroup" className={classes.head}>
        <Box role="row" aria-rowindex={1} className={classes.row}>
          {columns.map(({ title }) => (
            <Text key={title} role="columnheader" size="sm" fw={600}>
              {title}
            </Text>
          ))}
        </Box>
      </Box>
      <Box role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <Box
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {columns.map(({ title, cell }) => (
                <Text key={title} role="cell" size="sm" component="div">
                  {cell(row)}
                </Text>
              ))}
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}
