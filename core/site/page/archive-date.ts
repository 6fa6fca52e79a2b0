import { toLanguage } from '../language.ts'
import type { ArchiveDate } from '../types.ts'

/**
 * The last second before the archive's time and the first after it, site time; `undefined` if there is no such day
 * or it can't be written with four digits.
 * Both ends lie outside, as `after` and `before` of a post query want them.
 */
export function dateRange({ year, month, day }: ArchiveDate): { after: string; before: string } | undefined {
  const first = new Date(Date.UTC(2000, (month ?? 1) - 1, day ?? 1))
  first.setUTCFullYear(year)
  if (year < 1000 || year > 9998 || first.getUTCMonth() !== (month ?? 1) - 1 || first.getUTCDate() !== (day ?? 1))
    return undefined
  const next = new Date(first)
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1)
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1)
  else next.setUTCFullYear(year + 1)
  const text = (date: Date) => date.toISOString().slice(0, 19)
  return { after: text(new Date(first.getTime() - 1000)), before: text(next) }
}

/** `2026`, `January 2026`, `January 5, 2026` in the site's language. */
export function dateTitle({ year, month, day }: ArchiveDate, language: string): string {
  if (month === undefined) return String(year)
  const format: Intl.DateTimeFormatOptions = { timeZone: 'UTC', year: 'numeric', month: 'long' }
  if (day !== undefined) format.day = 'numeric'
  return new Intl.DateTimeFormat(toLanguage(language), format).format(new Date(Date.UTC(year, month - 1, day ?? 1)))
}
