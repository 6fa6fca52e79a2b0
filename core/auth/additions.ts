import type { Identity, SecurityEventDetails, User } from './types.ts'

/** What a part of the site adds to how users are recognized and their accounts guarded; the host alone has none of it. */
export interface AuthAdditions {
  /**
   * Who sent a request with an `Authorization` header; `undefined` if the scheme is not this part's.
   * @throws RestError 401 if the credentials are wrong, 429 after too many of them
   */
  readonly authenticateRequest?: (
    authorization: string,
    address: string,
  ) => Identity | undefined | Promise<Identity | undefined>
  /** The user who has signed in with this browser before, and its id: it has a limit of failed sign-ins of its own. */
  readonly knownDevice?: (cookie: string | undefined) => { readonly userId: number; readonly nonce: string } | undefined
  /** @throws RestError 400 if the password must not be used */
  readonly checkNewPassword?: (password: string, owner: Pick<User, 'login' | 'email'>) => Promise<void>
  /** A user has another password: whatever the former one gave access to ends. */
  readonly passwordChanged?: (user: User) => Promise<unknown>
  /** A user was changed or deleted: what is cached of them is outdated. */
  readonly invalidateUser?: (userId: number) => void
  /** Records an event that the safety of the site depends on. Never rejects. */
  readonly record?: (event: string, details?: SecurityEventDetails) => Promise<void>
}
