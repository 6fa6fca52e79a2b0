import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'

/**
 * Verifies what authenticators send (Web Authentication, Level 3, 7.1 and 7.2). Attestation is not requested, so the public key can be
 * read with the browser's `getPublicKey()`, and no CBOR needs to be parsed.
 */

/** COSE algorithms (RFC 9053) that all authenticators have one of: ES256, EdDSA, RS256. */
export const ALGORITHMS = [-7, -8, -257] as const
/** Flags of authenticator data: user present, user verified (with a PIN or biometrics), credential included. */
const [PRESENT, VERIFIED, CREDENTIAL] = [0x01, 0x04, 0x40]
/** Sizes and offsets in authenticator data, in bytes (6.1). */
const [FLAGS_AT, COUNTER_AT, LENGTH_AT, ID_AT] = [32, 33, 53, 55]

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(8000)
  .transform((text) => Buffer.from(text, 'base64url'))

/** `RegistrationResponseJSON` of the browser. */
export const registrationSchema = z.object({
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(1400),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    publicKey: base64url,
    publicKeyAlgorithm: z.literal(ALGORITHMS),
  }),
})

/** `AuthenticationResponseJSON` of the browser. */
export const assertionSchema = z.object({
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(1400),
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

export type Registration = z.output<typeof registrationSchema>
export type Assertion = z.output<typeof assertionSchema>

const clientDataSchema = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** Its host name. */
  readonly id: string
  readonly origin: string
}

/** The challenge in the client data; `undefined` if the browser made it for something else, or for another site. */
export function challengeOf(clientData: Buffer, type: 'webauthn.create' | 'webauthn.get', { origin }: RelyingParty) {
  const data = clientDataSchema.safeParse(parse(clientData)).data
  return data?.type === type && data.origin === origin && !data.crossOrigin ? data.challenge : undefined
}

/** The public key of a new passkey, in PEM format; `undefined` if the registration is not valid. */
export function publicKeyOf({ id, response }: Registration, party: RelyingParty): string | undefined {
  const { authenticatorData: data, publicKey } = response
  if (!isFrom(data, party, PRESENT | VERIFIED | CREDENTIAL) || data.length < ID_AT) return undefined
  const length = data.readUInt16BE(LENGTH_AT)
  if (data.subarray(ID_AT, ID_AT + length).toString('base64url') !== id) return undefined
  try {
    return createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
      .export({ format: 'pem', type: 'spki' })
      .toString()
  } catch {
    return undefined
  }
}

/** Whether the passkey with this public key signed the response, with the user's PIN or biometrics. */
export function isSigned({ response }: Assertion, publicKey: string, party: RelyingParty): boolean {
  const { authenticatorData, clientDataJSON, signature } = response
  if (!isFrom(authenticatorData, party, PRESENT | VERIFIED)) return false
  const key = createPublicKey(publicKey)
  const signed = Buffer.concat([authenticatorData, hash('sha256', clientDataJSON, 'buffer')])
  return verify(digestOf(key), signed, key, signature)
}

/** How often the authenticator has signed; 0 if it does not count. */
export function counterOf({ response: { authenticatorData } }: Assertion): number {
  return authenticatorData.readUInt32BE(COUNTER_AT)
}

/** EdDSA has no separate digest. */
const digestOf = ({ asymmetricKeyType }: KeyObject) => (asymmetricKeyType === 'ed25519' ? null : 'sha256')

function isFrom(authenticatorData: Buffer, { id }: RelyingParty, flags: number): boolean {
  if (authenticatorData.length < COUNTER_AT + 4) return false
  const isOurs = authenticatorData.subarray(0, FLAGS_AT).equals(hash('sha256', id, 'buffer'))
  return isOurs && (authenticatorData.readUInt8(FLAGS_AT) & flags) === flags
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    return undefined
  }
}
