import { encryptFor, type Receiver } from './encrypt.ts'

/** Input of a thread. */
export interface Task {
  readonly text: string
  readonly receivers: readonly Receiver[]
}

/** All bodies in one buffer, which is transferred between threads at once. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Bytes of each message; 0 for invalid keys. */
  readonly lengths: readonly number[]
  /** Header values for `aesgcm`, otherwise `null`. */
  readonly headers: readonly ({ readonly salt: string; readonly publicKey: string } | null)[]
}

// Node throws and catches exceptions internally when creating an HMAC. Without stack traces encryption is a quarter
// faster.
Error.stackTraceLimit = 0

/** Encrypts a text for each receiver. */
export default function encryptPacked({ text, receivers }: Task): Packed {
  const encrypted = encryptFor(text, receivers)
  const lengths = encrypted.map((one) => one?.body.length ?? 0)
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const one of encrypted) {
    if (!one) continue
    bytes.set(one.body, at)
    at += one.body.length
  }
  const headers = encrypted.map((one, index) =>
    one && receivers[index]?.encoding === 'aesgcm' ? { salt: one.salt, publicKey: one.publicKey } : null,
  )
  return { bytes, lengths, headers }
}
