import type { Readable } from 'node:stream'
import { isThenable } from '../hooks/value-kind.ts'
import type { Description, OwnContext } from './origin.ts'

/** The calls into an extension that have not ended, so that it is not torn down beneath them. */
export interface InFlight {
  /**
   * What `call` answers; if that is a promise, the call is under way until it settles or is left.
   * @param onGivenUp Says when nobody waits for it any longer; then it does not count either.
   */
  track<Result>(call: () => Result, what: Description, onGivenUp?: (listener: () => void) => void): Result
  /** The same of a callback of a filter. */
  trackFilter<Result>(call: () => Result, what: Description): Result
  /** A stream of it is being sent. It is listed, but not waited for. */
  watch(stream: Readable, what: string): void
  /** Nobody waits for the promise of a call any longer. */
  leave(promise: PromiseLike<unknown>): void
  /** What is in progress. */
  list(): string[]
  /** Resolves when no call is under way, or after that many milliseconds, to whether none is. */
  ended(longest: number): Promise<boolean>
}

/** @param context - Where the calls run. */
export function createInFlight(context: OwnContext): InFlight {
  const calls = new Map<PromiseLike<unknown>, Description>()
  const streams = new Map<Readable, string>()
  let waiting: PromiseWithResolvers<void> | undefined

  function leave(promise: PromiseLike<unknown>): void {
    calls.delete(promise)
    if (calls.size === 0) waiting?.resolve()
  }

  function follow<Result>(result: Result, what: Description, onGivenUp?: (listener: () => void) => void): Result {
    if (isThenable(result)) {
      const end = () => leave(result)
      calls.set(result, what)
      result.then(end, end)
      onGivenUp?.(end)
    }
    return result
  }

  return {
    track: (call, what, onGivenUp) => follow(context.run(call, what), what, onGivenUp),
    trackFilter: (call, what) => follow(context.runAmongOthers(call, what), what),
    watch(stream, what) {
      streams.set(stream, what)
      stream.once('close', () => streams.delete(stream))
    },
    leave,
    list: () => [...Array.from(calls.values(), (what) => what()), ...streams.values()],
    async ended(longest) {
      if (calls.size === 0) return true
      waiting = Promise.withResolvers()
      const timer = setTimeout(waiting.resolve, longest)
      await waiting.promise
      clearTimeout(timer)
      return calls.size === 0
    },
  }
}
