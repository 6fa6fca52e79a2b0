import { type ExtensionHost, escapeHtml, type Post } from 'pentad'
import type { Carts } from '../cart/carts.ts'
import { PRODUCT } from '../catalog/content-types.ts'
import { isAvailable, type Products, priceOf } from '../catalog/products.ts'
import type { FormatPrice } from '../money.ts'
import type { StoreSettings } from '../settings.ts'
import type { Item, Product } from '../types.ts'
import { addBelowContent } from './below-content.ts'
import type { Say } from './texts.ts'

/** Adds price and form to product pages, and the price to lists. */
export function showProducts(
  { hooks, rest }: Pick<ExtensionHost, 'hooks' | 'rest'>,
  parts: {
    settings: () => StoreSettings
    products: Products
    carts: Pick<Carts, 'path'>
    formatPrice: FormatPrice
    say: Say
  },
): void {
  const { settings, products, carts, formatPrice, say } = parts
  const money = (price: number) => formatPrice(price, settings().currency)

  const productOf = async (post: Post) => (await products.among([post])).get(post.id)

  addBelowContent(hooks, {
    className: 'store-buy',
    isFor: ({ type }) => type === PRODUCT,
    async render(_page, post) {
      const product = await productOf(post)
      return product ? priceTag(product) + (await form(product)) : ''
    },
  })

  hooks.addFilter('the_excerpt', async (html, post) => {
    const product = await productOf(post)
    return product ? priceTag(product) + html : html
  })

  function priceTag(product: Product): string {
    const price = priceOf(product)
    if (price === null) return ''
    const differs = product.items.some((item) => item.price !== price)
    const text = differs ? say('from', { price: money(price) }) : escapeHtml(money(price))
    return `<p class="store-price">${text}</p>`
  }

  async function form({ type, items }: Product): Promise<string> {
    if (items.length === 0 || (await carts.path()) === undefined) return ''
    if (!items.some((item) => isAvailable(item))) return `<p class="store-sold-out">${say('soldOut')}</p>`
    const [first] = items
    const what =
      type === 'variable'
        ? `<label>${say('choose')} <select name="id" required>${items.map(option).join('')}</select></label>`
        : `<input type="hidden" name="id" value="${first?.id}">`
    // A path, so that it works under every host name of the site.
    const action = new URL(rest.url('/store/v1/cart/add')).pathname
    return `<form method="post" action="${action}">${what}
<label>${say('quantity')} <input type="number" name="quantity" value="1" min="1" max="999" required></label>
<button type="submit">${say('add')}</button></form>`
  }

  function option(item: Item): string {
    const isThere = isAvailable(item)
    const text = say(isThere ? 'option' : 'optionSoldOut', { option: item.label, price: money(item.price) })
    return `<option value="${item.id}"${isThere ? '' : ' disabled'}>${text}</option>`
  }
}
