import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx'

/** Charts weigh as much as half the admin: they come after what is written beside them. */
const MantineChart = lazy(() => import('./mantine-chart.tsx'))

export interface ChartProps<Row> extends Omit<ChartFigureProps<Row>, 'children'> {
  readonly kind?: 'area' | 'bar' | 'line'
  /** Series lie on each other: parts of a whole. */
  readonly isStacked?: boolean
  /** Pixels. */
  readonly height?: number
  /** Says what lies between two known points of a line. */
  readonly connectNulls?: boolean
}

/** A chart of rows, one a day as a rule, with the same numbers as a table for whoever can't see it. */
export function Chart<Row>({ kind = 'area', isStacked, height = 220, connectNulls, ...figure }: ChartProps<Row>) {
  const { rows, x, series, format = String } = figure
  const data = rows.map((row) => ({
    x: x.value(row),
    ...Object.fromEntries(series.map(({ label, value }) => [label, value(row)])),
  }))
  return (
    <ChartFigure {...figure}>
      <Suspense fallback={<Skeleton height={height} />}>
        <MantineChart
          {...{ kind, isStacked, height, connectNulls, data, format }}
          series={series.map(({ label, color }) => ({ name: label, color }))}
        />
      </Suspense>
    </ChartFigure>
  )
}
