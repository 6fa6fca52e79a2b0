/** Minor units of one unit of a currency: 100 for EUR, 1 for JPY (ISO 4217). */
function unitOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return 10 ** maximumFractionDigits
}

/**
 * A price as customers read it.
 * @param price in minor units: 1290
 * @param currency ISO 4217: `EUR`
 * @param language BCP 47: `de` makes it `12,90 €`
 */
export function formatPrice(price: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(price / unitOf(currency))
}
