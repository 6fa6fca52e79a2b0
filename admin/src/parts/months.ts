import { pageData } from '../page-data.ts'

const names = new Intl.DateTimeFormat(pageData.locale.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `2026-01` → `January 2026` */
export const monthName = (month: string): string => names.format(Date.parse(`${month}-01T00:00:00Z`))

/**
 * `after` and `before` of `wp/v2` for a month such as `2026-01`; both limits are exclusive. Empty for an invalid month.
 */
export function monthRange(month: string): { readonly after?: string; readonly before?: string } {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return {}
  const [year = 0, number = 0] = month.split('-').map(Number)
  const at = (time: number) => new Date(time).toISOString().slice(0, 19)
  return { after: at(Date.UTC(year, number - 1) - 1000), before: at(Date.UTC(year, number)) }
}
