import { availableParallelism } from 'node:os'
import { createThreadPool } from 'pentad'
import type { Encrypted, Receiver } from './encrypt.ts'
import type { Packed, Task } from './encrypt-thread.ts'

/** Fewer are encrypted here: a thread takes longer to start. */
const WORTH_A_THREAD = 16

/** Milliseconds after which a thread ends for want of work. */
const IDLE_MS = 60_000

/** Megabytes of a thread: what it makes lives no longer than a task, and a larger heap is filled before it is swept. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

/** Encrypts messages, many of them on all cores: each costs a key agreement of its own (RFC 8291, 3.1). */
export interface Encryption {
  /** `null` where the keys of a receiver are none. */
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
      // Nothing but the keys crosses: whatever does is copied.
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
