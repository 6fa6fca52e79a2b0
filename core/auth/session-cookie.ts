import { readCookie } from '../http/cookie.ts'
import { REMEMBERED_LIFETIME } from './sessions.ts'
import type { SignedIn } from './types.ts'

/** The cookie that holds the session's token. */
export interface SessionCookie {
  readonly name: string
  /** The token in a `Cookie` header. */
  read(header: string | undefined): string | undefined
  /** `Set-Cookie` that stores the session until the browser closes, or for the lifetime of a remembered one. */
  write(signedIn: SignedIn | null, remember?: boolean): string
}

/**
 * On https the name begins with `__Host-`, so that no other host of the domain can plant a session
 * (RFC 6265bis, 4.1.3.2).
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
