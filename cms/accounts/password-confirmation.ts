import type { Identity } from '../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Database } from '../../core/database/index.ts'
import { RestError } from '../../core/errors.ts'
import type { Authenticate } from './authenticate.ts'
import type { PasswordConfirmation, SecurityLog } from './types.ts'

/** Milliseconds for which a session counts as confirmed. */
const CONFIRMED_FOR = 10 * 60 * 1000

interface Parts {
  readonly authenticate: Authenticate
  readonly database: Pick<Database, 'db'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly now: () => number
}

/**
 * Requires the current password before actions with which a person at an unattended browser could take over the account or the site (OWASP
 * ASVS 5.0, 7.5.1). The confirmation is stored with the session in the database: it applies to all processes and to this session only. A
 * login does not count as confirmation.
 */
export function createPasswordConfirmation({
  authenticate,
  database: { db },
  securityLog,
  now,
}: Parts): PasswordConfirmation {
  /** When the session was confirmed last, in milliseconds since 1970; `null` if never, or if the session has ended. */
  async function confirmedAt(sessionId: string): Promise<number | null> {
    const row = await db
      .selectFrom('sessions')
      .select('confirmed_gmt')
      .where('id', '=', sessionId)
      .where('expires_gmt', '>', toGmt(now()))
      .executeTakeFirst()
    return row?.confirmed_gmt ? Date.parse(fromGmt(row.confirmed_gmt)) : null
  }

  return {
    async confirmPassword({ user, via, session }, password, address) {
      if (via === 'application-password') throw applicationPasswordForbidden()
      if (!user || !session) throw notSignedIn()
      const confirmed = await authenticate({ login: user.login, password, address, session }).catch(
        async (error: unknown) => {
          await securityLog.record('password_confirmation_failed', { user })
          // Not 401, which clients would take for an expired session.
          throw error instanceof RestError && error.code === 'incorrect_password' ? incorrectPassword() : error
        },
      )
      // The `authenticate` filter may return another user than the logged-in one.
      if (confirmed.id !== user.id) throw incorrectPassword()
      const moment = now()
      await db
        .updateTable('sessions')
        .set({ confirmed_gmt: toGmt(moment) })
        .where('id', '=', session.id)
        .execute()
      return { expires: new Date(moment + CONFIRMED_FOR).toISOString() }
    },
    async requireConfirmation(identity: Identity) {
      if (identity.via === 'application-password') throw applicationPasswordForbidden()
      if (!identity.user) throw notSignedIn()
      // Internal callers, such as commands, act without a session.
      if (identity.via === 'nobody') return
      const confirmed = identity.session && (await confirmedAt(identity.session.id))
      if (confirmed === null || confirmed <= now() - CONFIRMED_FOR) throw confirmationRequired()
    },
  }
}

function applicationPasswordForbidden(): RestError {
  const message =
    'This can’t be done with an application password. Log in to the admin with your account password, or use the pentad command on the server.'
  return new RestError('application_password_forbidden', message, { status: 403 })
}

function notSignedIn(): RestError {
  return new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
}

function incorrectPassword(): RestError {
  return new RestError('incorrect_password', 'The password is incorrect.', { status: 403 })
}

function confirmationRequired(): RestError {
  const message = 'Confirm your current password first: send it to /host/v1/confirm-password, then repeat this request.'
  return new RestError('password_confirmation_required', message, { status: 403 })
}
