import { type Background, createBackground } from './background.ts'

export interface Units<Result> {
  /** First unit to read, and the total number of units. */
  readonly from: number
  readonly count: number
  /** Reads one unit. Its result is buffered until all earlier ones are read, so it should be small. */
  read(unit: number): Promise<Result>
}

/** Reads units of an archive concurrently. A long read continues between ticks; no unit is started twice. */
export interface UnitReader<Result> {
  /** Consecutive results starting at `from` that were ready when the signal fired. */
  advance(units: Units<Result>, signal: AbortSignal): Promise<Result[]>
}

export function createUnitReader<Result>(concurrency: number): UnitReader<Result> {
  const running = new Map<number, Background<Result>>()
  const finished = new Map<number, Result>()
  return {
    async advance({ from, count, read }, signal) {
      let next = from
      const readSome = async () => {
        while (next < count && !signal.aborted) {
          const unit = next++
          if (finished.has(unit)) continue
          const work = running.get(unit) ?? createBackground<Result>()
          running.set(unit, work)
          const result = await work.wait(() => read(unit), signal)
          if (result === undefined) return
          running.delete(unit)
          finished.set(unit, result)
        }
      }
      const readers = await Promise.allSettled(Array.from({ length: concurrency }, readSome))
      for (const reader of readers) if (reader.status === 'rejected') throw reader.reason
      const results: Result[] = []
      for (let unit = from; ; unit++) {
        const result = finished.get(unit)
        if (result === undefined) return results
        results.push(result)
        finished.delete(unit)
      }
    },
  }
}
