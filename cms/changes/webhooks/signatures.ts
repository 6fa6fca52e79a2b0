import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyRing, Keys } from './types.ts'

/** Time for which the keys before a rotation still sign, in ms. */
const OVERLAP = 24 * 60 * 60 * 1000

export function createKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}

/** New keys; until receivers have them, messages are signed with the current ones too. */
export function rotateKeys({ current }: KeyRing, now: number): KeyRing {
  return { current: createKeys(), previous: current, until: now + OVERLAP }
}

/** `whpk_` and the 32 bytes of the Ed25519 public key in base64. */
export function publicKeyOf(keys: Keys): string {
  const { x = '' } = createPublicKey(privateKeyOf(keys)).export({ format: 'jwk' })
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`
}

/**
 * The headers of a signed message: HMAC-SHA256 (`v1`) and Ed25519 (`v1a`) over ID, time, and body.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param now milliseconds since 1970; each attempt has its own time, because receivers reject old messages
 */
export function signedHeaders(id: string, body: string, ring: KeyRing, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1000))
  const content = Buffer.from(`${id}.${time}.${body}`)
  const { current, previous, until = 0 } = ring
  const all = [current, ...(previous && until > now ? [previous] : [])]
  const signatures = all.flatMap((keys) => {
    const secret = Buffer.from(keys.secret.replace('whsec_', ''), 'base64')
    return [
      `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
      `v1a,${sign(null, content, privateKeyOf(keys)).toString('base64')}`,
    ]
  })
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') }
}

function privateKeyOf({ privateKey }: Keys) {
  return createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
}
