/** `2,121` */
export const formatCount = (value: number): string => value.toLocaleString('en')

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `3 bytes`, `1.4 MB`: decimal units, as in file managers. @param language - BCP 47. */
export function formatBytes(bytes: number, language = 'en'): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const digits = power === 0 ? 0 : 1
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power],
    // “1 byte”, “2 bytes”: the short unit has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(bytes / 1000 ** power)
}
