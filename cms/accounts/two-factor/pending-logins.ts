import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Milliseconds within which a login must be completed. */
const LIFETIME = 10 * 60 * 1000
const FORM = /^(?<payload>(?<user>[1-9]\d{0,15})\.(?<remember>[01])\.(?<expires>\d{13,15}))\.(?<signature>[\w-]{43})$/

interface PendingLogin {
  readonly userId: number
  /** Whether the session lasts 14 days instead of 2. */
  readonly remember: boolean
}

/** Signed tokens of logins whose password was right and that wait for their second step. */
export function createPendingLogins(key: Buffer, now: () => number) {
  const secret = createSecretKey(key)
  const signatureOf = (payload: string) => createHmac('sha256', secret).update(payload).digest()

  return {
    sign({ userId, remember }: PendingLogin): string {
      const payload = `${userId}.${remember ? 1 : 0}.${now() + LIFETIME}`
      return `${payload}.${signatureOf(payload).toString('base64url')}`
    },
    /** `undefined` if the token is not valid or has expired. */
    read(token: string): PendingLogin | undefined {
      const found = FORM.exec(token)?.groups
      if (!found) return undefined
      const { payload = '', user, remember, expires, signature = '' } = found
      const given = Buffer.from(signature, 'base64url')
      const isOurs = timingSafeEqual(given, signatureOf(payload))
      return isOurs && Number(expires) > now() ? { userId: Number(user), remember: remember === '1' } : undefined
    },
  }
}
