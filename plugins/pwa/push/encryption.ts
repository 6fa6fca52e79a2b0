import { availableParallelism } from 'node:os'
import { createThreadPool } from 'pentad'
import type { Encrypted, Receiver } from './encrypt.ts'
import type { Packed, Task } from './encrypt-thread.ts'

/** Fewer messages are encrypted in the main thread. */
const WORTH_A_THREAD = 16

/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 60_000

/** Memory limits of a thread in megabytes. A larger heap would only delay garbage collection. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

/** Encrypts messages, using all cores for many: each requires its own key agreement (RFC 8291, 3.1). */
export interface Encryption {
  /** `null` for receivers with invalid keys. */
  encrypt(text: string, receivers: readonly Receiver[]): Promise<(Encrypted | null)[]>
  close(): Promise<void>
}

export function createEncryption(): Encryption {
  const pool = createThreadPool(new URL('./encrypt-thread.ts', import.meta.url), {
    maxThreads: availableParallelism(),
    idleTimeout: IDLE_MS,
    resourceLimits: THREAD_MEMORY,
  })

  return {
    async encrypt(text, receivers) {
      if (receivers.length < WORTH_A_THREAD) return (await import('./encrypt.ts')).encryptFor(text, receivers)
      // Only the keys, since the data is copied.
      const keys = receivers.map(({ p256dh, auth, encoding }) => ({ p256dh, auth, encoding }))
      const task: Task = { text, receivers: keys }
      return unpack(await pool.run<Packed>(task))
    },
    close: pool.close,
  }
}

function unpack({ bytes, lengths, headers }: Packed): (Encrypted | null)[] {
  let at = 0
  return lengths.map((length, index) => {
    if (length === 0) return null
    const body = bytes.subarray(at, at + length)
    at += length
    return { body, salt: headers[index]?.salt ?? '', publicKey: headers[index]?.publicKey ?? '' }
  })
}
