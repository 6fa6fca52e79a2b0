import { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { createSemaphore } from '../threads/semaphore.ts'
import type { AuthAdditions } from './additions.ts'
import { type SignInLimit, userKey } from './sign-in-limit.ts'
import { checkSignInQueue } from './sign-in-queue.ts'
import type { Session, SignIn, User, Users } from './types.ts'

/** Maximum number of concurrent password checks; same as in `password-hash.ts`. */
const CHECKS_AT_ONCE = 2

/**
 * Authenticates a user by login or e-mail address and password (WordPress's `wp_authenticate`).
 *
 * @throws RestError 401 `incorrect_password`, 429 `rest_too_many_requests`, or what the `authenticate` filter throws
 */
export type Authenticate = (
  credentials: Pick<SignIn, 'login' | 'password' | 'address' | 'cookie'> & { readonly session?: Session },
) => Promise<User>

interface Parts {
  readonly users: Pick<Users, 'checkPassword'>
  readonly limit: SignInLimit
  readonly added: () => Pick<AuthAdditions, 'countAttempt' | 'knownDevice'>
  readonly hooks: Hooks
}

/** Used for both the login form and password confirmation, so that failures at either count toward the same limit. */
export function createAuthenticate({ users, limit, added, hooks }: Parts): Authenticate {
  const limitConcurrency = createSemaphore(CHECKS_AT_ONCE, checkSignInQueue)

  return async ({ login, password, address, cookie, session }) => {
    const who = await limit.keyOf(login)
    const known = added().knownDevice?.(cookie)
    const device = session?.id ?? (known && userKey(known.userId) === who ? known.nonce : undefined)
    limit.check(who, address, device)
    return limitConcurrency(async () => {
      limit.check(who, address, device)
      // Counted before the result is known, so that concurrent attempts count too.
      const uncount = limit.fail(who, address, device)
      const uncountShared = await added().countAttempt?.({ who, address, device })
      const checked = (await users.checkPassword(login, password)) ?? null
      const user = await hooks.applyFiltersAsync('authenticate', checked, login, password)
      // The same for an unknown name and a wrong password, so that user names cannot be enumerated.
      if (!user) throw new RestError('incorrect_password', 'The username or password is incorrect.', { status: 401 })
      uncount()
      await uncountShared?.()
      limit.trust(who, address)
      return user
    })
  }
}
