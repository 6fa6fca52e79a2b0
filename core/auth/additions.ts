import type { Identity, SecurityEventDetails, SignIn, User } from './types.ts'

/** A login with a user's key of the `SignInLimit`. */
export type SignInAttempt = { readonly who: string; readonly address: string; readonly device?: string | undefined }

/** Authentication and account security that other parts of the product add to the host. */
export interface AuthAdditions {
  /**
   * Authenticates a request with an `Authorization` header; `undefined` if this part does not handle the scheme.
   * @throws RestError 401 if the credentials are invalid, 429 after too many failures
   */
  readonly authenticateRequest?: (
    authorization: string,
    address: string,
  ) => Identity | undefined | Promise<Identity | undefined>
  /** The user who has logged in with this browser before, and the id of the device, which has its own limit of failed logins. */
  readonly knownDevice?: (cookie: string | undefined) => { readonly userId: number; readonly nonce: string } | undefined
  /** Counts a login as failed, on all nodes, until the returned function is called. @throws RestError 429 after too many failures */
  readonly countAttempt?: ((attempt: SignInAttempt) => Promise<() => Promise<void>>) | undefined
  /** Called before a login with the right password starts a session. @throws RestError 401 if it requires a second step */
  readonly checkSecondFactor?: (user: User, login: Pick<SignIn, 'remember'>) => Promise<void>
  /** @throws RestError 400 if the password must not be used */
  readonly checkNewPassword?: (password: string, owner: Pick<User, 'login' | 'email'>) => Promise<void>
  /** Called after a user's password changed, to revoke access granted with the old one. */
  readonly passwordChanged?: (user: User) => Promise<unknown>
  /** Invalidates cached data of a user who was changed or deleted. */
  readonly invalidateUser?: (userId: number) => void
  /** Records a security event. Never rejects. */
  readonly record?: (event: string, details?: SecurityEventDetails) => Promise<void>
}
