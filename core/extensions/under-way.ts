import { isThenable } from '../hooks/shapes.ts'

/** Counts the calls into an extension that have not ended, so that it is not torn down beneath them. */
export interface UnderWay {
  /**
   * What `call` answers; if that is a promise, the call is under way until it settles.
   * @param onGivenUp Says when nobody waits for it any longer; then it does not count either.
   */
  track<Result>(call: () => Result, onGivenUp?: (listener: () => void) => void): Result
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
    track(call, onGivenUp) {
      const result = call()
      if (isThenable(result)) {
        let isUnderWay = true
        const end = () => {
          if (isUnderWay) leave()
          isUnderWay = false
        }
        count++
        result.then(end, end)
        onGivenUp?.(end)
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
