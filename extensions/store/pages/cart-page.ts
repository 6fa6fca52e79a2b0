import { type ExtensionHost, escapeHtml, type PageContext } from 'pentad'
import type { Carts } from '../cart/carts.ts'
import { isAvailable } from '../catalog/products.ts'
import { NOTICE } from '../form-route.ts'
import type { FormatPrice } from '../money.ts'
import type { StoreSettings } from '../settings.ts'
import type { Cart, CartLine } from '../types.ts'
import { addBelowContent } from './below-content.ts'
import { noticeHtml } from './notices.ts'
import type { Say } from './texts.ts'

/** Browsers accept `ada@localhost`, the route does not: validated in the browser, before input is lost. */
const EMAIL = String.raw`[^@\s]+@[^@\s]+\.[A-Za-z]{2,}`

/** Shows the cart below the content of the cart page, which is not cached. */
export function showCart(
  { hooks, rest }: Pick<ExtensionHost, 'hooks' | 'rest'>,
  parts: { settings: () => StoreSettings; carts: Carts; formatPrice: FormatPrice; say: Say },
): void {
  const { settings, carts, formatPrice, say } = parts
  const isCartPage = ({ post, status }: PageContext) => status === 200 && post?.id === settings().cartPage

  addBelowContent(hooks, {
    className: 'store-cart',
    // A preview of an unpublished page does not show the cart.
    isFor: ({ id, status }) => id === settings().cartPage && status === 'publish',
    async render({ request }) {
      return noticeHtml(request.query.get(NOTICE), say) + cartHtml(await carts.read(request))
    },
  })

  hooks.addFilter('wp_headers', (headers, page) =>
    isCartPage(page) ? { ...headers, 'Cache-Control': 'private, no-store' } : headers,
  )
  hooks.addFilter('wp_robots', (robots, page) => (isCartPage(page) ? { ...robots, noindex: true } : robots))

  const pathOf = (route: string) => new URL(rest.url(`/store/v1${route}`)).pathname
  const money = (price: number, currency: string) => escapeHtml(formatPrice(price, currency))

  function cartHtml(cart: Cart): string {
    if (cart.lines.length === 0) return `<p>${say('empty')}</p>`
    return `<table>
<caption class="screen-reader-text">${say('cart')}</caption>
<thead><tr><th scope="col">${say('product')}</th><th scope="col">${say('quantity')}</th><th scope="col">${say('price')}</th></tr></thead>
<tbody>${cart.lines.map((line) => row(line, cart.currency)).join('')}</tbody>
<tfoot><tr><th scope="row" colspan="2">${say('total')}</th><td>${money(cart.total, cart.currency)}</td></tr></tfoot>
</table>
${orderForm(cart)}`
  }

  function row({ item, quantity, total }: CartLine, currency: string): string {
    const name = escapeHtml(item.name)
    const warning = isAvailable(item, quantity) ? '' : `<br><strong>${say('tooFew')}</strong>`
    const form = `<form method="post" action="${pathOf('/cart/update')}"><input type="hidden" name="id" value="${item.id}">`
    return `<tr><td><a href="${escapeHtml(item.url)}">${name}</a>${warning}</td>
<td>${form}
<input type="number" name="quantity" value="${quantity}" min="0" max="999" required aria-label="${say('quantityOf', { product: item.name })}">
<button type="submit">${say('change')}</button></form>
${form}<input type="hidden" name="quantity" value="0"><button type="submit" class="store-remove" aria-label="${say('removeProduct', { product: item.name })}">${say('remove')}</button></form></td>
<td>${money(total, currency)}</td></tr>`
  }

  const orderForm = ({ total }: Cart) => `<form method="post" action="${pathOf('/orders')}" class="store-order">
<h2>${say('order')}</h2>
<p>${say('noPayment')}</p>
<input type="hidden" name="total" value="${total}">
<label>${say('name')} <input type="text" name="name" required pattern=".*\\S.*" maxlength="100" autocomplete="name"></label>
<label>${say('email')} <input type="email" name="email" required pattern="${EMAIL}" title="ada@example.org" maxlength="254" autocomplete="email"></label>
<label>${say('message')} <textarea name="message" rows="5" maxlength="5000" autocomplete="street-address"></textarea></label>
<button type="submit">${say('send')}</button></form>`
}
