import { pageData } from '../../page-data.ts'

const { language } = pageData.locale
const two = (value: number) => String(value).padStart(2, '0')
const name = (date: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, options).format(date)

/** The PHP format characters of dates and times. */
const LETTERS: Readonly<Record<string, (date: Date) => string>> = {
  d: (date) => two(date.getDate()),
  j: (date) => String(date.getDate()),
  D: (date) => name(date, { weekday: 'short' }),
  l: (date) => name(date, { weekday: 'long' }),
  m: (date) => two(date.getMonth() + 1),
  n: (date) => String(date.getMonth() + 1),
  F: (date) => name(date, { month: 'long' }),
  M: (date) => name(date, { month: 'short' }),
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  H: (date) => two(date.getHours()),
  G: (date) => String(date.getHours()),
  h: (date) => two(date.getHours() % 12 || 12),
  g: (date) => String(date.getHours() % 12 || 12),
  i: (date) => two(date.getMinutes()),
  s: (date) => two(date.getSeconds()),
  a: (date) => (date.getHours() < 12 ? 'am' : 'pm'),
  A: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
}

/** Formats a time with a WordPress format; unsupported characters stay unchanged. */
export function previewDate(format: string, date: Date): string {
  return format.replace(/\\(.)|([a-zA-Z])/g, (_, escaped: string | undefined, letter: string | undefined) =>
    escaped === undefined ? (LETTERS[letter ?? '']?.(date) ?? letter ?? '') : escaped,
  )
}
