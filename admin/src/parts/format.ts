import { __, sprintf } from '../i18n.ts'
import { pageData } from '../page-data.ts'

const { language } = pageData.locale
const { timezone } = pageData.site
const zone = timezone === '' ? 'UTC' : isKnownZone(timezone) ? timezone : undefined

const numbers = new Intl.NumberFormat(language)
const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: zone })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
const distances = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

export const formatNumber = (value: number): string => numbers.format(value)
/** `12.3K` */
export const formatShort = (value: number): string => short.format(value)
/** @param share 0 to 1 */
export const formatPercent = (share: number): string => percents.format(share)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** In powers of 1000, as operating systems and storage providers show sizes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power],
    // “1 byte”, “2 bytes”: the short unit has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}

/** `0.4 ms`, `12 ms`, `3.1 s` */
export function formatMilliseconds(time: number): string {
  if (time >= 1000) return sprintf(__('%s s', 'pentad'), formatNumber(Math.round(time / 100) / 10))
  if (time > 0 && time < 0.01) return __('< 0.01 ms', 'pentad')
  return sprintf(__('%s ms', 'pentad'), formatNumber(time < 10 ? Math.round(time * 100) / 100 : Math.round(time)))
}

/**
 * A date in the site's time zone.
 * @param time ISO 8601; without a zone, as in WordPress's `…_gmt` fields, it is UTC
 */
export const formatDate = (time: string): string => format(time, (date) => dates.format(date))
/** A date and time in the site's time zone. */
export const formatTime = (time: string): string => format(time, (date) => moments.format(date))

const clock = new Intl.DateTimeFormat('sv', {
  timeZone: zone,
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
})

/** The current local time of the site, in the format of WordPress's `date`: `2026-05-01T12:00:00`. */
export const siteTime = (date: Date): string => clock.format(date).replace(' ', 'T')

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `5 minutes ago`, `in 2 hours` */
export function formatAgo(time: string): string {
  return format(time, (date) => {
    const seconds = (date.getTime() - Date.now()) / 1000
    const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
    return step ? distances.format(Math.round(seconds / step[1]), step[0]) : __('just now', 'pentad')
  })
}

function format(time: string, write: (date: Date) => string): string {
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
  return Number.isNaN(date.getTime()) ? '–' : write(date)
}

/** WordPress also knows offsets such as `UTC+2`. */
function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
