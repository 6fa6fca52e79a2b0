import { AsyncLocalStorage } from 'node:async_hooks'

/** A chain of this many self-started runs within this many milliseconds counts as infinite. */
const WITHIN = 10_000

/** Position in a chain of work that was started by other work. */
export interface Line {
  /** Length of the chain so far. */
  readonly generation: number
  /** When the chain began, or was last checked. */
  readonly since: number
}

/** Detects work that restarts itself infinitely, although no single run is at fault. */
export interface SelfStarts {
  /** The line of work that is begun now; `undefined` where it is begun from outside. @param what `job shop-sync` */
  begin(what: string): Line | undefined
  /** Runs work that was begun so. */
  run<Result>(line: Line | undefined, work: () => Result): Result
}

/**
 * @param times How often in a row, within ten seconds, is once too often.
 * @param onEndless Called each time that is reached.
 */
export function createSelfStarts(times: number, onEndless: (error: Error, what: string) => void): SelfStarts {
  const current = new AsyncLocalStorage<Line>()
  return {
    begin(what) {
      const outer = current.getStore()
      if (outer === undefined) return undefined
      const generation = outer.generation + 1
      if (generation % times !== 0) return { generation, since: outer.since }
      const now = Date.now()
      if (now - outer.since < WITHIN)
        onEndless(new Error(`It restarted itself ${times} times within ${now - outer.since} ms.`), what)
      return { generation, since: now }
    },
    run: (line, work) => current.run(line ?? { generation: 0, since: Date.now() }, work),
  }
}
