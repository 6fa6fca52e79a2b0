import type { SiteSettings } from '../../content/types.ts'
import { toLanguage } from '../language.ts'
import type { ArchiveDate } from '../types.ts'

const DAY = 86_400_000

/**
 * Number of the week that a day is in, from 0 to 53, as WordPress's `_wp_mysql_week` has MySQL count: weeks that begin on
 * Mondays as `WEEK(date, 1)`, where week 1 has at least four days in the year; weeks that begin on Sundays as `WEEK(date, 0)`,
 * where week 1 is the first that begins in the year. Those that begin on another day are counted like the latter.
 * @param startOfWeek - From 0, Sunday, to 6.
 */
export function weekOf(date: Date, startOfWeek: number): number {
  const first = new Date(date)
  first.setUTCMonth(0, 1)
  const dayOfYear = Math.floor((date.getTime() - first.getTime()) / DAY)
  // Days of the week that the year begins in that lie before it.
  const before = (first.getUTCDay() - startOfWeek + 7) % 7
  const week = Math.floor((dayOfYear + before) / 7)
  const isFirstCounted = startOfWeek === 1 ? before <= 3 : before === 0
  return isFirstCounted ? week + 1 : week
}

/**
 * The last second before the archive's time and the first after it, site time; `undefined` if there is no such day
 * or it can't be written with four digits.
 * Both ends lie outside, as `after` and `before` of a post query want them.
 */
export function dateRange(
  { year, month, day, week }: ArchiveDate,
  startOfWeek: number,
): { after: string; before: string } | undefined {
  const first = new Date(Date.UTC(2000, (month ?? 1) - 1, day ?? 1))
  first.setUTCFullYear(year)
  if (year < 1000 || year > 9998 || first.getUTCMonth() !== (month ?? 1) - 1 || first.getUTCDate() !== (day ?? 1))
    return undefined
  const next = new Date(first)
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1)
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCFullYear(year + 1)
  const text = (date: Date) => date.toISOString().slice(0, 19)
  if (week !== undefined) {
    const days = daysOfWeek(year, week, startOfWeek)
    return (
      days && { after: text(new Date(days.first.getTime() - 1000)), before: text(new Date(days.last.getTime() + DAY)) }
    )
  }
  return { after: text(new Date(first.getTime() - 1000)), before: text(next) }
}

/** The days of a year that are in a week of it: fewer than seven where the year begins or ends. */
function daysOfWeek(year: number, week: number, startOfWeek: number): { first: Date; last: Date } | undefined {
  const newYear = new Date(Date.UTC(2000, 0, 1))
  newYear.setUTCFullYear(year)
  const days = Array.from({ length: 366 }, (_, at) => new Date(newYear.getTime() + at * DAY)).filter(
    (date) => date.getUTCFullYear() === year && weekOf(date, startOfWeek) === week,
  )
  const [first, last] = [days[0], days.at(-1)]
  return first && last && { first, last }
}

/** `2026`, `January 2026`, `January 5, 2026`, `January 5 – 11, 2026` in the site's language. */
export function dateTitle(
  { year, month, day, week }: ArchiveDate,
  { language, startOfWeek }: Pick<SiteSettings, 'language' | 'startOfWeek'>,
): string {
  const format: Intl.DateTimeFormatOptions = { timeZone: 'UTC', year: 'numeric', month: 'long' }
  const days = week === undefined ? undefined : daysOfWeek(year, week, startOfWeek)
  if (days)
    return new Intl.DateTimeFormat(toLanguage(language), { ...format, day: 'numeric' }).formatRange(
      days.first,
      days.last,
    )
  if (month === undefined) return String(year)
  if (day !== undefined) format.day = 'numeric'
  return new Intl.DateTimeFormat(toLanguage(language), format).format(new Date(Date.UTC(year, month - 1, day ?? 1)))
}
