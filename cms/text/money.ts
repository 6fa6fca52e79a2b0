/**
 * How many digits of a price in minor units come after the point: 2 for EUR, 0 for JPY.
 * @param currency ISO 4217
 */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * A price as people read it: `1290` and `EUR` are `€12.90` in English, `12,90 €` in German.
 * @param price in minor units of the currency
 * @param currency ISO 4217
 * @param language a tag such as `toLanguage` answers
 */
export function formatPrice(price: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(price / 10 ** fractionDigits(currency))
}
