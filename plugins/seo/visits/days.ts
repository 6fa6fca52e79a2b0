import { toGmt } from 'pentad'

const DAY = 86_400_000

/** Days for which visits are counted: what `/geo/crawlers` and `/geo/referrals` can look back with a licence. */
export const KEPT_DAYS = 90

/** A day as visits are counted by it, UTC: `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return toGmt(milliseconds).slice(0, 10)
}

/** So many days up to today, which is one of them, oldest first. */
export function lastDays(days: number): string[] {
  const today = Date.now()
  return Array.from({ length: days }, (_, at) => dayOf(today - (days - 1 - at) * DAY))
}
