/** What the cart page says after a form; only these, so that no address can put words into the shop's mouth. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['product_not_found', 'This product is not sold any more.'],
  ['store_not_purchasable', 'Choose which one you want on the page of the product.'],
  ['store_out_of_stock', 'There are not enough of this in stock.'],
  ['store_cart_full', 'Your cart is full.'],
  ['store_cart_empty', 'There is nothing in your cart. If you sent the order twice, it was sent once.'],
  ['store_cart_changed', 'Your cart or a price has changed. Please look at it again before you order.'],
  ['rest_too_many_requests', 'That was too often. Please try again later.'],
])

/** With the number of the order. */
const ORDERED = /^ordered-(\d{1,10})$/

/** @param code a refusal, or `ordered-12` */
export function noticeHtml(code: string | null): string {
  const number = ORDERED.exec(code ?? '')?.[1]
  const thanks = number && `Thank you. Your order ${number} has been sent; we will answer you by e-mail.`
  const text = thanks ?? NOTICES.get(code ?? '')
  return text === undefined ? '' : `<p class="store-notice" role="status">${text}</p>`
}
