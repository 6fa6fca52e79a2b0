import type { Auth, CoreAuth, User, Users } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Authenticate } from './authenticate.ts'
import { namedUser } from './named-user.ts'
import type { SecurityLog, SignIn } from './types.ts'

interface Parts {
  readonly authenticate: Authenticate
  /** @throws RestError 401 if the login requires a second step */
  readonly checkSecondFactor: (user: User, login: Pick<SignIn, 'remember'>) => Promise<void>
  readonly startSession: CoreAuth['startSession']
  readonly users: Pick<Users, 'getByLogin' | 'getByEmail'>
  readonly hooks: Hooks
  readonly securityLog: Pick<SecurityLog, 'record'>
}

/** Login by name and password (WordPress's `wp_signon`). */
export function createSignIn(parts: Parts): Auth['signIn'] {
  const { authenticate, checkSecondFactor, startSession, users, hooks, securityLog } = parts
  return async (credentials) => {
    // Pasted names often end with a space; login names never do.
    const given = { ...credentials, login: credentials.login.trim() }
    const user = await authenticate(given).catch(async (error: unknown) => {
      if (!(error instanceof RestError)) throw error
      const event = error.status === 429 ? 'sign_in_blocked' : 'sign_in_failed'
      // The user is recorded rather than the entered name, which may be a password typed in the wrong field.
      const { address, userAgent } = given
      await securityLog.record(event, { user: await namedUser(users, given.login), client: { address, userAgent } })
      await hooks.doActionAsync('wp_login_failed', given.login, error)
      throw error
    })
    await checkSecondFactor(user, given)
    return startSession(user, given)
  }
}
