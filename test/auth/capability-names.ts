import type { PostTypeCapabilities } from 'pentad'

/** The capabilities that tests add. */
declare module 'pentad' {
  interface Capabilities extends PostTypeCapabilities<'book', 'books'> {
    ship_products: true
    lead_tours: true
  }
}
