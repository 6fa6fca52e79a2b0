import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'

/** Milliseconds within which an authenticator must respond. */
const LIFETIME = 5 * 60 * 1000
const [NONCE, TIME, SIGNATURE] = [16, 6, 32]

/** Challenges for passkeys that sign themselves, so nothing is stored until they are answered. */
export function createChallenges(key: Buffer, now: () => number) {
  const secret = createSecretKey(key)
  const signatureOf = (content: Buffer, purpose: string) =>
    createHmac('sha256', secret).update(purpose).update(content).digest()

  return {
    /** @param purpose what the response may be used for; the same for `issuedAt` */
    create(purpose: string): string {
      const time = Buffer.alloc(TIME)
      time.writeUIntBE(now(), 0, TIME)
      const content = Buffer.concat([randomBytes(NONCE), time])
      return Buffer.concat([content, signatureOf(content, purpose)]).toString('base64url')
    },
    /** When the challenge was created, as ISO 8601; `undefined` if it is not from this site, for another purpose, or expired. */
    issuedAt(challenge: string | undefined, purpose: string): string | undefined {
      const bytes = Buffer.from(challenge ?? '', 'base64url')
      if (bytes.length !== NONCE + TIME + SIGNATURE) return undefined
      const content = bytes.subarray(0, NONCE + TIME)
      const time = content.readUIntBE(NONCE, TIME)
      const isOurs = timingSafeEqual(bytes.subarray(NONCE + TIME), signatureOf(content, purpose))
      return isOurs && time <= now() && now() < time + LIFETIME ? new Date(time).toISOString() : undefined
    },
  }
}
