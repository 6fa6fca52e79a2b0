import type { Debugger, HeapProfiler } from 'node:inspector'
import { connectMainThread, type MainThread, type Sample } from './main-thread.ts'
import { findMajority, type Weighed } from './majority.ts'
import { createMemoryReader } from './process-figures.ts'

/** Shares of the heap's limit at which allocations are sampled, and no longer. */
const WATCHED = { from: 0.6, until: 0.45 }
/** Bytes allocated between two samples. */
const SAMPLING_INTERVAL = 64 * 1024

/**
 * Follows the heap of the main thread. While it or the whole process is filling up, V8 samples allocations. It stops the
 * code in the moment in which the heap is full, before it would end the process.
 */
export interface HeapWatch {
  /**
   * @param megabytes - The heap as far as is known now.
   * @param isFilling - Whether the process has taken much of the memory that it may have.
   */
  look(megabytes: number, isFilling: boolean): void
  /**
   * Stops the main thread and reads its live allocations since sampling began. Nothing is allocated afterward. `undefined` if the main
   * thread does not stop in time.
   * @param patience - Milliseconds.
   */
  stop(patience: number): Promise<StoppedHeap | undefined>
}

/** The heap of the stopped main thread, after a full garbage collection. */
export interface StoppedHeap {
  readonly main: MainThread
  /** Allocation sites of live objects since sampling began, in bytes. The contents of Buffers are outside of the heap. */
  readonly sites: readonly Weighed[]
  /**
   * Memory of the process without collected garbage, which V8's threads return to the system later, and under CPU contention much later.
   */
  readonly heldMegabytes: number
  resume(): void
}

/** @param onFull - Called while the main thread is stopped, with the owner of the objects that fill the heap. */
export function createHeapWatch(limitMegabytes: number, onFull: (heap: Sample) => void): HeapWatch {
  let main: MainThread | undefined
  const rssMegabytes = createMemoryReader()

  function begin(): MainThread {
    const connected = connectMainThread()
    connected.session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLING_INTERVAL })
    connected.session.on('Debugger.paused', ({ params }) => {
      if (params.reason === 'OOM') void findHolder(connected, params.callFrames).then(onFull)
    })
    return connected
  }

  return {
    look(megabytes, isFilling) {
      if (isFilling || megabytes > limitMegabytes * WATCHED.from) main ??= begin()
      if (main && !isFilling && megabytes < limitMegabytes * WATCHED.until) {
        main[Symbol.dispose]()
        main = undefined
      }
    },

    async stop(patience) {
      main ??= begin()
      const stopped = main
      const { promise, resolve } = Promise.withResolvers<StoppedHeap | undefined>()
      const resume = () => stopped.session.post('Debugger.resume')
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        resolve(undefined)
      }, patience)
      stopped.session.once('Debugger.paused', async () => {
        if (isLate) return resume()
        const [rss, used] = [rssMegabytes(), await usedMegabytes(stopped)]
        const sites = sitesOf(await samplesOf(stopped), stopped)
        const collected = used - (await usedMegabytes(stopped))
        resolve({ main: stopped, sites, heldMegabytes: Math.min(rssMegabytes(), rss - collected), resume })
      })
      stopped.session.post('Debugger.pause')
      const heap = await promise
      clearTimeout(timer)
      return heap
    },
  }
}

async function findHolder(main: MainThread, frames: readonly Debugger.CallFrame[]): Promise<Sample> {
  const stack = main.stackOf(frames)
  const holder = await findMajority(main, sitesOf(await samplesOf(main), main))
  if (!holder) return { stack, owner: null }
  const [running = null] = await main.identify([stack])
  return running?.extension === holder.owner?.extension ? { stack, owner: running } : holder
}

/** Memory used by heap objects, including garbage that was not collected yet. */
function usedMegabytes({ session }: MainThread): Promise<number> {
  return new Promise((resolve) => {
    session.post('Runtime.getHeapUsage', (_error, result?: object) => {
      const bytes = result !== undefined && 'usedSize' in result ? Number(result.usedSize) : 0
      resolve(bytes / 1024 / 1024)
    })
  })
}

/** Collects garbage first, so that what it has is alive. */
function samplesOf({ session }: MainThread): Promise<HeapProfiler.SamplingHeapProfile | undefined> {
  return new Promise((resolve) => {
    session.post('HeapProfiler.getSamplingProfile', (_error, result) => resolve(result?.profile))
  })
}

/** Allocation sites of live objects. */
function sitesOf(profile: HeapProfiler.SamplingHeapProfile | undefined, main: MainThread): Weighed[] {
  const sites: Weighed[] = []
  function walk({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode, callers: string): void {
    const stack = `${main.lineOf(callFrame)}\n${callers}`
    if (selfSize > 0) sites.push({ stack, weight: selfSize })
    for (const child of children) walk(child, stack)
  }
  if (profile) walk(profile.head, '')
  return sites
}
