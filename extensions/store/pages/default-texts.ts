import type { ExtensionHost } from 'pentad'

/** Texts for customers in the language of the site, with placeholders such as `{price}`. */
export const defaultTexts = ({ __ }: Pick<ExtensionHost, '__'>) => ({
  from: __('From {price}', 'store'),
  choose: __('Choose an option', 'store'),
  quantity: __('Quantity', 'store'),
  add: __('Add to cart', 'store'),
  soldOut: __('Out of stock', 'store'),
  option: __('{option}, {price}', 'store'),
  optionSoldOut: __('{option}, {price}, out of stock', 'store'),
  cart: __('Your cart', 'store'),
  empty: __('Your cart is empty.', 'store'),
  product: __('Product', 'store'),
  price: __('Price', 'store'),
  total: __('Total', 'store'),
  tooFew: __('Insufficient stock', 'store'),
  quantityOf: __('Quantity of {product}', 'store'),
  change: __('Update', 'store'),
  remove: __('Remove', 'store'),
  removeProduct: __('Remove {product}', 'store'),
  order: __('Checkout', 'store'),
  noPayment: __(
    'No payment is required now. We will receive your order by email and reply to arrange payment and delivery.',
    'store',
  ),
  name: __('Name', 'store'),
  email: __('Email', 'store'),
  message: __('Delivery address and notes', 'store'),
  send: __('Place order', 'store'),
  ordered: __('Thank you. Your order {number} has been received. We will get back to you by email.', 'store'),
  notSold: __('This product is no longer available.', 'store'),
  chooseOne: __('Please choose an option on the product page.', 'store'),
  notEnough: __('We don’t have enough of this product in stock.', 'store'),
  cartFull: __('Your cart is full.', 'store'),
  cartEmpty: __('Your cart is empty. If you clicked “Place order” twice, we received your order only once.', 'store'),
  cartChanged: __('Your cart or a price has changed. Please review your cart before you place the order.', 'store'),
  tooOften: __('Too many attempts. Please try again later.', 'store'),
})

export type StoreTextName = keyof ReturnType<typeof defaultTexts>
export type StoreTexts = Readonly<Record<StoreTextName, string>>
