import type { StoreTextName } from './default-texts.ts'
import type { Say } from './texts.ts'

/** The notices of the cart page; a fixed list, so that a crafted URL cannot show other text. */
const NOTICES: ReadonlyMap<string, StoreTextName> = new Map([
  ['product_not_found', 'notSold'],
  ['store_not_purchasable', 'chooseOne'],
  ['store_out_of_stock', 'notEnough'],
  ['store_cart_full', 'cartFull'],
  ['store_cart_empty', 'cartEmpty'],
  ['store_cart_changed', 'cartChanged'],
  ['rest_too_many_requests', 'tooOften'],
])

/** With the order number. */
const ORDERED = /^ordered-(\d{1,10})$/

/** @param code an error code, or `ordered-12` */
export function noticeHtml(code: string | null, say: Say): string {
  const number = ORDERED.exec(code ?? '')?.[1]
  const name = number === undefined ? NOTICES.get(code ?? '') : 'ordered'
  return name === undefined ? '' : `<p class="store-notice" role="status">${say(name, { number: number ?? '' })}</p>`
}
