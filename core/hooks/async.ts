import type { Current, Frame } from './current.ts'
import { isThenable } from './guard.ts'
import type { AsyncFilters, Filters } from './names.ts'
import { type Caller, call, Pass, type PassKind } from './pass.ts'
import type { HookRecord, Store } from './store.ts'
import type { DispatchLimits, FilterRest, FilterValue, HookName, Hooks } from './types.ts'

type AsyncPair = Pick<Hooks, 'doActionAsync' | 'applyFiltersAsync'>

/**
 * The asynchronous pair: each callback is awaited before the next one is called. It does not use
 * tapable's asynchronous hooks: those must be told which callbacks return a promise, and here any
 * callback may do either. Nothing but a promise is awaited.
 * @returns Makes the pair under the given limits.
 */
export function createAsyncDispatch(store: Store, current: Current): (limits: DispatchLimits) => AsyncPair {
  const { all } = store
  const { chain } = current

  return ({ signal, timeout, refusable = true, onError }) => {
    const limits = { caller: timeout === undefined ? callAsItIs : callInTime(current, timeout), refusable, onError }

    function applyFiltersAsync<Name extends string>(
      name: HookName<Name, Filters & AsyncFilters>,
      value: FilterValue<Name>,
      ...rest: FilterRest<Name>
    ): Promise<FilterValue<Name>>
    function applyFiltersAsync(name: string, value: unknown, ...rest: unknown[]): Promise<unknown> {
      const record = store.open(name)
      record.filtered++
      return isIdle(record) ? Promise.resolve(value) : run(record, 'filter', [value, ...rest])
    }

    async function doActionAsync(name: string, ...args: unknown[]): Promise<void> {
      const record = store.open(name)
      record.acted++
      if (!isIdle(record)) await run(record, 'action', args)
    }

    /**
     * Begins in a microtask of its own: there the chain can be entered without having to be left,
     * which halves the price, and any synchronous dispatch is over.
     */
    async function run(record: HookRecord, kind: PassKind, args: unknown[]): Promise<unknown> {
      const frame: Frame = { name: record.name, parent: chain.getStore(), signal, ended: false }
      await undefined
      chain.enterWith(frame)
      try {
        if (all.listeners !== undefined) {
          await new Pass(all.listeners, 'all', frame, [record.name, ...args], limits).complete()
        }
        if (record.listeners !== undefined) {
          const pending = new Pass(record.listeners, kind, frame, args, limits).complete()
          if (pending !== undefined) await pending
        }
        return args[0]
      } finally {
        frame.ended = true
      }
    }

    return { doActionAsync, applyFiltersAsync }
  }

  function isIdle(record: HookRecord): boolean {
    return record.listeners === undefined && all.listeners === undefined
  }
}

const callAsItIs: Caller = (_frame, { callback }, args) => call(callback, args)

/** Passes over a callback that takes longer: its signal fires, and what it answers later is discarded. */
function callInTime({ chain }: Current, timeout: number): Caller {
  return (parent, { name, callback }, args) => {
    const late = new AbortController()
    const frame: Frame = { name: parent.name, parent, signal: late.signal, ended: false }
    const result = chain.run(frame, call, callback, args)
    if (!isThenable(result)) return result
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => {
      const error = new DOMException(`A callback of ${name} took longer than ${timeout} ms.`, 'TimeoutError')
      late.abort(error)
      reject(error)
    }, timeout)
    result.then(resolve, reject)
    return promise.finally(() => {
      clearTimeout(timer)
      frame.ended = true
    })
  }
}
