import webPush from 'web-push'
import type { Encoding } from './vapid.ts'

/** Keys of a browser, base64url. */
export interface Receiver {
  readonly p256dh: string
  readonly auth: string
  readonly encoding: Encoding
}

/** An encrypted message. */
export interface Encrypted {
  readonly body: Uint8Array
  /** Sent in headers with `aesgcm`. */
  readonly salt: string
  readonly publicKey: string
}

/** Encrypts a text for each receiver (RFC 8291). `null` for invalid keys. */
export function encryptFor(text: string, receivers: readonly Receiver[]): (Encrypted | null)[] {
  const bytes = Buffer.from(text)
  return receivers.map(({ p256dh, auth, encoding }) => {
    try {
      const { cipherText, salt, localPublicKey } = webPush.encrypt(p256dh, auth, bytes, encoding)
      // A Buffer, although its type says otherwise.
      return { body: cipherText, salt, publicKey: Buffer.from(localPublicKey).toString('base64url') }
    } catch {
      return null
    }
  })
}
