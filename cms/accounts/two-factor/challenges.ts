import { randomBytes } from 'node:crypto'
import type { Signer } from '../signer.ts'

/** Milliseconds within which an authenticator must respond. */
export const CHALLENGE_LIFETIME = 5 * 60 * 1000
/** Purpose, nonce, and time. */
const FORM = /^(?<purpose>[a-z]+(?: \d+)?)\.[\w-]{22}\.(?<time>\d{13,15})$/

/** Challenges for passkeys that are signed, so nothing is stored until they are answered. */
export function createChallenges(signer: Signer, now: () => number) {
  return {
    /** @param purpose what the response may be used for; the same for `issuedAt` */
    create(purpose: string): string {
      const signed = signer.sign(`${purpose}.${randomBytes(16).toString('base64url')}.${now()}`)
      return Buffer.from(signed).toString('base64url')
    },
    /** When the challenge was created, as ISO 8601; `undefined` if it is not from this site, for another purpose, or expired. */
    issuedAt(challenge: string | undefined, purpose: string): string | undefined {
      const signed = Buffer.from(challenge ?? '', 'base64url').toString()
      const found = FORM.exec(signer.verify(signed) ?? '')?.groups
      const time = Number(found?.time)
      const isValid = found?.purpose === purpose && time <= now() && now() < time + CHALLENGE_LIFETIME
      return isValid ? new Date(time).toISOString() : undefined
    },
  }
}
