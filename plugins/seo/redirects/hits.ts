import type { ExtensionHost } from 'pentad'
import type { RedirectStore } from './store.ts'

/** Milliseconds that hits wait in memory: what a process that dies may lose. */
const WRITE_EVERY = 10_000

/** Counts how often rules answer: in memory, written together now and then. */
export interface Hits {
  count(ruleId: number): void
  /** Writes what was counted so far. */
  write(): Promise<void>
}

export function createHits(
  host: Pick<ExtensionHost, 'setInterval' | 'onDispose' | 'log'>,
  store: Pick<RedirectStore, 'addHits'>,
): Hits {
  let counted = new Map<number, { count: number; last: number }>()
  let writing: Promise<void> = Promise.resolve()

  function add(id: number, count: number, last: number): void {
    const known = counted.get(id)
    if (!known) counted.set(id, { count, last })
    else {
      known.count += count
      known.last = Math.max(known.last, last)
    }
  }

  async function writeNow(): Promise<void> {
    if (counted.size === 0) return
    const due = counted
    counted = new Map()
    try {
      await store.addHits(due)
    } catch (error) {
      for (const [id, { count, last }] of due) add(id, count, last)
      host.log.warn({ err: error }, 'hits of redirects could not be written; they are kept for later')
    }
  }

  function write(): Promise<void> {
    writing = writing.then(writeNow)
    return writing
  }

  host.setInterval(() => void write(), WRITE_EVERY)
  host.onDispose(write)
  return { count: (id) => add(id, 1, Date.now()), write }
}
