import type { Hooks } from '../hooks/types.ts'
import type { HostAuth } from './host-auth.ts'
import type { SessionStore } from './sessions.ts'
import type { CoreAuth, Users } from './types.ts'

interface Parts {
  readonly sessions: SessionStore
  readonly hooks: Hooks
  readonly recordSecurityEvent: HostAuth['recordSecurityEvent']
  readonly users: Pick<Users, 'get'>
}

/** Starts and ends sessions, with their security events and hooks (WordPress's `wp_set_auth_cookie` and `wp_logout`). */
export function createSessionActions(parts: Parts): Pick<CoreAuth, 'startSession' | 'signOut'> {
  const { sessions, hooks, recordSecurityEvent, users } = parts
  return {
    async startSession(user, client) {
      const signedIn = await sessions.start(user, client)
      await recordSecurityEvent('sign_in', { user, client })
      await hooks.doActionAsync('wp_login', user.login, user)
      return signedIn
    },
    async signOut(session) {
      await sessions.end(session.userId, session.id)
      await recordSecurityEvent('sign_out', { user: await users.get(session.userId) })
      await hooks.doActionAsync('wp_logout', session.userId)
    },
  }
}
