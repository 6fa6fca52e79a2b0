import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Signs texts, such as cookies and tokens for which nothing is stored. */
export interface Signer {
  /** The text, a dot, and the signature in base64url. */
  sign(text: string): string
  /** The text without its signature; `undefined` if it was not signed with this key. */
  verify(signed: string): string | undefined
}

/** HMAC-SHA256. @param key - 32 secret bytes */
export function createSigner(key: Buffer): Signer {
  const secret = createSecretKey(key)
  const signatureOf = (text: string) => createHmac('sha256', secret).update(text).digest()
  return {
    sign: (text) => `${text}.${signatureOf(text).toString('base64url')}`,
    verify(signed) {
      const dot = signed.lastIndexOf('.')
      const [text, signature] = [signed.slice(0, Math.max(dot, 0)), signed.slice(dot + 1)]
      if (!/^[\w-]{43}$/.test(signature)) return undefined
      return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(text)) ? text : undefined
    },
  }
}
