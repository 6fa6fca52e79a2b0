import { setTimeout } from 'node:timers/promises'
import { retryAfterMs } from 'pentad'

/** Times that a request is sent again. */
const RETRIES = 2

/** Milliseconds before the first retry where the provider names no time; twice that before the second. */
const PAUSE = 1000

/** Milliseconds that are waited at most. A provider that wants more is not asked again: the caller is told how long to wait. */
const LONGEST_PAUSE = 8000

/** Bytes of an answer: more than any text or image. What goes on and on would fill the memory of the site. */
const LONGEST_ANSWER = 32 * 1024 * 1024

/** Milliseconds of a pause that a caller is told of. Who asks for more than a day means “not today”, or nothing at all. */
const LONGEST_TOLD = 86_400_000

/** What may work the next time: time-outs, too many requests, and the server's own failures. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/**
 * `fetch` as providers want to be asked: again after what passes, when they say so (`Retry-After`, RFC 9110, 10.2.3;
 * OpenAI's finer `retry-after-ms`). It follows no redirects, which would carry the key to another server, and reads no
 * answer without end.
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

/** The answer, whose body fails where it gets too long. */
function bounded(response: Response): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  let left = LONGEST_ANSWER
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) controller.error(new RangeError('The response of the provider is too large.'))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}

/** How long a provider wants to be left alone, in milliseconds, a day at most; `undefined` if it does not say. */
export function wantedPause(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  const pause = exact >= 0 ? exact : retryAfterMs(headers.get('retry-after'))
  return pause === undefined ? undefined : Math.min(pause, LONGEST_TOLD)
}

/** Nobody answered: refused, no such name, cut off. An answer that leads elsewhere is one too, but stays what it is. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  return !(error.cause instanceof Error && error.cause.message === 'unexpected redirect')
}
