import { encryptFor, type Receiver } from './encrypt.ts'

/** What a thread gets. */
export interface Task {
  readonly text: string
  readonly receivers: readonly Receiver[]
}

/** All bodies in one piece of memory: it crosses threads at once. */
export interface Packed {
  readonly bytes: Uint8Array
  /** Of each message; `null` where the keys were none. */
  readonly messages: readonly ({ readonly length: number; readonly salt: string; readonly publicKey: string } | null)[]
}

export default function encryptAll({ text, receivers }: Task): Packed {
  const encrypted = encryptFor(text, receivers)
  const bytes = new Uint8Array(encrypted.reduce((sum, one) => sum + (one?.body.length ?? 0), 0))
  let at = 0
  for (const one of encrypted) {
    if (!one) continue
    bytes.set(one.body, at)
    at += one.body.length
  }
  const messages = encrypted.map((one) => one && { length: one.body.length, salt: one.salt, publicKey: one.publicKey })
  return { bytes, messages }
}
