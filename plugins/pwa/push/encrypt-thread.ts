import { encryptFor, type Receiver } from './encrypt.ts'

/** What a thread gets. */
export interface Task {
  readonly text: string
  readonly receivers: readonly Receiver[]
}

/** All bodies in one piece of memory: it crosses threads at once. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Bytes of each message; 0 where the keys were none. */
  readonly lengths: readonly number[]
  /** What `aesgcm` has in headers; `null` for other messages. */
  readonly headers: readonly ({ readonly salt: string; readonly publicKey: string } | null)[]
}

// Node finds out by an exception that a key of an HMAC is no `KeyObject`: twice for each of the six that a message
// takes. Writing down where these come from, which nobody reads, is a quarter of what the encryption costs.
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
