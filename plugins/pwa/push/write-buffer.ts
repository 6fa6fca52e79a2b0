import type { Result } from './delivery.ts'

/**
 * Writes are batched, because each waits for the disk: milliseconds after the first claim, or after the first outcome
 * without claims. If the process crashes before, the claims prevent duplicates.
 */
const CLAIMED_AFTER = 20
const WRITTEN_AFTER = 500

/** Entries of one batch. */
export interface Entries {
  /** Ids of deliveries to claim. */
  readonly claims: readonly number[]
  readonly results: readonly Result[]
}

/** Write buffer for the claims and outcomes of a broadcast. */
export interface WriteBuffer {
  /** Resolves when written. The ids include those of the given ones that were claimed. */
  claim(ids: readonly number[]): Promise<ReadonlySet<number>>
  add(result: Result): void
  /** Flushes the buffer. */
  write(): Promise<void>
}

/** @param put writes entries and returns the claimed ids; never called concurrently */
export function createWriteBuffer(put: (entries: Entries) => Promise<ReadonlySet<number>>): WriteBuffer {
  let claims: number[] = []
  let results: Result[] = []
  let claimed: PromiseWithResolvers<ReadonlySet<number>> | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (claims.length + results.length === 0) return writing
    const entries = { claims, results }
    const asked = claimed
    claims = []
    results = []
    claimed = undefined
    writing = writing
      .catch(() => {})
      .then(() => put(entries))
      .then(
        (ours) => asked?.resolve(ours),
        (error) => {
          asked?.reject(error)
          throw error
        },
      )
    // Errors are reported by `put` and to callers that wait.
    writing.catch(() => {})
    return writing
  }

  return {
    claim(ids) {
      claims.push(...ids)
      if (!claimed) {
        claimed = Promise.withResolvers()
        clearTimeout(timer)
        timer = setTimeout(write, CLAIMED_AFTER)
      }
      return claimed.promise
    },
    add(result) {
      results.push(result)
      timer ??= setTimeout(write, WRITTEN_AFTER)
    },
    write,
  }
}
