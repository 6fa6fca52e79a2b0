import type { Profiler } from 'node:inspector'
import { freemem } from 'node:os'
import type { HeapWatch, StoppedHeap } from './heap-watch.ts'
import { connectMainThread, type MainThread, type Sample } from './main-thread.ts'
import { findMajority, type Weighed } from './majority.ts'
import type { MemoryLimit } from './memory-limit.ts'
import { createMemoryReader } from './process-figures.ts'

/** Milliseconds between two looks. */
const TICK = 100
/** Looks that are compared for growth: a second. */
const LOOKS = 10
/** Shares of the limit: what is watched, what is growth, what has to be left, and what garbage collection has to free of it. */
const SHARES = { watched: 0.5, growth: 0.01, left: 0.1, freed: 0.2 }
/** Milliseconds for the main thread to stop and respond under CPU contention. */
const PATIENCE = 30_000
/** Share of the growth in the heap from which the heap is used for attribution. */
const HEAP_SHARE = 0.5

/** The innermost frame is a function of Node that allocates Buffers. */
const ALLOCATING = /^at .*\(node:(?:internal\/)?buffer:/

export interface MemoryWatch {
  /** Whether the process has taken so much that allocations are sampled. */
  readonly isFilling: boolean
  /** Whether the main thread is stopped for analyzing the memory, and so not blocked by code. */
  readonly isStopping: boolean
}

/**
 * Monitors the memory of the entire process, of which the heap is a part: Buffers are outside of it. Heap growth is attributed by live
 * objects; other growth to the code that ran while memory grew fast, because filling memory takes CPU time.
 * @param onFull - Called once when the memory is nearly exhausted, with the extension that used most of it. If it does not end the process,
 *   monitoring stops.
 */
export function watchMemory(
  limit: MemoryLimit,
  heap: HeapWatch,
  onFull: (culprit: Sample | undefined) => void,
): MemoryWatch {
  const looks: number[] = []
  const rssMegabytes = createMemoryReader()
  let profiled: MainThread | undefined
  let atFirst: number | undefined
  let isDeciding = false
  let isStopping = false

  setInterval(look, TICK)

  function look(): void {
    if (isDeciding) return
    const rss = rssMegabytes()
    looks.push(rss)
    if (looks.length > LOOKS) looks.shift()
    const isGrowing = rss - Math.min(...looks) > limit.megabytes * SHARES.growth
    if (rss < limit.megabytes * SHARES.watched) {
      atFirst = undefined
      stop()
      return
    }
    atFirst ??= rss
    if (leftAfter(rss) < limit.megabytes * SHARES.left) void decide(rss - atFirst)
    else if (!isGrowing) stop()
    else profiled ??= start()
  }

  /** Garbage that V8 has not collected yet does not justify ending the process. */
  async function decide(grownMegabytes: number): Promise<void> {
    isDeciding = isStopping = true
    const stopped = await heap.stop(PATIENCE)
    if (stopped && leftAfter(stopped.heldMegabytes) > limit.megabytes * SHARES.freed) {
      stopped.resume()
      isDeciding = isStopping = false
      return
    }
    onFull(stopped && (await findCulprit(stopped, grownMegabytes, profiled)))
    stop()
    stopped?.resume()
    isStopping = false
  }

  /** @param held - Memory that the process still needs. */
  function leftAfter(held: number): number {
    const left = limit.megabytes - held
    const garbage = Math.max(0, rssMegabytes() - held)
    return limit.isChosen ? left : Math.min(left, freemem() / 1024 / 1024 + garbage)
  }

  function stop(): void {
    profiled?.[Symbol.dispose]()
    profiled = undefined
  }

  return {
    get isFilling() {
      return atFirst !== undefined
    },
    get isStopping() {
      return isStopping
    },
  }
}

function start(): MainThread {
  const main = connectMainThread()
  main.session.post('Profiler.enable')
  main.session.post('Profiler.start')
  return main
}

async function findCulprit(
  { main, sites }: StoppedHeap,
  grownMegabytes: number,
  profiled: MainThread | undefined,
): Promise<Sample | undefined> {
  const heldMegabytes = sites.reduce((sum, { weight }) => sum + weight, 0) / 1024 / 1024
  if (heldMegabytes > grownMegabytes * HEAP_SHARE) return findMajority(main, sites)
  const ran = profiled ? await stacksOf(profiled) : []
  return (
    // Slowly allocated Buffers do not appear in the CPU profile, but each has a small heap object.
    (await findMajority(main, ran.filter(makesBuffers))) ??
    (await findMajority(main, ran)) ??
    (await findMajority(main, sites.filter(makesBuffers)))
  )
}

function makesBuffers({ stack }: Weighed): boolean {
  return ALLOCATING.test(stack)
}

/** Number of samples per stack. */
async function stacksOf(main: MainThread): Promise<Weighed[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Profiler.ProfileNode[]>()
  main.session.post('Profiler.stop', (_error, result) => resolve(result?.profile.nodes ?? []))
  const nodes = await promise
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const stacks: Weighed[] = []
  function walk({ callFrame, hitCount = 0, children = [] }: Profiler.ProfileNode, callers: string): void {
    const stack = `${main.lineOf(callFrame)}\n${callers}`
    // Without a URL: the idle event loop, garbage collection.
    if (hitCount > 0 && stack.includes('/')) stacks.push({ stack, weight: hitCount })
    for (const id of children) {
      const child = byId.get(id)
      if (child) walk(child, stack)
    }
  }
  const [root] = nodes
  if (root) walk(root, '')
  return stacks
}
