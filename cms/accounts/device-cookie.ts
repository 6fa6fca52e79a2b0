import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { User } from '../../core/auth/types.ts'
import { readCookie } from '../../core/http/cookie.ts'

/** Seconds that a browser is known by it; browsers keep no cookie longer (RFC 6265bis, 5.6.3). */
const LIFETIME = 400 * 24 * 60 * 60
/** Only the log-in page needs it: on other pages it would keep caches from answering. */
const PATH = '/wp-login.php'
const FORM = /^(?<payload>(?<user>[1-9]\d{0,15})\.(?<nonce>[\w-]{22}))\.(?<signature>[\w-]{43})$/

/** The cookie by which a browser is known in which a user has logged in before. */
export interface DeviceCookie {
  /** Who has logged in with the browser, and what it is known by. */
  read(header: string | undefined): { readonly userId: number; readonly nonce: string } | undefined
  /** `Set-Cookie` after a log-in. */
  write(user: Pick<User, 'id'>): string
}

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): who has one for a user is not held up
 * by strangers' attempts to log in. It is no session: it gives nothing but a limit of its own for guesses.
 *
 * @param url - The site's public URL.
 */
export function createDeviceCookie(url: string, key: Buffer): DeviceCookie {
  const secret = createSecretKey(key)
  const isSecure = url.startsWith('https:')
  const name = isSecure ? '__Secure-pentad_device' : 'pentad_device'
  const attributes = `Path=${PATH}; Max-Age=${LIFETIME}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const sign = (payload: string) => createHmac('sha256', secret).update(payload).digest()

  return {
    read(header) {
      const found = FORM.exec(readCookie(header, name) ?? '')?.groups
      if (!found) return undefined
      const { payload = '', user, nonce = '', signature = '' } = found
      const given = Buffer.from(signature, 'base64url')
      const wanted = sign(payload)
      const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
      return isOurs ? { userId: Number(user), nonce } : undefined
    },
    write({ id }) {
      const payload = `${id}.${randomBytes(16).toString('base64url')}`
      return `${name}=${payload}.${sign(payload).toString('base64url')}; ${attributes}`
    },
  }
}
