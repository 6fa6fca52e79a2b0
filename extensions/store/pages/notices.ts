import type { StoreTextName } from './default-texts.ts'
import type { Say } from './texts.ts'

/** What the cart page says after a form; only these, so that no address can put words into the shop's mouth. */
const NOTICES: ReadonlyMap<string, StoreTextName> = new Map([
  ['product_not_found', 'notSold'],
  ['store_not_purchasable', 'chooseOne'],
  ['store_out_of_stock', 'notEnough'],
  ['store_cart_full', 'cartFull'],
  ['store_cart_empty', 'cartEmpty'],
  ['store_cart_changed', 'cartChanged'],
  ['rest_too_many_requests', 'tooOften'],
])

/** With the number of the order. */
const ORDERED = /^ordered-(\d{1,10})$/

/** @param code a refusal, or `ordered-12` */
export function noticeHtml(code: string | null, say: Say): string {
  const number = ORDERED.exec(code ?? '')?.[1]
  const name = number === undefined ? NOTICES.get(code ?? '') : 'ordered'
  return name === undefined ? '' : `<p class="store-notice" role="status">${say(name, { number: number ?? '' })}</p>`
}
