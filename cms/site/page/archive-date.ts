import type { SiteSettings } from '../../content/types.ts'
import { toLanguage } from '../../text/language.ts'
import type { ArchiveDate } from '../types.ts'

const DAY = 86_400_000

/**
 * Week number of a day, 0 to 53, as in WordPress's `_wp_mysql_week`: weeks starting on Monday count as in MySQL's
 * `WEEK(date, 1)`, where week 1 has at least four days; weeks starting on Sunday as in `WEEK(date, 0)`, where week 1 is
 * the first that starts in the year. Other start days count like Sunday.
 * @param startOfWeek 0 (Sunday) to 6
 */
export function weekOf(date: Date, startOfWeek: number): number {
  const first = new Date(date)
  first.setUTCMonth(0, 1)
  const dayOfYear = Math.floor((date.getTime() - first.getTime()) / DAY)
  // Days of the first week that are in the previous year.
  const before = (first.getUTCDay() - startOfWeek + 7) % 7
  const week = Math.floor((dayOfYear + before) / 7)
  const isFirstCounted = startOfWeek === 1 ? before <= 3 : before === 0
  return isFirstCounted ? week + 1 : week
}

/**
 * Exclusive bounds of the archive's period in site time, for `after` and `before` of a post query; `undefined` if the
 * date does not exist or has no four-digit year.
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

/** The days of a week within a year: fewer than seven at the start or end of the year. */
function daysOfWeek(year: number, week: number, startOfWeek: number): { first: Date; last: Date } | undefined {
  const newYear = new Date(Date.UTC(2000, 0, 1))
  newYear.setUTCFullYear(year)
  const days = Array.from({ length: 366 }, (_, at) => new Date(newYear.getTime() + at * DAY)).filter(
    (date) => date.getUTCFullYear() === year && weekOf(date, startOfWeek) === week,
  )
  const [first, last] = [days[0], days.at(-1)]
  return first && last && { first, last }
}

/** `2026`, `January 2026`, `January 5, 2026`, `January 5 – 11, 2026` in the language of the site. */
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
