import { AsyncLocalStorage } from 'node:async_hooks'
import { keepStacks } from './keep-stacks.ts'
import { numberOf, runAs } from './running-code.ts'

/** Says what of an extension runs, for the log: a route, or a hook with the callback's file and line. */
export type Description = () => string

/** The code of an extension that started what runs now. */
export interface Origin {
  readonly extension: string
  /** Of `running-code.ts`. */
  readonly number: number
  /** Name of the code of this version. */
  readonly code: string
  /** `undefined` while it is loaded and set up, and in timers set there. */
  readonly what: Description | undefined
}

/** Calls code of one version of an extension. What it starts and leaves to itself (timers, sockets, promises) is known to be its. */
export interface OwnContext {
  run<Result>(work: () => Result, what?: Description): Result
  /**
   * The same only where it would be taken for code of another extension: for callbacks of synchronous filters, which may run
   * thousands of times for a page, and for code of the product. Costs next to nothing.
   */
  runAmongOthers<Result>(work: () => Result, what?: Description): Result
}

/** One for all extensions of a host. */
export interface Origins {
  /** `undefined` where no extension started what runs now, or that is not known. */
  current(): Origin | undefined
  contextOf(extension: string, code: string, isService: boolean): OwnContext
}

export function createOrigins(): Origins {
  const storage = new AsyncLocalStorage<Origin>()
  return {
    current: () => storage.getStore(),
    contextOf(extension, code, isService) {
      const number = numberOf(extension, isService)
      const call = <Result>(work: () => Result): Result => runAs(number, keepStacks<Result>, work)
      const isKnown = (origin: Origin | undefined, what: Description | undefined) =>
        origin?.code === code && (origin.what !== undefined || what === undefined)
      const enter: OwnContext['run'] = (work, what) =>
        storage.run({ extension, number, code, what }, call<ReturnType<typeof work>>, work)
      return {
        run: (work, what) => (isKnown(storage.getStore(), what) ? call(work) : enter(work, what)),
        runAmongOthers(work, what) {
          const origin = storage.getStore()
          return origin === undefined || isKnown(origin, what) ? call(work) : enter(work, what)
        },
      }
    },
  }
}
