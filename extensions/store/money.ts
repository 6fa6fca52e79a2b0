import { type ExtensionHost, formatPrice, toLanguage } from 'pentad'

/** Formats prices: `1290` and `EUR` become `€12.90`, on a German site `12,90 €`. */
export type FormatPrice = (price: number, currency: string) => string

/** Takes minor units and an ISO 4217 code; uses the language of the site. */
export function createPriceFormat({ content }: Pick<ExtensionHost, 'content'>): FormatPrice {
  return (price, currency) => formatPrice(price, currency, toLanguage(content.siteSettings().language))
}
