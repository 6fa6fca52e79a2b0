import { setTimeout } from 'node:timers/promises'
import { retryAfterMs } from 'pentad'

/** Maximum number of retries. */
const RETRIES = 2

/** Delay before the first retry in ms, if the provider names none; doubled for the second. */
const PAUSE = 1000

/** Maximum delay before a retry, in ms. If the provider asks for more, the caller gets the delay instead. */
const LONGEST_PAUSE = 8000

/** Maximum size of a response in bytes, which protects memory from endless responses. */
const LONGEST_RESPONSE = 32 * 1024 * 1024

/** Maximum delay reported to callers, in ms. Longer ones mean “not today”. */
const LONGEST_TOLD = 86_400_000

/** Statuses worth a retry: timeouts, too many requests, server errors. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * `fetch` with retries for temporary errors, after the delay that the provider requests (`Retry-After`, RFC 9110,
 * 10.2.3; OpenAI's `retry-after-ms`). Does not follow redirects, which would send the key to another server, and limits
 * the response size.
 */
export function createRetryingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    for (let retry = 0; ; retry++) {
      const pause = PAUSE * 2 ** retry
      try {
        const response = await fetch(input, { ...init, redirect: 'error' })
        const wait = wantedPause(response.headers) ?? pause
        if (!isPassing(response.status) || retry === RETRIES || wait > LONGEST_PAUSE) return bounded(response)
        await response.body?.cancel()
        await setTimeout(wait, undefined, init?.signal ? { signal: init.signal } : {})
      } catch (error) {
        if (retry === RETRIES || init?.signal?.aborted || !isUnreachable(error)) throw error
        await setTimeout(pause, undefined, init?.signal ? { signal: init.signal } : {})
      }
    }
  }
}

/** The response with a body that fails above the maximum size. */
function bounded(response: Response): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  let left = LONGEST_RESPONSE
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) controller.error(new RangeError('The response from the provider is too large.'))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}

/** The delay that a provider requests, in ms, at most a day; `undefined` if it sends none. */
export function wantedPause(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  const pause = exact >= 0 ? exact : retryAfterMs(headers.get('retry-after'))
  return pause === undefined ? undefined : Math.min(pause, LONGEST_TOLD)
}

/** Network errors: connection refused, unknown host, connection reset. A redirect also throws, but is not retried. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  return !(error.cause instanceof Error && error.cause.message === 'unexpected redirect')
}
