import { isThenable } from '../hooks/shapes.ts'
import { keepStacks } from './keep-stacks.ts'

/** The calls into an extension that have not ended, so that it is not torn down beneath them. */
export interface UnderWay {
  /**
   * What `call` answers; if that is a promise, the call is under way until it settles or is left.
   * @param onGivenUp Says when nobody waits for it any longer; then it does not count either.
   */
  track<Result>(call: () => Result, onGivenUp?: (listener: () => void) => void): Result
  /** Nobody waits for the promise of a call any longer. */
  leave(promise: PromiseLike<unknown>): void
  /** Resolves when no call is under way, or after that many milliseconds. */
  ended(longest: number): Promise<void>
}

export function createUnderWay(): UnderWay {
  const calls = new Set<PromiseLike<unknown>>()
  let waiting: PromiseWithResolvers<void> | undefined

  function leave(promise: PromiseLike<unknown>): void {
    calls.delete(promise)
    if (calls.size === 0) waiting?.resolve()
  }

  return {
    track(call, onGivenUp) {
      const result = keepStacks(call)
      if (isThenable(result)) {
        const end = () => leave(result)
        calls.add(result)
        result.then(end, end)
        onGivenUp?.(end)
      }
      return result
    },
    leave,
    async ended(longest) {
      if (calls.size === 0) return
      waiting ??= Promise.withResolvers()
      const timer = setTimeout(waiting.resolve, longest)
      await waiting.promise
      clearTimeout(timer)
    },
  }
}
