import { deprecate } from 'node:util'
import { AsyncRun, type RunKind, type RunLimits } from './async-run.ts'
import { callInTime } from './call-in-time.ts'
import { type Current, createFrame } from './current.ts'
import type { DispatchFrame } from './frame.ts'
import type { FilterName, OfferedFilter } from './hook-name.ts'
import type { Listeners } from './listeners.ts'
import { enterChain, leaveChain } from './recursion.ts'
import type { HookRecord, Store } from './store.ts'
import type { DispatchLimits, FilterRest, FilterValue, Hooks } from './types.ts'
import type { TimeLimits, WaitingTime } from './waiting.ts'

// The former name: cspell:ignore refusable

interface AsyncDispatch extends Pick<Hooks, 'doActionAsync' | 'applyFiltersAsync'> {
  /** Dispatches a filter to these callbacks only. */
  applyOnlyAsync(only: Listeners, name: string, args: unknown[]): Promise<unknown>
}

/** Limits for dispatches that a request waits for. */
export interface RequestLimits {
  /** Time used by the request that the running code belongs to; `undefined` outside of requests. */
  readonly waiting: () => WaitingTime | undefined
  readonly limits: () => TimeLimits
}

const readRefusable = deprecate(
  (refusable: boolean) => refusable,
  'The `refusable` option of hooks.limited was renamed to `cancelable`.',
)

/** Awaited by every dispatch before it starts: awaiting any other value would create a promise each time. */
const READY = Promise.resolve()

/**
 * Creates the asynchronous pair, which awaits each callback before it calls the next one. Only promises are awaited.
 * @returns a function that creates the pair with given limits.
 */
export function createAsyncDispatch(
  store: Store,
  current: Current,
  request: RequestLimits | undefined,
): (limits: DispatchLimits) => AsyncDispatch {
  const { all } = store
  const { chain } = current

  return (given) => {
    const { signal, timeout, onError } = given
    const cancelable = given.cancelable ?? (given.refusable === undefined || readRefusable(given.refusable))
    const unlimited: RunLimits = { caller: undefined, cancelable, onError }

    function applyFiltersAsync<Name extends OfferedFilter>(
      name: FilterName<Name>,
      value: FilterValue<Name>,
      ...rest: FilterRest<Name>
    ): Promise<FilterValue<Name>>
    function applyFiltersAsync(name: string, value: unknown, ...rest: unknown[]): Promise<unknown> {
      const record = store.recordOf(name)
      record.filterCount++
      return isIdle(record) ? Promise.resolve(value) : run(record, 'filter', [value, ...rest])
    }

    async function doActionAsync(name: string, ...args: unknown[]): Promise<void> {
      const record = store.recordOf(name)
      record.actionCount++
      if (!isIdle(record)) await run(record, 'action', args)
    }

    function run(record: HookRecord, kind: RunKind, args: unknown[], only?: Listeners): Promise<unknown> {
      const frame = createFrame(record.name, chain.getStore(), signal)
      return complete(new AsyncRun(record, kind, frame, args, limitsOf(frame), only))
    }

    function limitsOf({ parent }: DispatchFrame): RunLimits {
      const waiting = request?.waiting()
      if (request === undefined || waiting === undefined) {
        if (timeout === undefined) return unlimited
        return { ...unlimited, caller: callInTime(current, { callback: timeout, request: timeout }) }
      }
      const limits = request.limits()
      const times = { ...limits, callback: timeout ?? limits.callback }
      return { ...unlimited, caller: callInTime(current, times, waiting, parent === undefined) }
    }

    function applyOnlyAsync(only: Listeners, name: string, args: unknown[]): Promise<unknown> {
      return run(store.recordOf(name), 'filter', args, only)
    }

    return { doActionAsync, applyFiltersAsync, applyOnlyAsync }
  }

  /** Starts in its own microtask, so that `enterWith` needs no matching exit, and after any synchronous dispatch. */
  function complete(pass: AsyncRun): Promise<unknown> {
    const { frame } = pass
    try {
      if (frame.parent !== undefined && !enterChain(frame)) {
        leaveChain(frame)
        return Promise.resolve(pass.value)
      }
    } catch (error) {
      leaveChain(frame)
      return Promise.reject(error)
    }
    return READY.then(() => {
      chain.enterWith(frame)
      if (all.listeners !== undefined) return completeAfterAll(pass)
      let pending: Promise<void> | undefined
      try {
        pending = pass.complete()
      } catch (error) {
        leaveChain(frame)
        throw error
      }
      if (pending !== undefined) return completeAfter(pass, pending)
      leaveChain(frame)
      return pass.value
    })
  }

  async function completeAfterAll(pass: AsyncRun): Promise<unknown> {
    try {
      await pass.forAllHook(all).complete()
      await pass.complete()
      return pass.value
    } finally {
      leaveChain(pass.frame)
    }
  }

  async function completeAfter(pass: AsyncRun, pending: Promise<void>): Promise<unknown> {
    try {
      await pending
      return pass.value
    } finally {
      leaveChain(pass.frame)
    }
  }

  function isIdle(record: HookRecord): boolean {
    return record.listeners === undefined && all.listeners === undefined
  }
}
