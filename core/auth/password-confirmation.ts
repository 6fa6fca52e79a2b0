import { RestError } from '../errors.ts'
import type { Authenticate } from './authenticate.ts'
import type { SessionStore } from './sessions.ts'
import type { Identity, PasswordConfirmation, SecurityLog } from './types.ts'

/** Milliseconds for which a session counts as confirmed. */
export const CONFIRMED_FOR = 10 * 60 * 1000

interface Parts {
  readonly authenticate: Authenticate
  readonly sessions: Pick<SessionStore, 'confirm' | 'confirmedAt'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly now: () => number
}

/**
 * Asks for the current password again before what would hand the account or the site to whoever found a browser signed in
 * (OWASP ASVS 5.0, 7.5.1). The confirmation is kept with the session in the database, so every process knows of it, it
 * ends with the session, and no other session has it. Signing in is no confirmation.
 */
export function createPasswordConfirmation({ authenticate, sessions, securityLog, now }: Parts): PasswordConfirmation {
  return {
    async confirmPassword({ user, via, session }, password, address) {
      if (via === 'application-password') throw applicationPasswordForbidden()
      if (!user || !session) throw notSignedIn()
      const confirmed = await authenticate({ login: user.login, password, address, session }).catch(
        async (error: unknown) => {
          await securityLog.record('password_confirmation_failed', { user })
          // Not 401: the session goes on, and clients would take it for ended.
          throw error instanceof RestError && error.code === 'incorrect_password' ? incorrectPassword() : error
        },
      )
      // The filter `authenticate` may let in another user than the one who is signed in.
      if (confirmed.id !== user.id) throw incorrectPassword()
      const moment = now()
      await sessions.confirm(session.id, moment)
      return { expires: new Date(moment + CONFIRMED_FOR).toISOString() }
    },
    async requireConfirmation(identity: Identity) {
      if (identity.via === 'application-password') throw applicationPasswordForbidden()
      if (!identity.user) throw notSignedIn()
      // What the process itself asks in a user's name, such as a command of the CLI, came through no door.
      if (identity.via === 'nobody') return
      const confirmedAt = identity.session && (await sessions.confirmedAt(identity.session.id))
      if (confirmedAt === null || confirmedAt <= now() - CONFIRMED_FOR) throw confirmationRequired()
    },
  }
}

function applicationPasswordForbidden(): RestError {
  const message =
    'An application password cannot do this. Log in to the admin with your account password, or use the pentad command on the server.'
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
