import webPush from 'web-push'
import type { Encoding } from './vapid.ts'

/** Keys of one browser, base64url. */
export interface Receiver {
  readonly p256dh: string
  readonly auth: string
  readonly encoding: Encoding
}

/** One message as it goes to a push service. */
export interface Encrypted {
  readonly body: Uint8Array
  /** Of `aesgcm`, which has them in headers. */
  readonly salt: string
  readonly publicKey: string
}

/** Encrypts one text for each receiver (RFC 8291). `null` where the keys are none. */
export function encryptFor(text: string, receivers: readonly Receiver[]): (Encrypted | null)[] {
  const bytes = Buffer.from(text)
  return receivers.map(({ p256dh, auth, encoding }) => {
    try {
      const { cipherText, salt, localPublicKey } = webPush.encrypt(p256dh, auth, bytes, encoding)
      // It is a Buffer, whatever the package's types say.
      return { body: cipherText, salt, publicKey: Buffer.from(localPublicKey).toString('base64url') }
    } catch {
      return null
    }
  })
}
