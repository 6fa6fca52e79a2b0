import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx'

/** The chart library is half the size of the admin, so it is loaded after the rest of the screen. */
const MantineChart = lazy(() => import('./mantine-chart.tsx'))

export interface ChartProps<Row> extends Omit<ChartFigureProps<Row>, 'children'> {
  readonly kind?: 'area' | 'bar' | 'line'
  /** Stacks the series as parts of a whole. */
  readonly isStacked?: boolean
  /** Height in pixels. */
  readonly height?: number
  /** Connects known points across gaps. */
  readonly connectNulls?: boolean
}

/** A chart, usually with one row per day, and the same data as an accessible table. */
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
