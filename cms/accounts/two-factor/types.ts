import type { User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import type { Assertion, Registration } from './webauthn.ts'

/** What a user's account requires in addition to the password. */
export interface TwoFactorStatus {
  /** Whether an authenticator app is set up. */
  readonly app: boolean
  readonly passkeys: readonly Passkey[]
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number
  /** Whether a role of the user requires a second factor. */
  readonly required: boolean
}

/** What an authenticator app needs to produce codes. */
export interface PreparedApp {
  /** Base32. */
  readonly secret: string
  /** The content of the QR code. */
  readonly uri: string
  /** Rows of modules; `true` is dark. Made on the server, so the secret reaches no third party. */
  readonly qrCode: boolean[][]
}

/** How a login was confirmed. */
export type SecondFactor = 'app' | 'recovery-code'

/** Two-factor authentication with authenticator apps (TOTP, RFC 6238) and recovery codes. */
export interface TwoFactor {
  status(user: User): Promise<TwoFactorStatus>
  /** A secret for an authenticator app, by default a new one, which `enable` then stores. */
  prepare(user: User, secret?: string): PreparedApp
  /**
   * Sets up an authenticator app that has shown a valid code.
   * @returns new recovery codes, which are shown once
   * @throws RestError 400 `incorrect_code`
   */
  enable(user: User, secret: string, code: string): Promise<readonly string[]>
  /**
   * Adds a passkey. It is a second factor too: a login with the password alone is then not enough.
   * @returns the passkey, and recovery codes if it is the user's first two-factor method
   * @throws RestError 400 `invalid_passkey`, 400 `too_many_passkeys`
   */
  addPasskey(
    user: User,
    name: string,
    registration: Registration,
  ): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] }>
  /** Without another factor, two-factor authentication is then off. @throws RestError 404 `passkey_not_found` */
  removePasskey(user: User, id: string): Promise<void>
  readonly passkeys: Pick<Passkeys, 'isSupported' | 'registrationOptions' | 'loginOptions' | 'logIn'>
  /** @returns new recovery codes, which replace the previous ones @throws RestError 400 `two_factor_disabled` */
  createRecoveryCodes(user: User): Promise<readonly string[]>
  /** Removes the authenticator app, the passkeys, and the recovery codes. @returns whether there were any */
  disable(user: User): Promise<boolean>
  /**
   * Checks a code of the app, or a recovery code; each is valid once. After a failure, the next attempt must wait, twice as long after each
   * further one.
   * @throws RestError 401 `incorrect_code`, 429 `rest_too_many_requests`
   */
  verify(user: User, code: string): Promise<SecondFactor>
  /** @throws TwoFactorRequired if the password alone is not enough for this user */
  check(user: User, remember: boolean): Promise<void>
  /** The login that a `TwoFactorRequired` error interrupted. @throws RestError 401 `login_expired` */
  resume(token: string): Promise<{ readonly user: User; readonly remember: boolean }>
}

/** A passkey: a key pair of a device or a password manager, which replaces the password. */
export interface Passkey {
  /** The credential ID. */
  readonly id: string
  readonly name: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly lastUsed: string | null
}

/** Passkeys of users (Web Authentication). They require the user's PIN or biometrics, so they are two factors in one. */
export interface Passkeys {
  /** Whether browsers allow passkeys for the URL of the site. */
  readonly isSupported: boolean
  list(userId: number): Promise<Passkey[]>
  /** `PublicKeyCredentialCreationOptionsJSON`, whose type is not part of the package. */
  registrationOptions(user: User): Promise<object>
  /** @throws RestError 400 `invalid_passkey`, 400 `too_many_passkeys` */
  add(user: User, name: string, registration: Registration): Promise<Passkey>
  /** @returns whether the user had the passkey */
  remove(user: User, id: string): Promise<boolean>
  /** `PublicKeyCredentialRequestOptionsJSON`. */
  loginOptions(): { readonly rpId: string; readonly challenge: string; readonly userVerification: 'required' }
  /** The user whose passkey answered a challenge of `loginOptions`, once. @throws RestError 401 `invalid_passkey` */
  logIn(assertion: Assertion): Promise<User>
}

/** The password is right, but the login requires a second step. `token` continues it within ten minutes. */
export class TwoFactorRequired extends RestError {
  readonly token: string
  /** Whether the user has no second factor yet, and must set one up. */
  readonly mustSetUp: boolean

  constructor(token: string, mustSetUp: boolean) {
    const message = mustSetUp
      ? 'Your account requires two-factor authentication. Log in at /wp-login.php to set it up.'
      : 'Your account requires two-factor authentication. Log in at /wp-login.php to enter the code from your authenticator app.'
    super('two_factor_required', message, { status: 401 })
    this.token = token
    this.mustSetUp = mustSetUp
  }
}
