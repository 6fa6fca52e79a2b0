import type { Result } from './delivery.ts'

/**
 * Each write waits for the disk, so what all push services have is written together: this many milliseconds after the
 * first claim, or this many after the first outcome where nothing is claimed. Should the process die before, the claims
 * keep those messages from being sent again.
 */
const CLAIMED_AFTER = 20
const WRITTEN_AFTER = 500

/** What is written together. */
export interface Entries {
  /** Ids of deliveries that are to be sent now. */
  readonly claims: readonly number[]
  readonly results: readonly Result[]
}

/** Claims and outcomes of a sending. */
export interface Ledger {
  /** Resolves when it is written, to ids among which are those of the given ones that are ours to send now. */
  claim(ids: readonly number[]): Promise<ReadonlySet<number>>
  add(result: Result): void
  /** Resolves when everything so far is written. */
  write(): Promise<void>
}

/** @param put writes entries and resolves to the ids that were claimed; never called while it is at work */
export function createLedger(put: (entries: Entries) => Promise<ReadonlySet<number>>): Ledger {
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
    // `put` tells of errors; whoever waits hears of them, and nobody has to.
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
