import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'

/** Payload of a license key. */
export interface LicensePayload {
  readonly licensee: string
  readonly plan: 'pro'
  /** Origin of the only site it is good for; without one it is good for any. */
  readonly site?: string | undefined
  /** ISO 8601; without one it never expires. */
  readonly expires?: string | undefined
}

const payloadSchema = z.object({
  licensee: z.string().min(1).max(500),
  plan: z.literal('pro'),
  site: z.string().nullish(),
  expires: z
    .string()
    .refine((date) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)), 'not an ISO 8601 date')
    .nullish(),
})

/** Stricter than the schema for reading, so that mistakes are not issued. */
const issueSchema = payloadSchema.extend({
  site: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .optional(),
  expires: payloadSchema.shape.expires.unwrap().unwrap().optional(),
})

/** The fixed beginning of an Ed25519 public key in DER (RFC 8410); the 32 raw bytes follow. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
/** Characters; a real key has a few hundred. */
const LONGEST_KEY = 8192

/** Reads a public key: a PEM (including one with `\n` written out, as environments need it) or base64url of the 32 raw bytes. */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    if (text.includes('-----BEGIN')) {
      const key = createPublicKey(text.replaceAll('\\n', '\n'))
      return key.asymmetricKeyType === 'ed25519' ? key : undefined
    }
    const raw = Buffer.from(text.trim(), 'base64url')
    if (raw.length !== 32) return undefined
    return createPublicKey({ key: Buffer.concat([DER_PREFIX, raw]), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Checks a key's form and signature; what it says is for the caller to judge. */
export function readLicenseKey(
  key: string,
  publicKey: KeyObject,
): { payload: z.output<typeof payloadSchema> } | { reason: 'malformed' | 'invalid_signature' } {
  const parts = splitKey(key)
  if (!parts) return { reason: 'malformed' }
  const [body, signature] = parts
  const bytes = Buffer.from(signature, 'base64url')
  const isGenuine = bytes.length === 64 && verify(null, Buffer.from(body, 'ascii'), publicKey, bytes)
  if (!isGenuine) return { reason: 'invalid_signature' }
  const payload = readPayload(body)
  return payload ? { payload } : { reason: 'malformed' }
}

/** Whether a text has the form of a license key. Only the signature proves that it is valid. */
export function isLicenseKey(text: string): boolean {
  const parts = splitKey(text)
  return parts !== undefined && readPayload(parts[0]) !== undefined
}

function splitKey(key: string): [payload: string, signature: string] | undefined {
  const [payload, signature, ...more] = key.length > LONGEST_KEY ? [] : key.split('.')
  return isBase64url(payload) && isBase64url(signature) && more.length === 0 ? [payload, signature] : undefined
}

function readPayload(body: string): z.output<typeof payloadSchema> | undefined {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  } catch {
    return undefined
  }
}

/** Only the canonical form (RFC 4648, 3.5): with the unused bits of the last character set, a key would have several. */
function isBase64url(text: string | undefined): text is string {
  return text !== undefined && text !== '' && Buffer.from(text, 'base64url').toString('base64url') === text
}

/** Creates the key pair for signing licenses. */
export function generateLicenseKeyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(DER_PREFIX.length).toString('base64url'),
  }
}

/**
 * Issues a license key: `<base64url payload>.<base64url signature>`, signed over the ASCII bytes of the first part.
 *
 * @throws Error naming what is wrong with the payload or the private key.
 */
export function issueLicense(payload: LicensePayload, privateKeyPem: string): string {
  const checked = issueSchema.safeParse(payload)
  if (!checked.success) {
    const problems = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Cannot issue this license. ${problems.join('; ')}`)
  }
  const body = Buffer.from(JSON.stringify(checked.data)).toString('base64url')
  let signature: Buffer
  try {
    signature = sign(null, Buffer.from(body, 'ascii'), privateKeyPem)
  } catch (error) {
    throw new Error('The private key is not an Ed25519 key in PEM format.', { cause: error })
  }
  if (signature.length !== 64) throw new Error('The private key is not an Ed25519 key in PEM format.')
  return `${body}.${signature.toString('base64url')}`
}
