import { toGmt } from '../../core/database/gmt.ts'
import { RestError } from '../../core/errors.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The current time as stored in tables: UTC, `YYYY-MM-DD HH:MM:SS`. */
export function gmtNow(): string {
  return toGmt(Date.now())
}

/** Site time of a UTC time, both `YYYY-MM-DD HH:MM:SS`. `timezone` is an IANA name; empty is UTC. */
export function gmtToSite(gmt: string, timezone: string): string {
  const at = parse(gmt)
  return toGmt(at + offsetAt(at, timezone))
}

/** UTC of a site time. A time that the change to summer time skips is read as if it had not changed yet, as PHP does. */
export function siteToGmt(local: string, timezone: string): string {
  const wanted = parse(local)
  const guess = wanted - offsetAt(wanted, timezone)
  return toGmt(wanted - offsetAt(guess, timezone))
}

/** Converts any accepted format of a time to the stored one. Seconds are optional; WordPress's zero date counts as missing. */
export function readTime(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '' || value.startsWith('0000-00-00')) return undefined
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?$/.exec(value)
  const text = match ? `${match[1]} ${match[2]}${match[3] ?? ':00'}` : ''
  if (text === '' || Number.isNaN(parse(text)) || toGmt(parse(text)) !== text)
    throw new RestError('rest_invalid_param', `Invalid parameter(s): ${name}`, {
      status: 400,
      params: { [name]: `${name} is not a date: YYYY-MM-DDTHH:MM:SS.` },
    })
  return text
}

function offsetAt(at: number, timezone: string): number {
  if (timezone === '' || timezone === 'UTC') return 0
  let formatter = formatters.get(timezone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timezone, formatter)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of formatter.formatToParts(at)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - at
}

const parse = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
