import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import type { Description } from '../owner.ts'
import { preserveStackTraces } from './preserve-stack-traces.ts'
import { numberOf, runAs } from './running-code.ts'

/** The extension code that started the running async context. */
export interface Origin {
  readonly extension: string
  /** Number in `running-code.ts`. */
  readonly number: number
  /** Identifies the code of this version. */
  readonly code: string
  /** `undefined` while it is being loaded and set up, and in timers set meanwhile. */
  readonly what: Description | undefined
}

/** Calls code of one version of an extension. Async work that it starts (timers, sockets, promises) is attributed to it. */
export interface OwnContext {
  run<Result>(work: () => Result, what?: Description): Result
  /**
   * Like `run`, but enters a new context only if the code would otherwise be attributed to another extension. Much cheaper: for services,
   * whose callbacks may run thousands of times per page.
   */
  runAmongOthers<Result>(work: () => Result, what?: Description): Result
}

/** Calls of extension code, for tracing: `{ extension, what }`, and at the end `result`. */
const calls = tracingChannel('pentad.extension-call')

/** Shared by all extensions of a host. */
export interface Origins {
  /** `undefined` if no extension started the running code, or if it is unknown. */
  current(): Origin | undefined
  contextOf(extension: string, code: string, isService: boolean): OwnContext
}

export function createOrigins(): Origins {
  const storage = new AsyncLocalStorage<Origin>()
  return {
    current: () => storage.getStore(),
    contextOf(extension, code, isService) {
      const number = numberOf(extension, isService)
      const call = <Result>(work: () => Result, what?: Description): Result =>
        calls.start.hasSubscribers
          ? calls.traceSync(runAs, { extension, what }, undefined, number, preserveStackTraces<Result>, work)
          : runAs(number, preserveStackTraces<Result>, work)
      const isKnown = (origin: Origin | undefined, what: Description | undefined) =>
        origin?.code === code && (origin.what !== undefined || what === undefined)
      const enter: OwnContext['run'] = (work, what) =>
        storage.run({ extension, number, code, what }, call<ReturnType<typeof work>>, work, what)
      return {
        run: (work, what) => (isKnown(storage.getStore(), what) ? call(work, what) : enter(work, what)),
        runAmongOthers(work, what) {
          const origin = storage.getStore()
          return origin === undefined || isKnown(origin, what) ? call(work, what) : enter(work, what)
        },
      }
    },
  }
}
