import type { Profiler } from 'node:inspector'
import { freemem } from 'node:os'
import { connectMainThread, type MainThread, type Sample } from './main-thread.ts'
import { findMajority, type Weighed } from './majority.ts'

/** Milliseconds between two looks. */
const TICK = 100
/** Looks that are compared for growth: a second. */
const LOOKS = 10
/** Shares of the limit: what is watched, what is growth, and what has to be left. */
const SHARES = { watched: 0.5, growth: 0.01, left: 0.1 }
/** How long the main thread may take to stop and to answer. Milliseconds. */
const PATIENCE = 5000

/** The innermost frame is one of Node's functions that make Buffers. */
const ALLOCATING = /^at .*\(node:(?:internal\/)?buffer:/

/** What a process may take before the kernel ends it or others. Megabytes. */
export interface MemoryLimit {
  readonly megabytes: number
  /** Whether the owner chose it; else the process also ends before the machine has no memory left for others. */
  readonly isChosen: boolean
}

/**
 * Follows the memory of the whole process, of which the heap is a part: Buffers lie outside it. While it is growing, V8
 * samples which code runs, since whoever fills memory has the processor.
 *
 * @param onFull - Called once, when the memory is nearly used up; with the extension that ran most of the time meanwhile.
 */
export function watchMemory(limit: MemoryLimit, onFull: (culprit: Sample | undefined) => void): void {
  const looks: number[] = []
  let profiled: MainThread | undefined

  const timer = setInterval(look, TICK)

  function look(): void {
    const rss = process.memoryUsage.rss() / 1024 / 1024
    looks.push(rss)
    if (looks.length > LOOKS) looks.shift()
    const isGrowing = rss - Math.min(...looks) > limit.megabytes * SHARES.growth
    if (rss < limit.megabytes * SHARES.watched) stop()
    else if (leftAfter(rss) < limit.megabytes * SHARES.left) {
      clearInterval(timer)
      void findCulprit(profiled).then(onFull)
    } else if (!isGrowing) stop()
    else profiled ??= start()
  }

  function leftAfter(rss: number): number {
    const left = limit.megabytes - rss
    return limit.isChosen ? left : Math.min(left, freemem() / 1024 / 1024)
  }

  function stop(): void {
    profiled?.[Symbol.dispose]()
    profiled = undefined
  }
}

function start(): MainThread {
  const main = connectMainThread()
  main.session.post('Profiler.enable')
  main.session.post('Profiler.start')
  return main
}

async function findCulprit(main: MainThread | undefined): Promise<Sample | undefined> {
  if (!main) return undefined
  const { promise, resolve } = Promise.withResolvers<Sample | undefined>()
  setTimeout(() => resolve(undefined), PATIENCE)
  // Stopped, it takes no more memory meanwhile.
  main.session.once('Debugger.paused', () => {
    main.session.post('Profiler.stop', (_error, answer) => {
      if (answer) resolve(findAllocator(main, stacksOf(answer.profile, main)))
      else resolve(undefined)
    })
  })
  main.session.post('Debugger.pause')
  return promise
}

/** Whose Buffers were made most of the time; where that says nothing, whose code ran. */
async function findAllocator(main: MainThread, stacks: readonly Weighed[]): Promise<Sample | undefined> {
  const allocating = stacks.filter(({ stack }) => ALLOCATING.test(stack))
  return (await findMajority(main, allocating)) ?? (await findMajority(main, stacks))
}

/** How often each stack was seen. */
function stacksOf({ nodes }: Profiler.Profile, main: MainThread): Weighed[] {
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
