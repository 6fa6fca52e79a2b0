import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { User } from '../../core/auth/types.ts'
import { readCookie } from '../../core/http/cookie.ts'

/** Lifetime of the cookie in seconds: the maximum that browsers allow (RFC 6265bis, 5.6.3). */
const LIFETIME = 400 * 24 * 60 * 60
/** Only the login page needs it; on other pages it would prevent caching. */
const PATH = '/wp-login.php'
const FORM = /^(?<payload>(?<user>[1-9]\d{0,15})\.(?<nonce>[\w-]{22}))\.(?<signature>[\w-]{43})$/

/** The cookie by which a browser is known in which a user has logged in before. */
export interface DeviceCookie {
  /** The user who has logged in with the browser, and the id of the device. */
  read(header: string | undefined): { readonly userId: number; readonly nonce: string } | undefined
  /** `Set-Cookie` after a log-in. */
  write(user: Pick<User, 'id'>): string
}

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): in a browser with a device cookie for a user, failed
 * logins from elsewhere do not lock out the user. It is not a session: its only effect is a separate limit for failed logins.
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
