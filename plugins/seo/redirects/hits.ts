import type { ExtensionHost } from 'pentad'
import { createWriteBehind } from '../write-behind.ts'
import type { RedirectStore } from './store.ts'

/** Counts hits of redirects in memory and writes them in batches. */
export interface Hits {
  count(ruleId: number): void
  /** Writes pending counts. */
  write(): Promise<void>
}

export function createHits(
  host: Pick<ExtensionHost, 'setTimeout' | 'onDispose' | 'log'>,
  store: Pick<RedirectStore, 'addHits'>,
): Hits {
  let counted = new Map<number, { count: number; last: number }>()

  function add(id: number, count: number, last: number): void {
    const known = counted.get(id)
    if (!known) counted.set(id, { count, last })
    else {
      known.count += count
      known.last = Math.max(known.last, last)
    }
  }

  const writing = createWriteBehind(host, async () => {
    if (counted.size === 0) return
    const due = counted
    counted = new Map()
    try {
      await store.addHits(due)
    } catch (error) {
      // Retried later.
      for (const [id, { count, last }] of due) add(id, count, last)
      throw error
    }
  })

  return {
    count(id) {
      add(id, 1, Date.now())
      writing.note()
    },
    write: writing.flush,
  }
}
