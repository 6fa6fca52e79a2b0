/** Texts for customers, with placeholders such as `{price}`. */
export const TEXTS = {
  from: 'From {price}',
  choose: 'Choose an option',
  quantity: 'Quantity',
  add: 'Add to cart',
  soldOut: 'Out of stock',
  option: '{option}, {price}',
  optionSoldOut: '{option}, {price}, out of stock',
  cart: 'Your cart',
  empty: 'Your cart is empty.',
  product: 'Product',
  price: 'Price',
  total: 'Total',
  tooFew: 'Insufficient stock',
  quantityOf: 'Quantity of {product}',
  change: 'Update',
  remove: 'Remove',
  removeProduct: 'Remove {product}',
  order: 'Checkout',
  noPayment:
    'No payment is required now. We will receive your order by email and reply to arrange payment and delivery.',
  name: 'Name',
  email: 'Email',
  message: 'Delivery address and notes',
  send: 'Place order',
  ordered: 'Thank you. Your order {number} has been received. We will get back to you by email.',
  notSold: 'This product is no longer available.',
  chooseOne: 'Please choose an option on the product page.',
  notEnough: 'We don’t have enough of this product in stock.',
  cartFull: 'Your cart is full.',
  cartEmpty: 'Your cart is empty. If you clicked “Place order” twice, we received your order only once.',
  cartChanged: 'Your cart or a price has changed. Please review your cart before you place the order.',
  tooOften: 'Too many attempts. Please try again later.',
}

export type StoreTextName = keyof typeof TEXTS
export type StoreTexts = Readonly<Record<StoreTextName, string>>
