import { readCookie } from '../http/cookie.ts'
import { REMEMBERED_LIFETIME } from './sessions.ts'
import type { SignedIn } from './types.ts'

/** The cookie that contains the session token. */
export interface SessionCookie {
  readonly name: string
  /** The token in a `Cookie` header. */
  read(header: string | undefined): string | undefined
  /** `Set-Cookie` value: until the browser closes, or with `remember` for the session's lifetime; `null` deletes the cookie. */
  write(signedIn: SignedIn | null, remember?: boolean): string
}

/**
 * With an https URL, the name begins with `__Host-`, so that other hosts of the domain cannot set it (RFC 6265bis, 4.1.3.2).
 *
 * @param url - The site's public URL.
 */
export function createSessionCookie(url: string): SessionCookie {
  const isSecure = url.startsWith('https:')
  const name = isSecure ? '__Host-pentad_session' : 'pentad_session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    name,
    read: (header) => readCookie(header, name),
    write(signedIn, remember = false) {
      if (!signedIn) return `${name}=; ${attributes}; Max-Age=0`
      const age = remember ? `; Max-Age=${REMEMBERED_LIFETIME / 1000}` : ''
      return `${name}=${signedIn.token}; ${attributes}${age}`
    },
  }
}
