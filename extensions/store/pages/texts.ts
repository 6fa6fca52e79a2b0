import { type ExtensionHost, escapeHtml, filteredTexts } from 'pentad'
import '../hooks.ts'

/** What customers read; `{price}` and the like are filled in. */
const TEXTS = {
  from: 'From {price}',
  choose: 'Choose',
  quantity: 'Quantity',
  add: 'Add to cart',
  soldOut: 'Sold out',
  option: '{option}, {price}',
  optionSoldOut: '{option}, {price}, sold out',
  cart: 'Your cart',
  empty: 'There is nothing in your cart.',
  product: 'Product',
  price: 'Price',
  total: 'Total',
  tooFew: 'Not enough in stock',
  quantityOf: 'Quantity of {product}',
  change: 'Change',
  remove: 'Remove',
  removeProduct: 'Remove {product}',
  order: 'Order',
  noPayment: 'You pay nothing now: we get your order by mail and answer you.',
  name: 'Name',
  email: 'E-mail',
  message: 'Address and message',
  send: 'Send the order',
  ordered: 'Thank you. Your order {number} has been sent; we will answer you by e-mail.',
  notSold: 'This product is not sold any more.',
  chooseOne: 'Choose which one you want on the page of the product.',
  notEnough: 'There are not enough of this in stock.',
  cartFull: 'Your cart is full.',
  cartEmpty: 'There is nothing in your cart. If you sent the order twice, it was sent once.',
  cartChanged: 'Your cart or a price has changed. Please look at it again before you order.',
  tooOften: 'That was too often. Please try again later.',
}

export type StoreTextName = keyof typeof TEXTS
export type StoreTexts = Readonly<Record<StoreTextName, string>>

/** A text as HTML, with these values filled in. */
export type Say = (name: StoreTextName, values?: Readonly<Record<string, string>>) => string

/** What the shop says to customers, as extensions want it (`store_texts`). */
export function createTexts({ hooks }: Pick<ExtensionHost, 'hooks'>): Say {
  return (name, values = {}) => {
    const text = filteredTexts(TEXTS, hooks.applyFilters('store_texts', TEXTS))[name]
    return escapeHtml(text).replace(/\{(\w+)\}/g, (place, value) => escapeHtml(values[value] ?? place))
  }
}
