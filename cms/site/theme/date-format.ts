import { toLanguage } from '../../text/language.ts'

/** Date formats in the settings are PHP's (https://www.php.net/manual/en/datetime.format.php), as in WordPress. */

interface Moment {
  /** Local time of the site, represented as UTC. */
  readonly date: Date
  readonly language: string
  readonly timezone: string
}

type Writer = (moment: Moment) => string

/** `07` */
export const twoDigits = (number: number) => String(number).padStart(2, '0')
const hours12 = (date: Date) => date.getUTCHours() % 12 || 12
const DAY = 86_400_000

const WRITERS: Readonly<Record<string, Writer>> = {
  d: ({ date }) => twoDigits(date.getUTCDate()),
  D: weekday('short'),
  j: ({ date }) => String(date.getUTCDate()),
  l: weekday('long'),
  N: ({ date }) => String(date.getUTCDay() || 7),
  S: ({ date }) => ordinalSuffix(date.getUTCDate()),
  w: ({ date }) => String(date.getUTCDay()),
  z: ({ date }) => String(dayOfYear(date)),
  W: ({ date }) => twoDigits(isoWeek(date).week),
  o: ({ date }) => String(isoWeek(date).year),
  F: month('long'),
  m: ({ date }) => twoDigits(date.getUTCMonth() + 1),
  M: month('short'),
  n: ({ date }) => String(date.getUTCMonth() + 1),
  t: ({ date }) => String(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()),
  L: ({ date }) => (new Date(Date.UTC(date.getUTCFullYear(), 1, 29)).getUTCDate() === 29 ? '1' : '0'),
  Y: ({ date }) => String(date.getUTCFullYear()).padStart(4, '0'),
  y: ({ date }) => twoDigits(date.getUTCFullYear() % 100),
  a: ({ date }) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: ({ date }) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: ({ date }) => String(hours12(date)),
  G: ({ date }) => String(date.getUTCHours()),
  h: ({ date }) => twoDigits(hours12(date)),
  H: ({ date }) => twoDigits(date.getUTCHours()),
  i: ({ date }) => twoDigits(date.getUTCMinutes()),
  s: ({ date }) => twoDigits(date.getUTCSeconds()),
  e: ({ timezone }) => timezone,
  T: ({ timezone }) => timezone,
  O: (moment) => offset(moment).replace(':', ''),
  P: (moment) => offset(moment),
  c: ({ date, ...rest }) => date.toISOString().slice(0, 19) + offset({ date, ...rest }),
}

const formats = new Map<string, readonly (string | Writer)[]>()

/**
 * Formats a date: `formatDate('2026-01-05T08:00:00', 'F j, Y', …)` → `January 5, 2026`.
 * @param local site time, `YYYY-MM-DDTHH:MM:SS`
 * @param timezone IANA name; empty for UTC
 */
export function formatDate(local: string, format: string, site: { language: string; timezone: string }): string {
  const date = new Date(`${local}Z`)
  if (Number.isNaN(date.getTime())) return ''
  const moment = { date, language: toLanguage(site.language), timezone: site.timezone || 'UTC' }
  let text = ''
  for (const part of compile(format)) text += typeof part === 'string' ? part : part(moment)
  return text
}

/** Compiled formats are cached; there are only those in the settings. */
function compile(format: string): readonly (string | Writer)[] {
  const known = formats.get(format)
  if (known) return known
  const parts: (string | Writer)[] = []
  const characters = [...format]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '\\') parts.push(characters[++at] ?? '')
    else parts.push(Object.hasOwn(WRITERS, character) ? (WRITERS[character] ?? character) : character)
  }
  if (formats.size < 100) formats.set(format, parts)
  return parts
}

function weekday(width: 'short' | 'long'): Writer {
  // The first of October 2023 was a Sunday.
  const write = names({ weekday: width }, 'weekday', (day) => new Date(Date.UTC(2023, 9, 1 + day)))
  return ({ date, language }) => write(language, date.getUTCDay())
}

/** In the form used next to a day: Russian `января`, not `январь`. */
function month(width: 'short' | 'long'): Writer {
  const write = names({ month: width, day: 'numeric' }, 'month', (index) => new Date(Date.UTC(2023, index, 1)))
  return ({ date, language }) => write(language, date.getUTCMonth())
}

/** Names in a language by number, cached from `Intl`. */
function names(options: Intl.DateTimeFormatOptions, part: 'weekday' | 'month', example: (number: number) => Date) {
  const known = new Map<string, Map<number, string>>()
  return (language: string, number: number): string => {
    const ofLanguage = known.get(language) ?? new Map<number, string>()
    known.set(language, ofLanguage)
    let name = ofLanguage.get(number)
    if (name === undefined) {
      const parts = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).formatToParts(example(number))
      name = parts.find(({ type }) => type === part)?.value ?? ''
      ofLanguage.set(number, name)
    }
    return name
  }
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY)
}

/** ISO 8601: the week with the year's first Thursday is week 1. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY)
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}

/** `+02:00`: UTC offset of the zone at that time. */
function offset({ date, timezone }: Moment): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(date)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', '') || '+00:00'
}
