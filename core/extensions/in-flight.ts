import type { Readable } from 'node:stream'
import { isThenable } from '../hooks/value-kind.ts'
import type { Description } from '../owner.ts'
import type { OwnContext } from './origin.ts'

/** Tracks calls into an extension that are in progress; teardown waits for them. */
export interface InFlight {
  /**
   * Runs `call` and returns its result; a promise counts as in progress until it settles or is abandoned.
   * @param onAbandoned Registers a listener that is called when the caller stops waiting; the call then no longer counts as in progress.
   */
  track<Result>(call: () => Result, what: Description, onAbandoned?: (listener: () => void) => void): Result
  /** Tracks a stream being sent; it is listed, but `idle` does not wait for it. */
  watch(stream: Readable, what: string): void
  /** Records that the caller stopped waiting for a promise. */
  abandon(promise: PromiseLike<unknown>): void
  /** Descriptions of the calls in progress. */
  list(): string[]
  /** Resolves to `true` when no call is in progress, or to `false` after that many milliseconds. */
  idle(longest: number): Promise<boolean>
}

/** @param context - The async context in which the calls run. */
export function createInFlight(context: OwnContext): InFlight {
  const calls = new Map<PromiseLike<unknown>, Description>()
  const streams = new Map<Readable, string>()
  let waiting: PromiseWithResolvers<void> | undefined

  function abandon(promise: PromiseLike<unknown>): void {
    calls.delete(promise)
    if (calls.size === 0) waiting?.resolve()
  }

  function follow<Result>(result: Result, what: Description, onAbandoned?: (listener: () => void) => void): Result {
    if (isThenable(result)) {
      const end = () => abandon(result)
      calls.set(result, what)
      result.then(end, end)
      onAbandoned?.(end)
    }
    return result
  }

  return {
    track: (call, what, onAbandoned) => follow(context.run(call, what), what, onAbandoned),
    watch(stream, what) {
      streams.set(stream, what)
      stream.once('close', () => streams.delete(stream))
    },
    abandon,
    list: () => [...Array.from(calls.values(), (what) => what()), ...streams.values()],
    async idle(longest) {
      if (calls.size === 0) return true
      waiting = Promise.withResolvers()
      const timer = setTimeout(waiting.resolve, longest)
      await waiting.promise
      clearTimeout(timer)
      return calls.size === 0
    },
  }
}
