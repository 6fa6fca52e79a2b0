import { toLanguage } from '../text/language.ts'

/** PHP date formats, as WordPress has them in its settings. */
interface DateFormats {
  readonly dateFormat: string
  readonly timeFormat: string
}

interface LocalizedFormats extends DateFormats {
  readonly language: string
}

/** The usual formats in a language: `j. F Y` and `H:i` in German. WordPress has them in its translations. @param locale - `de_DE` */
export function formatsOf(locale: string): DateFormats {
  const language = toLanguage(locale)
  const options = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const
  const dates = new Intl.DateTimeFormat(language, { ...options, dateStyle: 'long' })
  const times = new Intl.DateTimeFormat(language, { ...options, timeStyle: 'short' })
  return {
    dateFormat: dates.formatToParts(0).map(formatOf).join(''),
    timeFormat: times.resolvedOptions().hour12 ? 'g:i a' : 'H:i',
  }
}

function formatOf({ type, value }: Intl.DateTimeFormatPart): string {
  if (type === 'day') return 'j'
  if (type === 'month') return /\d/.test(value) ? 'n' : 'F'
  if (type === 'year') return 'Y'
  // Letters of literals have a meaning in formats.
  return value.replace(/[a-zA-Z\\]/g, '\\$&')
}

/** The formats that change with the language: those that are the usual ones of the language before become those of the new one. */
export function formatsWith(language: string, before: LocalizedFormats): Partial<DateFormats> {
  const usual = formatsOf(before.language)
  const { dateFormat, timeFormat } = formatsOf(language)
  return {
    ...(before.dateFormat === usual.dateFormat && { dateFormat }),
    ...(before.timeFormat === usual.timeFormat && { timeFormat }),
  }
}
