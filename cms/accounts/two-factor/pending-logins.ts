import type { Signer } from '../signer.ts'

/** Milliseconds within which a login must be completed. */
const LIFETIME = 10 * 60 * 1000
const FORM = /^(?<user>[1-9]\d{0,15})\.(?<remember>[01])\.(?<expires>\d{13,15})\.(?<version>[\w-]{43})$/

interface PendingLogin {
  readonly userId: number
  /** Whether the session lasts 14 days instead of 2. */
  readonly remember: boolean
  /** Identifies the user's password: after a change, the login starts again. */
  readonly version: string
}

/** Signed tokens of logins whose password was right and that wait for their second step. */
export function createPendingLogins(signer: Signer, now: () => number) {
  return {
    sign({ userId, remember, version }: PendingLogin): string {
      return signer.sign(`${userId}.${remember ? 1 : 0}.${now() + LIFETIME}.${version}`)
    },
    /** `undefined` if the token is not valid or has expired. */
    read(token: string): PendingLogin | undefined {
      const { user, remember, expires, version = '' } = FORM.exec(signer.verify(token) ?? '')?.groups ?? {}
      return Number(expires) > now() ? { userId: Number(user), remember: remember === '1', version } : undefined
    },
  }
}
