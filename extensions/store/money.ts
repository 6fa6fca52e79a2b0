import { type ExtensionHost, formatPrice, toLanguage } from 'pentad'

/** Prices as customers read them: `1290` and `EUR` are `€12.90`, on a German site `12,90 €`. */
export type FormatPrice = (price: number, currency: string) => string

/** Minor units and codes of ISO 4217, in the language of the site. */
export function createPriceFormat({ content }: Pick<ExtensionHost, 'content'>): FormatPrice {
  return (price, currency) => formatPrice(price, currency, toLanguage(content.siteSettings().language))
}
