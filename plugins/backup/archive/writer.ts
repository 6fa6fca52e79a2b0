import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Compression, Warning } from '../types.ts'
import { createFinish, type Finished, type FinishTask } from './finish.ts'
import { planSegments, type SegmentPlan } from './plan.ts'
import { finishedSegment, readResult } from './results.ts'
import type { SegmentResult } from './segment.ts'
import { createThreads } from './threads.ts'
import { SEGMENTS } from './work-folder.ts'

export interface ArchiveWriterOptions {
  /** Contains the work list `list.ndjson`, one `SourceEntry` per line, and everything derived from it. */
  readonly folder: string
  readonly compression: Compression
  /** Number of segments written concurrently. Default: one per CPU core. */
  readonly threads?: number
}

/** Progress of an archive. */
export interface SegmentProgress {
  readonly done: boolean
  readonly segments: { readonly made: number; readonly total: number }
  /** Files and content bytes in the finished segments. */
  readonly files: number
  readonly bytes: number
}

export interface ArchiveWriter {
  /**
   * Writes segments until all are finished or the signal fires, then completes those in flight, which takes a fraction
   * of a second. Finished segments survive a crash.
   */
  makeSegments(signal: AbortSignal): Promise<SegmentProgress>
  /**
   * Assembles the archive, verifies every checksum and publishes it by renaming. Call it again until it is done; it
   * resumes after a crash.
   *
   * @throws RestError `archive_corrupt` if the data read back from disk differs
   */
  finish(
    task: FinishTask,
    signal: AbortSignal,
  ): Promise<Finished | { readonly done: false; readonly checkedBytes: number }>
  /** Warnings in the order of the work list, once all segments are finished. */
  warnings(): AsyncGenerator<Warning>
  /** Terminates the threads. Finished work stays in the folder. */
  close(): Promise<void>
}

/**
 * Writes one archive from the files in a work list, in ticks and with bounded memory. One writer serves all ticks of a
 * job in this process; after a crash a new writer resumes from the same folder.
 */
export function createArchiveWriter({ folder, compression, threads: count }: ArchiveWriterOptions): ArchiveWriter {
  const threads = createThreads(count)
  let known: Promise<{ plan: readonly SegmentPlan[]; results: (SegmentResult | undefined)[] }> | undefined
  const load = () => {
    known ??= loadSegments(folder)
    return known
  }
  const finish = createFinish({ folder, compression, threads })

  return {
    async makeSegments(signal) {
      const { plan, results } = await load()
      const begun = new Set<number>()
      // The first part of a large file determines the contents of the others.
      const ready = (number: number) => {
        const part = plan[number]?.part
        return (
          !results[number] && !begun.has(number) && (!part || part.index === 0 || results[part.first] !== undefined)
        )
      }
      let from = 0
      const next = () => {
        while (results[from]) from++
        for (let number = from; number < plan.length; number++) if (ready(number)) return number
        return undefined
      }
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      const make = async (number: number, segment: SegmentPlan) => {
        try {
          results[number] = await threads.run('segment', { folder, number, plan: segment, compression })
        } catch (error) {
          failures.push(error)
        }
      }
      for (;;) {
        const full = running.size >= threads.count || signal.aborted || failures.length > 0
        const number = full ? undefined : next()
        const segment = number === undefined ? undefined : plan[number]
        if (number !== undefined && segment) {
          begun.add(number)
          const work = make(number, segment).finally(() => running.delete(work))
          running.add(work)
        } else if (running.size === 0) break
        else await Promise.race(running)
      }
      if (failures.length > 0) throw failures[0]
      return progress(results)
    },
    async finish(task, signal) {
      const { plan, results } = await load()
      return finish({ plan, results: results.filter((result) => result !== undefined) }, task, signal)
    },
    async *warnings() {
      const { plan } = await load()
      for (const number of plan.keys()) yield* readResult(folder, number).warnings
    },
    close: () => threads.close(),
  }
}

/** The plan, and the segments that were already finished. */
async function loadSegments(folder: string) {
  await mkdir(join(folder, SEGMENTS), { recursive: true })
  const plan = await planSegments(folder)
  const results: (SegmentResult | undefined)[] = []
  for (const [number, { part }] of plan.entries()) {
    // Without its first part, the other parts of a large file must be rewritten.
    const isBase = part === undefined || part.index === 0 || results[part.first] !== undefined
    results.push(isBase ? finishedSegment(folder, number) : undefined)
  }
  return { plan, results }
}

function progress(results: readonly (SegmentResult | undefined)[]): SegmentProgress {
  const made = results.filter((result) => result !== undefined)
  return {
    done: made.length === results.length,
    segments: { made: made.length, total: results.length },
    files: made.reduce((sum, { files }) => sum + files, 0),
    bytes: made.reduce((sum, { contentBytes }) => sum + contentBytes, 0),
  }
}
