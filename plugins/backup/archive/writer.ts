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
  /** Holds the work list `list.ndjson`, a `SourceEntry` a line, and all that is made of it. */
  readonly folder: string
  readonly compression: Compression
  /** How many segments are made at once. Default: one for each core. */
  readonly threads?: number
}

/** How far an archive has come. */
export interface SegmentProgress {
  readonly done: boolean
  readonly segments: { readonly made: number; readonly total: number }
  /** Files, and bytes of content, in the finished segments. */
  readonly files: number
  readonly bytes: number
}

export interface ArchiveWriter {
  /**
   * Makes segments until all are made or the signal fires; then it ends those it has begun, which takes a fraction of
   * a second. Finished segments stay, whatever happens to the process.
   */
  makeSegments(signal: AbortSignal): Promise<SegmentProgress>
  /**
   * Puts the archive together, reads it back, checks every sum and publishes it by renaming. Called again until it is
   * done; goes on after a crash.
   *
   * @throws RestError `archive_corrupt` if the disk did not keep what was written
   */
  finish(
    task: FinishTask,
    signal: AbortSignal,
  ): Promise<Finished | { readonly done: false; readonly checkedBytes: number }>
  /** What was odd, in the order of the list; once all segments are made. */
  warnings(): AsyncGenerator<Warning>
  /** Ends the threads at once. What is finished stays in the folder. */
  close(): Promise<void>
}

/**
 * Makes one archive of the files in a work list, in ticks, with bounded memory however many there are. One writer
 * serves all ticks of a job in this process; after a crash a new one over the same folder goes on.
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
      // The first part of a large file decides what the others hold.
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

/** The plan, and what was finished before this process. */
async function loadSegments(folder: string) {
  await mkdir(join(folder, SEGMENTS), { recursive: true })
  const plan = await planSegments(folder)
  const results: (SegmentResult | undefined)[] = []
  for (const [number, { part }] of plan.entries()) {
    // Without its first part, which decides, the other parts of a large file are made anew.
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
