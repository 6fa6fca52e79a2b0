import { checkSignInQueue } from '../../core/auth/sign-in-queue.ts'
import type { Session, User, Users } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { createSemaphore } from '../../core/threads/semaphore.ts'
import type { DeviceCookie } from './device-cookie.ts'
import './hooks.ts'
import type { SharedSignInLimit } from './shared-sign-in-limit.ts'
import { type SignInLimit, userKey } from './sign-in-limit.ts'
import type { SignIn } from './types.ts'

/** Maximum number of concurrent password checks; same as in `core/auth/password-hash.ts`. */
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
  /** Set if the site has several nodes. */
  readonly shared: SharedSignInLimit | undefined
  readonly deviceCookie: Pick<DeviceCookie, 'read'>
  readonly hooks: Hooks
}

/** Used for both the login form and password confirmation, so that failures at either count toward the same limit. */
export function createAuthenticate({ users, limit, shared, deviceCookie, hooks }: Parts): Authenticate {
  const limitConcurrency = createSemaphore(CHECKS_AT_ONCE, checkSignInQueue)

  return async ({ login, password, address, cookie, session }) => {
    const who = await limit.keyOf(login)
    const known = deviceCookie.read(cookie)
    const device = session?.id ?? (known && userKey(known.userId) === who ? known.nonce : undefined)
    limit.check(who, address, device)
    return limitConcurrency(async () => {
      limit.check(who, address, device)
      // Counted before the result is known, so that concurrent attempts count too.
      const uncount = limit.fail(who, address, device)
      const uncountShared = await shared?.count({ who, address, device })
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
