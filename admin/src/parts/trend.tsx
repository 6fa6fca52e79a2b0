import { useId } from 'react'
import { __, sprintf } from '../i18n.ts'
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx'
import classes from './trend.module.css'

const WIDTH = 320
const HEIGHT = 72

interface TrendProps<Row> extends Omit<ChartFigureProps<Row>, 'children'> {
  readonly kind?: 'area' | 'bars'
  /** Label of the highest value. */
  readonly describeHighest?: (value: string) => string
}

/** A small chart without a library, for the dashboard, whose script size is limited. Detailed charts use `Chart`. */
export function Trend<Row>({ kind = 'area', describeHighest = mostInADay, ...figure }: TrendProps<Row>) {
  const { rows, series, x, format = String } = figure
  const fade = useId()
  const highest = Math.max(0, ...series.flatMap(({ value }) => rows.map((row) => value(row) ?? 0)))
  const top = highest === 0 ? 1 : highest
  const first = rows[0]
  const last = rows.at(-1)
  return (
    <ChartFigure {...figure}>
      {series.length > 1 && (
        <div className={classes.legend}>
          {series.map(({ label, color }) => (
            <span key={label}>
              <span className={classes.dot} style={{ background: cssColor(color) }} />
              {label}
            </span>
          ))}
        </div>
      )}
      <svg aria-hidden="true" className={classes.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {series.map((one, at) => {
          const color = cssColor(one.color)
          const values = rows.map(one.value)
          if (kind === 'bars') return <Bars key={one.label} {...{ values, top, color, at, of: series.length }} />
          return (
            <g key={one.label}>
              <linearGradient id={`${fade}${at}`} x1="0" y1="0" x2="0" y2="1">
                <stop offset="0" stopColor={color} stopOpacity="0.35" />
                <stop offset="1" stopColor={color} stopOpacity="0.02" />
              </linearGradient>
              {pieces(values, top).map((points) => (
                <g key={points[0]?.join()}>
                  <path d={`${lineOf(points)}V${HEIGHT}H${points[0]?.[0] ?? 0}Z`} fill={`url(#${fade}${at})`} />
                  <path d={lineOf(points)} fill="none" stroke={color} className={classes.line} />
                </g>
              ))}
            </g>
          )
        })}
      </svg>
      <div className={classes.axis}>
        <span>{first === undefined ? '' : x.value(first)}</span>
        <span>{highest === 0 ? '' : describeHighest(format(highest))}</span>
        <span>{last === undefined ? '' : x.value(last)}</span>
      </div>
    </ChartFigure>
  )
}

const mostInADay = (value: string) => sprintf(__('Daily peak: %s', 'pentad'), value)

/** `pentad.6` → `var(--mantine-color-pentad-6)` */
const cssColor = (color: string) => `var(--mantine-color-${color.replace('.', '-')})`

type Point = readonly [x: number, y: number]

/** Splits values into runs without gaps. */
function pieces(values: readonly (number | null)[], top: number): Point[][] {
  const step = WIDTH / Math.max(1, values.length - 1)
  const found: Point[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) found.push([])
    else found.at(-1)?.push([round(at * step), round(HEIGHT - (value / top) * (HEIGHT - 4))])
  })
  // A single day becomes a short line that ends at that day.
  return found
    .filter((points) => points.length > 0)
    .map((points) =>
      points.length > 1 ? points : [...points.map(([at, y]): Point => [Math.max(0, at - 8), y]), ...points],
    )
}

function lineOf(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${x},${y}`).join('L')}`
}

const round = (value: number) => Math.round(value * 10) / 10

interface BarsProps {
  readonly values: readonly (number | null)[]
  readonly top: number
  readonly color: string
  readonly at: number
  readonly of: number
}

function Bars({ values, top, color, at, of }: BarsProps) {
  const slot = WIDTH / Math.max(1, values.length)
  const width = (slot * 0.8) / of
  return (
    <g fill={color}>
      {values.map((value, day) => {
        const height = ((value ?? 0) / top) * (HEIGHT - 4)
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={day} x={round(day * slot + at * width)} y={round(HEIGHT - height)} {...{ width, height }} />
      })}
    </g>
  )
}
