import '@mantine/charts/styles.css'
import { AreaChart, BarChart, LineChart } from '@mantine/charts'

/** A day between two gaps has a dot but no line. */
const MOST_DOTS = 31

/** Keyboard and screen reader users have the table. The top label needs half a line of space above the chart. */
const PICTURE = { accessibilityLayer: false, margin: { top: 10, right: 5, bottom: 5, left: 5 } }

interface MantineChartProps {
  readonly kind: 'area' | 'bar' | 'line'
  readonly isStacked?: boolean
  readonly height: number
  readonly connectNulls?: boolean
  readonly data: Record<string, string | number | null>[]
  readonly series: { name: string; color: string }[]
  readonly format: (value: number) => string
}

/** In a module of its own, so that it is loaded only when there is a chart. */
export default function MantineChart({ kind, isStacked = false, connectNulls = false, ...rest }: MantineChartProps) {
  const { height, data, series, format } = rest
  const shared = {
    h: height,
    data,
    dataKey: 'x',
    series,
    valueFormatter: format,
    withLegend: series.length > 1,
    tooltipAnimationDuration: 0,
    xAxisProps: { minTickGap: 24, interval: 'equidistantPreserveStart' as const },
    // Bars and areas show counts, so their axis has integers only; a line shows measurements.
    yAxisProps: { width: 60, interval: 0, allowDecimals: kind === 'line' },
  }
  if (kind === 'bar') return <BarChart {...shared} barChartProps={PICTURE} type={isStacked ? 'stacked' : 'default'} />
  if (kind === 'line')
    return (
      <LineChart
        {...shared}
        lineChartProps={PICTURE}
        connectNulls={connectNulls}
        withDots={data.length <= MOST_DOTS}
        curveType="monotone"
      />
    )
  return (
    <AreaChart
      {...shared}
      areaChartProps={PICTURE}
      type={isStacked ? 'stacked' : 'default'}
      connectNulls={connectNulls}
      withDots={false}
      curveType="monotone"
    />
  )
}
