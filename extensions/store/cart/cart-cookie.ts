import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ExtensionHost, readCookie } from 'pentad'

/** Requests with this cookie bypass the page cache. */
const NAME = 'store_cart'
/** Lifetime of a cart after its last change, in seconds. */
export const CART_LIFETIME = 30 * 24 * 60 * 60

/** Identifies the cart of a visitor by a random ID in a signed cookie. */
export interface CartCookie {
  /** The ID in a `Cookie` header; `undefined` if there is no valid one. */
  read(header: string | undefined): string | undefined
  /** A new id. */
  create(): string
  /** A value of `Set-Cookie`; `null` deletes the cookie. */
  write(cartId: string | null): string
}

export function createCartCookie({ site }: Pick<ExtensionHost, 'site'>): CartCookie {
  const key = site.key('cart')
  const signatureOf = (id: string) => createHmac('sha256', key).update(id).digest('base64url')
  const secure = site.url.startsWith('https:') ? '; Secure' : ''

  return {
    read(header) {
      const [id = '', signature = ''] = readCookie(header, NAME)?.split('.') ?? []
      const expected = Buffer.from(signatureOf(id))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined
    },
    create: () => randomBytes(16).toString('base64url'),
    write(cartId) {
      const value = cartId === null ? '' : `${cartId}.${signatureOf(cartId)}`
      const age = cartId === null ? 0 : CART_LIFETIME
      return `${NAME}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`
    },
  }
}
