import { randomBytes } from 'node:crypto'
import type { User } from '../../core/auth/types.ts'
import { readCookie } from '../../core/http/cookie.ts'
import { createSigner } from './signer.ts'

/** Lifetime of the cookie in seconds: the maximum that browsers allow (RFC 6265bis, 5.6.3). */
const LIFETIME = 400 * 24 * 60 * 60
/** Only the login page needs it; on other pages it would prevent caching. */
const PATH = '/wp-login.php'
const FORM = /^(?<user>[1-9]\d{0,15})\.(?<nonce>[\w-]{22})$/

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
  const { sign, verify } = createSigner(key)
  const isSecure = url.startsWith('https:')
  const name = isSecure ? '__Secure-pentad_device' : 'pentad_device'
  const attributes = `Path=${PATH}; Max-Age=${LIFETIME}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

  return {
    read(header) {
      const found = FORM.exec(verify(readCookie(header, name) ?? '') ?? '')?.groups
      return found && { userId: Number(found.user), nonce: found.nonce ?? '' }
    },
    write({ id }) {
      return `${name}=${sign(`${id}.${randomBytes(16).toString('base64url')}`)}; ${attributes}`
    },
  }
}
