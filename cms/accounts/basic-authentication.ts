import type { AuthAdditions } from '../../core/auth/additions.ts'
import type { Identity, Users } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { ApplicationPasswordStore } from './application-passwords.ts'
import './hooks.ts'
import { namedUser } from './named-user.ts'
import type { SharedSignInLimit } from './shared-sign-in-limit.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import type { SecurityEvent, SecurityLog } from './types.ts'

interface Parts {
  readonly applicationPasswords: ApplicationPasswordStore
  readonly limit: SignInLimit
  /** Set if the site has several nodes. */
  readonly shared: SharedSignInLimit | undefined
  readonly hooks: Hooks
  readonly users: Pick<Users, 'getByLogin' | 'getByEmail'>
  readonly securityLog: Pick<SecurityLog, 'record'>
}

/**
 * Recognizes requests by Basic credentials (RFC 7617) with an application password, as WordPress's
 * `wp_authenticate_application_password` does; but wrong credentials are rejected everywhere, also on public routes.
 */
export function createBasicAuthentication({
  applicationPasswords,
  limit,
  shared,
  hooks,
  users,
  securityLog,
}: Parts): NonNullable<AuthAdditions['authenticateRequest']> {
  /** Checks credentials that are not cached in the database, unless there were too many failures. */
  async function byPassword(login: string, password: string, address: string): Promise<Identity> {
    const who = await limit.keyOf(login)
    const note = async (event: SecurityEvent) => securityLog.record(event, { user: await namedUser(users, login) })
    // A client with cached credentials is not locked out by the failures of others; its credentials are still checked.
    if (!applicationPasswords.isKnown(login, password)) {
      try {
        limit.check(who, address)
        await shared?.check({ who, address })
      } catch (error) {
        await note('sign_in_blocked')
        throw error
      }
    }
    const identity = await applicationPasswords.authenticate(login, password, address)
    if (!identity) {
      limit.fail(who, address)
      await shared?.fail({ who, address })
      await note('application_password_failed')
      return reject()
    }
    limit.trust(who, address)
    await shared?.trust({ who, address })
    return identity
  }

  async function recordUse({ user, applicationPassword }: Identity): Promise<void> {
    if (!user || applicationPassword === null) return
    await hooks.doActionAsync('application_password_did_authenticate', user, applicationPassword)
  }

  async function reject(): Promise<never> {
    const message = 'The username or application password is incorrect.'
    const error = new RestError('incorrect_password', message, { status: 401 })
    await hooks.doActionAsync('application_password_failed_authentication', error)
    throw error
  }

  async function authenticate(authorization: string, address: string): Promise<Identity> {
    const given = parseBasic(authorization)
    if (!given) return reject()
    const { login, password } = given
    const identity =
      applicationPasswords.recall(login, password, address) ?? (await byPassword(login, password, address))
    if (hooks.hasAction('application_password_did_authenticate')) await recordUse(identity)
    return identity
  }

  return (authorization, address) => (isBasic(authorization) ? authenticate(authorization, address) : undefined)
}

function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization)
}

/** RFC 7617: the name ends at the first colon; UTF-8. */
function parseBasic(authorization: string): { login: string; password: string } | undefined {
  const text = Buffer.from(authorization.slice(6).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) }
}
