/**
 * Number of decimal digits of a price: 2 for EUR, 0 for JPY.
 * @param currency ISO 4217
 */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * Formats a price: `1290` and `EUR` are `€12.90` in English, `12,90 €` in German.
 * @param price in the smallest currency unit
 * @param currency ISO 4217
 * @param language a BCP 47 tag, as returned by `toLanguage`
 */
export function formatPrice(price: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(price / 10 ** fractionDigits(currency))
}
