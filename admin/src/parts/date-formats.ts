/** PHP date formats, as WordPress has them in its settings. */
interface DateFormats {
  readonly date_format: string
  readonly time_format: string
}

interface LocalizedSettings extends DateFormats {
  readonly language: string
}

/** The usual formats in a language: `j. F Y` and `H:i` in German. WordPress has them in its translations. @param locale - `de_DE`; English if it is invalid */
export function formatsOf(locale: string): DateFormats {
  const language = languageOf(locale)
  const options = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const
  const dates = new Intl.DateTimeFormat(language, { ...options, dateStyle: 'long' })
  const times = new Intl.DateTimeFormat(language, { ...options, timeStyle: 'short' })
  return {
    date_format: dates.formatToParts(0).map(formatOf).join(''),
    time_format: times.resolvedOptions().hour12 ? 'g:i a' : 'H:i',
  }
}

/** As BCP 47 tag. The setting accepts locales that `Intl` rejects; the site is in English then. */
function languageOf(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? 'en'
  } catch {
    return 'en'
  }
}

function formatOf({ type, value }: Intl.DateTimeFormatPart): string {
  if (type === 'day') return 'j'
  if (type === 'month') return /\d/.test(value) ? 'n' : 'F'
  if (type === 'year') return 'Y'
  // Letters of literals have a meaning in formats.
  return value.replace(/[a-zA-Z\\]/g, '\\$&')
}

/** What to change with the language: formats that are the usual ones of the language before become those of the new one. */
export function withLanguage(values: LocalizedSettings, language: string): Partial<LocalizedSettings> {
  const before = formatsOf(values.language)
  const after = formatsOf(language)
  return {
    language,
    ...(values.date_format === before.date_format && { date_format: after.date_format }),
    ...(values.time_format === before.time_format && { time_format: after.time_format }),
  }
}
