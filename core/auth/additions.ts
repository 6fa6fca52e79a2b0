import type { Identity, SecurityEventDetails, User } from './types.ts'

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
  /** @throws RestError 400 if the password must not be used */
  readonly checkNewPassword?: (password: string, owner: Pick<User, 'login' | 'email'>) => Promise<void>
  /** Called after a user's password changed, to revoke access granted with the old one. */
  readonly passwordChanged?: (user: User) => Promise<unknown>
  /** Invalidates cached data of a user who was changed or deleted. */
  readonly invalidateUser?: (userId: number) => void
  /** Records a security event. Never rejects. */
  readonly record?: (event: string, details?: SecurityEventDetails) => Promise<void>
}
