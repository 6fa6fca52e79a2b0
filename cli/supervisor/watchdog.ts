import { url as inspectorUrl } from 'node:inspector'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { SiteBeforeLoad } from '../../app/create-site.ts'
import type { Fault } from '../../app/faults/fault.ts'
import { nativeCall } from '../../app/faults/native-calls.ts'
import { listenToOwners, running } from '../../core/extensions/running-code.ts'
import { heapLimit } from './heap-limit.ts'
import {
  BEAT,
  IDENTIFY,
  type Identified,
  type OwnerMessage,
  type WatchdogData,
  type WatchdogMessage,
} from './heartbeat.ts'
import { createMemoryReader } from './process-figures.ts'

/** Watches the event loop of this process from a thread, for as long as a site is open. */
export interface Watchdog {
  /** From then on, code of that host's extensions is identified. The thread starts when code of one that is not a service is to run. */
  watch(host: SiteBeforeLoad): void
  /** Starts the thread for code of the product, if it is not running. */
  start(): void
  /** Between two hosts: opening one may take its time, for example where a database is migrated. */
  rest(): void
}

/**
 * Nothing is watched while Node's inspector is open: a debugger stops the event loop for as long as it likes.
 *
 * @param kind - What this process is.
 * @param processes - Number of processes that share the memory of the machine.
 */
export function createWatchdog(kind: Fault['process'], processes = 1): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(4 * Object.keys(BEAT).length))
  const readMemory = createMemoryReader()
  let host: SiteBeforeLoad | undefined
  let isStarted = false

  function beat(): void {
    Atomics.store(beats, BEAT.inspected, inspectorUrl() === undefined ? 0 : 1)
    Atomics.store(beats, BEAT.heapMegabytes, megabytes(getHeapStatistics().used_heap_size))
    Atomics.store(beats, BEAT.rssMegabytes, Math.round(readMemory()))
    Atomics.add(beats, BEAT.count, 1)
  }

  function start(first: SiteBeforeLoad): void {
    if (isStarted) return
    isStarted = true
    beat()
    setInterval(beat, 1000).unref()
    // The thread calls it through the inspector, which can only access globals.
    Reflect.set(globalThis, Symbol.for(IDENTIFY), identify)
    const { siteDir, stallLimitSeconds, memoryLimitMegabytes } = first.config
    const workerData: WatchdogData = {
      ...{ beats, running, nativeCall, kind, siteDir, stallLimitSeconds },
      heapLimitMegabytes: heapLimit(),
      memoryLimit: {
        megabytes: memoryLimitMegabytes ?? megabytes(memoryOfMachine() / processes),
        isChosen: memoryLimitMegabytes !== undefined,
      },
    }
    const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData, stdin: false })
    thread.unref()
    listenToOwners((number, owner) => thread.postMessage({ number, owner } satisfies OwnerMessage))
    thread.on('error', (error) => host?.log.error({ err: error }, 'watchdog failed'))
    thread.on('message', ({ seconds, stack }: WatchdogMessage) =>
      host?.log.warn({ seconds, stack }, 'event loop blocked'),
    )
  }

  /** Runs while the thread has stopped everything else. @returns JSON, `Identified[]` */
  function identify(...stacks: string[]): string {
    const hook = host?.hooks.currentFilter() || (host?.blame.caller()?.what ?? null)
    return JSON.stringify(
      stacks.map((stack): Identified => {
        const owner = host?.blame.ownerOfStack(stack)
        return owner ? { ...owner, hook } : null
      }),
    )
  }

  function startWithOwners(first: SiteBeforeLoad): void {
    listenToOwners((_number, { isService }) => {
      if (!isService) start(first)
    })
  }

  return {
    watch(next) {
      if (!host) startWithOwners(next)
      host = next
      Atomics.store(beats, BEAT.resting, 0)
    },
    start() {
      if (host) start(host)
    },
    rest: () => void Atomics.store(beats, BEAT.resting, 1),
  }
}

/** Memory limit of the container, or else of the machine, in bytes. */
function memoryOfMachine(): number {
  // Without a limit it is 0, or more than there is.
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
