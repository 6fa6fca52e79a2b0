import { isThenable } from '../hooks/shapes.ts'

/** Counts the calls into an extension that have not ended, so that it is not torn down beneath them. */
export interface UnderWay {
  /** What `call` answers; if that is a promise, the call is under way until it settles. */
  track<Result>(call: () => Result): Result
  /** Resolves when no call is under way, or after that many milliseconds. */
  ended(longest: number): Promise<void>
}

export function createUnderWay(): UnderWay {
  let count = 0
  let waiting: PromiseWithResolvers<void> | undefined

  function leave(): void {
    count--
    if (count === 0) waiting?.resolve()
  }

  return {
    track(call) {
      const result = call()
      if (isThenable(result)) {
        count++
        result.then(leave, leave)
      }
      return result
    },
    async ended(longest) {
      if (count === 0) return
      waiting ??= Promise.withResolvers()
      const timer = setTimeout(waiting.resolve, longest)
      await waiting.promise
      clearTimeout(timer)
    },
  }
}
