import type { Logger } from '../log.ts'
import type { AuthAdditions } from './additions.ts'
import type { Nonces } from './nonces.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionStore } from './sessions.ts'
import type { CoreAuth, Identity } from './types.ts'

/** An anonymous visitor. */
export const ANONYMOUS: Identity = Object.freeze({
  user: null,
  via: 'nobody',
  session: null,
  applicationPassword: null,
  freshNonce: null,
})

interface Parts {
  readonly sessions: SessionStore
  readonly cookie: SessionCookie
  readonly nonces: Nonces
  readonly added: () => Pick<AuthAdditions, 'authenticateRequest'>
  readonly log: Logger
}

/** Identifies the user of a request by WordPress's rules (`rest_cookie_check_errors`). */
export function createIdentify(parts: Parts): Pick<CoreAuth, 'identifyRest' | 'identifyPage'> {
  const { sessions, cookie, nonces, added, log } = parts
  async function bySession(header: string | undefined): Promise<Identity> {
    const token = cookie.read(header)
    const open = token === undefined ? undefined : await sessions.find(token)
    return open
      ? { user: open.user, via: 'session', session: open.session, applicationPassword: null, freshNonce: null }
      : ANONYMOUS
  }

  async function byNonce(nonce: string, header: string | undefined): Promise<Identity> {
    const identity = await bySession(header)
    return { ...identity, freshNonce: nonces.renewRest(nonce, identity) }
  }

  return {
    async identifyRest({ authorization, nonce, cookie: header, address }) {
      const identity = authorization && (await added().authenticateRequest?.(authorization, address))
      if (identity) return identity
      // Without a nonce, a session is ignored, so it need not be looked up.
      return nonce === undefined ? ANONYMOUS : byNonce(nonce, header)
    },
    async identifyPage({ cookie: header }) {
      try {
        return await bySession(header)
      } catch (error) {
        log.error({ err: error }, 'page authentication failed')
        return ANONYMOUS
      }
    },
  }
}
