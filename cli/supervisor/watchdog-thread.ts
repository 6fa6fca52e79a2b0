import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { describeFault, type Fault, recordFault } from '../../app/faults/fault.ts'
import { readNativeCall } from '../../app/faults/native-calls.ts'
import type { CodeOwner } from '../../core/extensions/running-code.ts'
import { createHeapWatch } from './heap-watch.ts'
import { BEAT, type Identified, type OwnerMessage, type WatchdogData, type WatchdogMessage } from './heartbeat.ts'
import { connectMainThread, type MainThread, type Sample } from './main-thread.ts'
import { watchMemory } from './memory-watch.ts'
import { createMemoryReader, createStarvationReader } from './process-figures.ts'

/** Milliseconds between two looks at the heartbeat. */
const TICK = 500
/** Milliseconds between two looks at the heap, which an endless loop fills within a second or two. */
const HEAP_TICK = 100
/** Milliseconds; if a check is later than that, this thread was stopped too, as when the machine sleeps. */
const LONGEST_TICK = 2 * TICK
/** Number and interval of samples of the main thread, and their time limit, in milliseconds. */
const SAMPLES = { count: 20, apart: 50, patience: 5000 }
/**
 * Number of samples with code of one extension that show that it blocks. A long command of the product, such as an import, may call
 * extensions frequently without being blocked by them.
 */
const NEEDED = { server: 1, command: SAMPLES.count / 2 }
/** The patience where the extension is known without a stack, which adds the file and line. Milliseconds. */
const KNOWN_PATIENCE = 1500
/** Long-running code of the product is more likely to be processing a large site than in an infinite loop. */
const PRODUCT_FACTOR = 6
const NOBODY = { extension: null, hook: null, place: null }

const { beats, running, nativeCall, kind, siteDir, stallLimitSeconds, heapLimitMegabytes, memoryLimit }: WatchdogData =
  workerData
const limit = stallLimitSeconds * 1000

// Pending inspector calls do not keep a thread alive; waiting for messages does.
const owners = new Map<number, CodeOwner>()
parentPort?.on('message', ({ number, owner }: OwnerMessage) => owners.set(number, owner))

const rssMegabytes = createMemoryReader()
const starvedFor = createStarvationReader()
const heap = createHeapWatch(heapLimitMegabytes, endForMemory)
const memory = watchMemory(memoryLimit, heap, (culprit = { stack: '', owner: null }) => {
  // A command of the product may use the available memory: unlike a site, it does not grow indefinitely.
  if (kind === 'server' || isForeign(culprit.owner)) endForMemory(culprit)
})
setInterval(() => heap.look(heapMegabytes(), memory.isFilling), HEAP_TICK)

let count = -1
let blocked = 0
let nextLook = limit
let before = performance.now()
let starved = starvedFor()

for (;;) {
  await wait(TICK)
  const now = performance.now()
  const starvedNow = starvedFor()
  const passed = Math.max(0, Math.min(now - before, LONGEST_TICK) - (starvedNow - starved))
  before = now
  starved = starvedNow
  if (hasBeaten() || memory.isStopping) {
    blocked = 0
    nextLook = limit
    continue
  }
  blocked += passed
  if (limit === 0 || blocked < nextLook) continue
  nextLook += limit
  using main = connectMainThread()
  await examine(main)
}

/** Whether the event loop ran since the last look, or is not to be watched. */
function hasBeaten(): boolean {
  const last = count
  count = Atomics.load(beats, BEAT.count)
  return count !== last || Atomics.load(beats, BEAT.resting) === 1 || Atomics.load(beats, BEAT.inspected) === 1
}

async function examine(main: MainThread): Promise<void> {
  const found = await findCulprit(main)
  const seconds = blocked / 1000
  const { stack = '', owner = null } = found ?? {}
  if (isForeign(owner) || (kind === 'server' && blocked >= PRODUCT_FACTOR * limit)) {
    end({ ...blameFor(owner), kind: 'blocked', stack, seconds })
  } else if (kind === 'server') {
    parentPort?.postMessage({ seconds, stack } satisfies WatchdogMessage)
  }
}

/** Whether it is code of an extension that is not part of the product. */
function isForeign(owner: Identified): boolean {
  return owner !== null && !owner.isService
}

/** Of a command no service is paused. */
function blameFor(owner: Identified): Pick<Fault, 'extension' | 'hook' | 'place'> {
  return owner && (kind === 'server' || isForeign(owner))
    ? { extension: owner.extension, hook: owner.hook, place: owner.place }
    : NOBODY
}

function endForMemory({ stack, owner }: Sample): void {
  end({ ...blameFor(owner), kind: 'memory', stack, seconds: blocked / 1000 })
}

/** Of the code that the main thread is in, which it need not be interrupted for. */
function runningOwner(): Identified {
  const owner = owners.get(Atomics.load(running, 0))
  const { what, place = null } = readNativeCall(nativeCall)
  return owner ? { ...owner, place, hook: what } : null
}

/** Whether the main thread appears to be in the same code since then. */
function isStillIn(known: Identified): boolean {
  return Atomics.load(beats, BEAT.count) === count && runningOwner()?.extension === known?.extension
}

/** Heap size at the last heartbeat plus the growth of the process since then. */
function heapMegabytes(): number {
  const grown = rssMegabytes() - Atomics.load(beats, BEAT.rssMegabytes)
  return Atomics.load(beats, BEAT.heapMegabytes) + Math.max(0, grown)
}

/** A sample with code of an extension that is not a service, if there are as many as needed; else of a service; else any. */
async function findCulprit(main: MainThread): Promise<Sample | undefined> {
  let best: Sample | undefined
  const found = new Map<string, number>()
  for (let taken = 0; taken < SAMPLES.count && Atomics.load(beats, BEAT.count) === count; taken++) {
    const known = runningOwner()
    const sample = await main.sample(known ? KNOWN_PATIENCE : SAMPLES.patience)
    if (!sample) return isStillIn(known) ? { stack: readNativeCall(nativeCall).stack, owner: known } : best
    // Frames of generated code or WebAssembly have no owner.
    const owner = sample.owner ?? (isStillIn(known) ? known : null)
    if (owner && !owner.isService) {
      const times = (found.get(owner.extension) ?? 0) + 1
      if (times >= NEEDED[kind]) return { ...sample, owner }
      found.set(owner.extension, times)
    } else if (!best?.owner) best = { ...sample, owner }
    await wait(SAMPLES.apart)
  }
  return best
}

/** Ends the process immediately, because its state is unreliable; acknowledged writes are on disk. */
function end(known: Omit<Fault, 'process'>): void {
  const fault: Fault = { ...known, process: kind }
  try {
    if (kind === 'server') recordFault(siteDir, fault)
    // Users of a command read the terminal, not a log.
    else writeSync(2, `pentad: ${endCommand(fault)}\n`)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Records the fault if it affects other processes. @returns the reason for the end, and the consequence for the extension */
function endCommand(fault: Fault): string {
  if (fault.extension === null) return 'The site ran out of memory, and no extension could be identified.'
  const failed = `The extension ${fault.extension} failed: ${describeFault(fault)}`
  try {
    recordFault(siteDir, fault)
    return `${failed}\nIt is paused. Fix it, then activate it again.`
  } catch (error) {
    return `${failed}\nIt could not be paused: ${error}`
  }
}
