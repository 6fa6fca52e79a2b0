import type { Debugger, HeapProfiler } from 'node:inspector'
import { connectMainThread, type MainThread, type Sample } from './main-thread.ts'
import { findMajority, type Weighed } from './majority.ts'

/** Shares of the heap's limit at which allocations are watched, and no longer. */
const WATCHED = { from: 0.6, until: 0.45 }
/** Bytes allocated between two samples. */
const SAMPLING_INTERVAL = 64 * 1024

/**
 * Follows the heap of the main thread. While it is filling up, V8 samples allocations and stops the code in the moment in
 * which the heap is full, before it would end the process.
 */
export interface HeapWatch {
  /** @param megabytes - The heap as far as is known now. */
  look(megabytes: number): void
}

/** @param onFull - Called while the main thread is stopped, with whose objects fill the heap. */
export function createHeapWatch(limitMegabytes: number, onFull: (heap: Sample) => void): HeapWatch {
  let main: MainThread | undefined

  function begin(): void {
    const connected = connectMainThread()
    main = connected
    connected.session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLING_INTERVAL })
    connected.session.on('Debugger.paused', ({ params }) => {
      if (params.reason === 'OOM') void findHolder(connected, params.callFrames).then(onFull)
    })
  }

  return {
    look(megabytes) {
      if (!main && megabytes > limitMegabytes * WATCHED.from) begin()
      if (main && megabytes < limitMegabytes * WATCHED.until) {
        main[Symbol.dispose]()
        main = undefined
      }
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

function samplesOf({ session }: MainThread): Promise<HeapProfiler.SamplingHeapProfile | undefined> {
  return new Promise((resolve) => {
    session.post('HeapProfiler.getSamplingProfile', (_error, answer) => resolve(answer?.profile))
  })
}

/** Where what is alive was allocated. */
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
