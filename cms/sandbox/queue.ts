import { RestError } from '../../core/errors.ts'
import { causedByOtherCode } from '../../core/http/time-limit.ts'

/**
 * Limits how many calls of an extension run at the same time, for each level of nesting on its own: a call waits only for calls of the
 * next level, which it causes, so calls never wait for each other in a circle.
 *
 * @param atOnce - Calls of a level that run at the same time. @param most - Calls of a level that wait; more are rejected.
 */
export function createQueue(atOnce: number, most: number) {
  const levels = new Map<number, { running: number; waiting: (() => void)[] }>()
  return {
    /** Runs a call when it is its turn. @throws RestError 503 `extension_busy`; the error of `work` */
    async run<Result>(level: number, work: () => Promise<Result>): Promise<Result> {
      const state = levels.get(level) ?? { running: 0, waiting: [] }
      levels.set(level, state)
      if (state.running < atOnce) state.running++
      else if (state.waiting.length >= most) throw busy('The extension has too many pending calls.')
      else await new Promise<void>((resolve) => state.waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = state.waiting.shift()
        // The next call takes this one's place.
        if (next) next()
        else state.running--
      }
    },
  }
}

/** The extension cannot work on a call now. Visitors see this error. */
export function busy(reason: string): RestError {
  const message = `${reason} Try again in a few seconds.`
  return blameless(new RestError('extension_busy', message, { status: 503 }, { 'Retry-After': '5' }))
}

/** What a call would pass to the extension is too large: it is not called. */
export function tooLarge(what: string, limits: { readonly input: number; readonly values: number }): RestError {
  const message = `${what} exceeds the limit for sandboxed extensions: ${limits.input} characters or ${limits.values} values of JSON.`
  return blameless(new RestError('rest_request_too_large', message, { status: 413 }))
}

/** The error without a status if the extension could not be called: such an error does not cancel the dispatch, so the page is shown. */
export function forPages(error: unknown): unknown {
  return error instanceof RestError && causedByOtherCode.has(error) ? blameless(new Error(error.message)) : error
}

/** The error is not the fault of the extension, so it does not count toward a pause. */
function blameless<Problem extends Error>(error: Problem): Problem {
  causedByOtherCode.add(error)
  return error
}
