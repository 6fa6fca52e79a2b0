import { toGmt } from '../core/database/gmt.ts'

const DAY = 86_400_000

/** The UTC day of a time, by which statistics are grouped: `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return toGmt(milliseconds).slice(0, 10)
}

/** The last days including today, oldest first. */
export function lastDays(count: number): string[] {
  const today = Date.now()
  return Array.from({ length: count }, (_, at) => dayOf(today - (count - 1 - at) * DAY))
}
