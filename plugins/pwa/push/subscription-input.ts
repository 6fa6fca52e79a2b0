import { ECDH } from 'node:crypto'
import { z } from 'zod'
import type { PushHosts } from './push-host.ts'

/** Latest valid date in milliseconds since 1970 (ECMA-262, 21.4.1.1). */
const LAST_MOMENT = 8.64e15

/** Base64 or base64url, with or without padding: browsers and libraries send all of them. */
const bytes = (length: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w+/-]*={0,2}$/, 'It must be base64url.')
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine((key) => key.length === length, `It must be ${length} bytes long.`)

export const authKey = bytes(16).transform((key) => key.toString('base64url'))

const publicKey = bytes(65)
  .refine(isOnCurve, 'It must be a point on the P-256 curve.')
  .transform((key) => key.toString('base64url'))

/** The browser's `PushSubscription.toJSON()`, or its fields separately. */
export function subscriptionFields(hosts: PushHosts) {
  return {
    endpoint: endpointField(hosts),
    expirationTime: z
      .number()
      .min(0)
      .max(LAST_MOMENT)
      .nullish()
      .describe('Expiration time in milliseconds since the Unix epoch.'),
    keys: z.object({ p256dh: publicKey, auth: authKey }).optional(),
    p256dhKey: publicKey.optional().describe('Same as `keys.p256dh`.'),
    authKey: authKey.optional().describe('Same as `keys.auth`.'),
    contentEncoding: z.enum(['aes128gcm', 'aesgcm']).default('aes128gcm'),
  }
}

/** A normalized endpoint URL. */
export function endpointField(hosts: PushHosts) {
  return z
    .string()
    .refine((text) => hosts.parse(text) !== undefined, 'It must be the HTTPS URL of a push service.')
    .transform((text) => hosts.parse(text)?.href ?? '')
    .describe('Push endpoint of the browser.')
}

/** A new subscription. */
export interface NewSubscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly encoding: 'aes128gcm' | 'aesgcm'
  readonly expires: number | null
}

export function readSubscription(
  input: z.output<z.ZodObject<ReturnType<typeof subscriptionFields>>>,
): NewSubscription | undefined {
  const p256dh = input.keys?.p256dh ?? input.p256dhKey
  const auth = input.keys?.auth ?? input.authKey
  if (p256dh === undefined || auth === undefined) return undefined
  const { endpoint, contentEncoding: encoding, expirationTime } = input
  return { endpoint, p256dh, auth, encoding, expires: expirationTime ? Math.floor(expirationTime) : null }
}

function isOnCurve(key: Buffer): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1')
    return key[0] === 4
  } catch {
    return false
  }
}
