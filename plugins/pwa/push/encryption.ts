import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'
import type { Encrypted, Receiver } from './encrypt.ts'
import type { Packed, Task } from './encrypt-thread.ts'

/** Fewer are encrypted here: a thread takes longer to start. */
const WORTH_A_THREAD = 16

/** Milliseconds after which a thread ends for want of work. */
const IDLE_MS = 10_000

/** Encrypts messages, many of them on all cores: each costs a key agreement of its own (RFC 8291, 3.1). */
export interface Encryption {
  /** `null` where the keys of a receiver are none. */
  encrypt(text: string, receivers: readonly Receiver[]): Promise<(Encrypted | null)[]>
  close(): Promise<void>
}

export function createEncryption(): Encryption {
  let opening: Promise<Piscina<Task, Packed>> | undefined

  async function open(): Promise<Piscina<Task, Packed>> {
    const { Piscina } = await import('piscina')
    const filename = new URL('./encrypt-thread.ts', import.meta.url).href
    return new Piscina({ filename, minThreads: 0, maxThreads: availableParallelism(), idleTimeout: IDLE_MS })
  }

  return {
    async encrypt(text, receivers) {
      if (receivers.length < WORTH_A_THREAD) return (await import('./encrypt.ts')).encryptFor(text, receivers)
      opening ??= open()
      const pool = await opening
      return unpack(await pool.run({ text, receivers }))
    },
    async close() {
      await (await opening)?.destroy()
    },
  }
}

function unpack({ bytes, messages }: Packed): (Encrypted | null)[] {
  let at = 0
  return messages.map((message) => {
    if (!message) return null
    const body = bytes.subarray(at, at + message.length)
    at += message.length
    return { body, salt: message.salt, publicKey: message.publicKey }
  })
}
