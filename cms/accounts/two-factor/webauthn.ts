import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

/** What browsers send for passkeys (Web Authentication, Level 3). */
const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8000)
const credential = z.object({
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
})

/** `RegistrationResponseJSON` of the browser. */
export const registrationSchema = credential.extend({
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
})

/** `AuthenticationResponseJSON` of the browser. */
export const assertionSchema = credential.extend({
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

export type Registration = z.output<typeof registrationSchema>
export type Assertion = z.output<typeof assertionSchema>

/** COSE labels and values of keys (RFC 9052, 7; RFC 9053, 2 and 7; RFC 8230). */
const [KEY_TYPE, ALGORITHM] = [1, 3]
const [CURVE, X, Y, N, E] = [-1, -2, -3, -1, -2]

/** A stored public key as COSE. Up to version 1.0.0-beta.1, keys were stored as PEM, and so they are in older backups. */
export async function readPublicKey(stored: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!stored.startsWith('-----')) return bytesOf(stored)
  const { isoCBOR } = await import('@simplewebauthn/server/helpers')
  const { kty, x, y, n, e } = createPublicKey(stored).export({ format: 'jwk' })
  const labels: Record<string, [number, number | Uint8Array][]> = {
    EC: [...pairs(2, -7), [CURVE, 1], [X, bytesOf(x)], [Y, bytesOf(y)]],
    OKP: [...pairs(1, -8), [CURVE, 6], [X, bytesOf(x)]],
    RSA: [...pairs(3, -257), [N, bytesOf(n)], [E, bytesOf(e)]],
  }
  return isoCBOR.encode(new Map(labels[kty ?? '']))
}

const pairs = (type: number, algorithm: number): [number, number][] => [
  [KEY_TYPE, type],
  [ALGORITHM, algorithm],
]

const bytesOf = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
