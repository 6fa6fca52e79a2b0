import { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { createTurns } from '../turns.ts'
import type { SessionStore } from './sessions.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import { checkSignInQueue } from './sign-in-queue.ts'
import type { Session, SignedIn, SignIn, User, Users } from './types.ts'

/** Sign-ins checked at a time; as many as passwords are hashed. */
const CHECKS_AT_ONCE = 2

interface Parts {
  readonly users: Pick<Users, 'checkPassword'>
  readonly sessions: SessionStore
  readonly limit: SignInLimit
  readonly hooks: Hooks
}

/** Signing in with name and password, and out (WordPress's `wp_signon` and `wp_logout`). */
export function createSignIn({ users, sessions, limit, hooks }: Parts): {
  signIn(credentials: SignIn): Promise<SignedIn>
  startSession(user: User, client: Pick<SignIn, 'address' | 'userAgent' | 'remember'>): Promise<SignedIn>
  signOut(session: Session): Promise<void>
} {
  const withTurn = createTurns(CHECKS_AT_ONCE, checkSignInQueue)

  async function authenticate({ login, password, address }: SignIn): Promise<User> {
    const who = await limit.who(login)
    limit.check(who, address)
    return withTurn(async () => {
      limit.check(who, address)
      // Counted before the answer is known, so that guesses sent at the same time count too.
      const forgive = limit.fail(who, address)
      const checked = (await users.checkPassword(login, password)) ?? null
      const user = await hooks.applyFiltersAsync('authenticate', checked, login, password)
      if (!user) throw incorrectPassword()
      forgive()
      limit.trust(who, address)
      return user
    })
  }

  async function startSession(user: User, client: Pick<SignIn, 'address' | 'userAgent' | 'remember'>) {
    const signedIn = await sessions.start(user, client)
    await hooks.doActionAsync('wp_login', user.login, user)
    return signedIn
  }

  return {
    startSession,
    async signIn(credentials) {
      // What people paste often ends in a space, and no name does.
      const given = { ...credentials, login: credentials.login.trim() }
      try {
        return await startSession(await authenticate(given), given)
      } catch (error) {
        if (error instanceof RestError) await hooks.doActionAsync('wp_login_failed', given.login, error)
        throw error
      }
    },
    async signOut(session) {
      await sessions.end(session.userId, session.id)
      await hooks.doActionAsync('wp_logout', session.userId)
    },
  }
}

/** The same for an unknown name and a wrong password: names are not confirmed to strangers (contract 1). */
function incorrectPassword(): RestError {
  return new RestError('incorrect_password', 'The user name or the password is incorrect.', { status: 401 })
}
