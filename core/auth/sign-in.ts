import { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import type { AuthAdditions } from './additions.ts'
import type { Authenticate } from './authenticate.ts'
import type { HostAuth } from './host-auth.ts'
import { namedUser } from './named-user.ts'
import type { SessionStore } from './sessions.ts'
import type { CoreAuth, SignIn, User, Users } from './types.ts'

interface Parts {
  readonly authenticate: Authenticate
  readonly sessions: SessionStore
  readonly hooks: Hooks
  readonly recordSecurityEvent: HostAuth['recordSecurityEvent']
  readonly users: Pick<Users, 'get' | 'getByLogin' | 'getByEmail'>
  readonly added: () => Pick<AuthAdditions, 'checkSecondFactor'>
}

/** Login and logout (WordPress's `wp_signon` and `wp_logout`). */
export function createSignIn(parts: Parts): Pick<CoreAuth, 'signIn' | 'startSession' | 'signOut'> {
  const { authenticate, sessions, hooks, recordSecurityEvent, users, added } = parts
  async function startSession(user: User, client: Pick<SignIn, 'address' | 'userAgent' | 'remember'>) {
    const signedIn = await sessions.start(user, client)
    await recordSecurityEvent('sign_in', { user, client })
    await hooks.doActionAsync('wp_login', user.login, user)
    return signedIn
  }

  return {
    startSession,
    async signIn(credentials) {
      // Pasted names often end with a space; login names never do.
      const given = { ...credentials, login: credentials.login.trim() }
      const user = await authenticate(given).catch(async (error: unknown) => {
        if (!(error instanceof RestError)) throw error
        const event = error.status === 429 ? 'sign_in_blocked' : 'sign_in_failed'
        // The user is recorded rather than the entered name, which may be a password typed in the wrong field.
        const { address, userAgent } = given
        await recordSecurityEvent(event, { user: await namedUser(users, given.login), client: { address, userAgent } })
        await hooks.doActionAsync('wp_login_failed', given.login, error)
        throw error
      })
      await added().checkSecondFactor?.(user, given)
      return startSession(user, given)
    },
    async signOut(session) {
      await sessions.end(session.userId, session.id)
      await recordSecurityEvent('sign_out', { user: await users.get(session.userId) })
      await hooks.doActionAsync('wp_logout', session.userId)
    },
  }
}
