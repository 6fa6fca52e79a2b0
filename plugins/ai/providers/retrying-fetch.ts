import { setTimeout } from 'node:timers/promises'
import { retryAfterMs } from 'pentad'

/** Times that a request is sent again. */
const RETRIES = 2

/** Milliseconds before the first retry where the provider names no time; twice that before the second. */
const PAUSE = 1000

/** Milliseconds that are waited at most. A provider that wants more is not asked again: the caller is told how long to wait. */
const LONGEST_PAUSE = 8000

/** What may work the next time: time-outs, too many requests, and the server's own failures. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * `fetch` as providers want to be asked: again after what passes, when they say so (`Retry-After`, RFC 9110, 10.2.3;
 * OpenAI's finer `retry-after-ms`). It follows no redirects, which would carry the key to another server.
 */
export function createRetryingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    for (let retry = 0; ; retry++) {
      const pause = PAUSE * 2 ** retry
      try {
        const response = await fetch(input, { ...init, redirect: 'error' })
        const wait = wantedPause(response.headers) ?? pause
        if (!isPassing(response.status) || retry === RETRIES || wait > LONGEST_PAUSE) return response
        await response.body?.cancel()
        await setTimeout(wait, undefined, init?.signal ? { signal: init.signal } : {})
      } catch (error) {
        if (retry === RETRIES || init?.signal?.aborted || !isUnreachable(error)) throw error
        await setTimeout(pause, undefined, init?.signal ? { signal: init.signal } : {})
      }
    }
  }
}

/** How long a provider wants to be left alone, in milliseconds; `undefined` if it does not say. */
export function wantedPause(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  return exact >= 0 ? exact : retryAfterMs(headers.get('retry-after'))
}

/** Nobody answered: refused, no such name, cut off. An answer that leads elsewhere is one too, but stays what it is. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  return !(error.cause instanceof Error && error.cause.message === 'unexpected redirect')
}
