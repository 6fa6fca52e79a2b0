import { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import type { ApplicationPasswordStore } from './application-passwords.ts'
import { namedUser } from './named-user.ts'
import type { Nonces } from './nonces.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SessionStore } from './sessions.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import type { Credentials, Identity, SecurityEvent, SecurityLog, Users } from './types.ts'

/** The action of REST's nonces, WordPress's name. */
const REST_ACTION = 'wp_rest'

/** A visitor. */
export const NOBODY: Identity = Object.freeze({
  user: null,
  via: 'nobody',
  session: null,
  applicationPassword: null,
  freshNonce: null,
})

interface Parts {
  readonly applicationPasswords: ApplicationPasswordStore
  readonly sessions: SessionStore
  readonly cookie: SessionCookie
  readonly nonces: Nonces
  readonly limit: SignInLimit
  readonly hooks: Hooks
  readonly users: Pick<Users, 'getByLogin' | 'getByEmail'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly log: Logger
}

/**
 * Tells who sent a request, by WordPress's rules (`rest_cookie_check_errors`,
 * `wp_authenticate_application_password`) as recorded from it, with two differences that contract 1 decides: wrong
 * Basic credentials are refused everywhere, and a fresh nonce is given only for one in its second tick.
 */
export function createIdentify({
  applicationPasswords,
  sessions,
  cookie,
  nonces,
  limit,
  hooks,
  users,
  securityLog,
  log,
}: Parts): {
  identifyRest(credentials: Credentials): Promise<Identity>
  identifyPage(credentials: Credentials): Promise<Identity>
} {
  async function bySession(header: string | undefined): Promise<Identity> {
    const token = cookie.read(header)
    const open = token === undefined ? undefined : await sessions.find(token)
    return open
      ? { user: open.user, via: 'session', session: open.session, applicationPassword: null, freshNonce: null }
      : NOBODY
  }

  async function byNonce(nonce: string, header: string | undefined): Promise<Identity> {
    const identity = await bySession(header)
    if (!nonces.verify(nonce, REST_ACTION, identity))
      throw new RestError('rest_cookie_invalid_nonce', 'Cookie check failed', { status: 403 })
    return { ...identity, freshNonce: nonces.create(REST_ACTION, identity) }
  }

  /** Not in memory: asks the database, unless too many others have just been wrong. */
  async function byPassword(login: string, password: string, address: string): Promise<Identity> {
    const who = await limit.who(login)
    const note = async (event: SecurityEvent) => securityLog.record(event, { user: await namedUser(users, login) })
    // A client that was right before is not locked out by others' failures; it is still asked about again.
    if (!applicationPasswords.isKnown(login, password)) {
      try {
        limit.check(who, address)
      } catch (error) {
        await note('sign_in_blocked')
        throw error
      }
    }
    const identity = await applicationPasswords.authenticate(login, password, address)
    if (!identity) {
      limit.fail(who, address)
      await note('application_password_failed')
      return refuse()
    }
    limit.trust(who, address)
    return identity
  }

  async function tellOf({ user, applicationPassword }: Identity): Promise<void> {
    if (!user || applicationPassword === null) return
    await hooks.doActionAsync('application_password_did_authenticate', user, applicationPassword)
  }

  async function refuse(): Promise<never> {
    const message = 'The user name or the application password is incorrect.'
    const error = new RestError('incorrect_password', message, { status: 401 })
    await hooks.doActionAsync('application_password_failed_authentication', error)
    throw error
  }

  return {
    async identifyRest({ authorization, nonce, cookie: header, address }) {
      if (authorization !== undefined && isBasic(authorization)) {
        const given = parseBasic(authorization)
        if (!given) return refuse()
        const { login, password } = given
        const identity =
          applicationPasswords.recall(login, password, address) ?? (await byPassword(login, password, address))
        if (hooks.hasAction('application_password_did_authenticate')) await tellOf(identity)
        return identity
      }
      // Without a nonce a session does not count, so there is nothing to look up.
      return nonce === undefined ? NOBODY : byNonce(nonce, header)
    },
    async identifyPage({ cookie: header }) {
      try {
        return await bySession(header)
      } catch (error) {
        log.error({ err: error }, 'page authentication failed')
        return NOBODY
      }
    },
  }
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
