import type { Pool } from 'undici'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import type { PushHosts } from './push-host.ts'
import { retryAfter } from './retry-after.ts'

/** Maximum connections and concurrent messages per push service. */
const CONNECTIONS = 32
const MOST_AT_ONCE = 256

/** Initial concurrency limit. */
const FIRST_AT_ONCE = 8

/** Timeout in milliseconds for connecting, and for a request. */
const TIME_LIMIT = 5000

/** Maximum bytes of a response body, which is ignored. */
const LONGEST_RESPONSE = 16_384

/** Outcome of a message. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The subscription has expired. */
  | { readonly kind: 'gone' }
  /** Rejected permanently; the subscription is kept. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Can be retried, not before `after` (milliseconds since 1970) if the push service sent it. */
  | { readonly kind: 'again'; readonly why: string; readonly after?: number }

export interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** It failed before, so another failure may be caused by this receiver rather than by the push service. */
  readonly isRetry: boolean
}

/** A push service with its connection pool and state. */
export interface PushService {
  readonly breaker: CircuitBreaker
  /** Waits for free slots and returns their number; each must be used or given back. 0 when aborted. */
  slots(most: number, signal: AbortSignal): Promise<number>
  giveBack(slots: number): void
  /** Sends a message and frees its slot. Never rejects. */
  send(message: Message): Promise<Outcome>
  close(): Promise<void>
}

export async function openPushService(origin: string, hosts: PushHosts): Promise<PushService> {
  const { Pool } = await import('undici')
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { lookup: hosts.lookup, timeout: TIME_LIMIT },
    headersTimeout: TIME_LIMIT,
    bodyTimeout: TIME_LIMIT,
  })
  const breaker = createCircuitBreaker()
  const waiting = new Set<{ readonly most: number; readonly wake: () => void }>()
  /** Adaptive concurrency limit, so that a host that hangs does not hold many connections. */
  let limit = FIRST_AT_ONCE
  let taken = 0

  /** Hands out several slots at once, since each group requires a disk write. */
  const hasRoom = (most: number) => limit - taken >= Math.min(most, Math.ceil(limit / 2))

  function free(count: number): void {
    taken -= count
    for (const { most, wake } of waiting) if (hasRoom(most)) wake()
  }

  /** Resolves when slots are free or the signal is aborted. */
  async function woken(most: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter = { most, wake: () => resolve() }
    waiting.add(waiter)
    signal.addEventListener('abort', waiter.wake, { once: true })
    await promise
    waiting.delete(waiter)
    signal.removeEventListener('abort', waiter.wake)
  }

  function learn(outcome: Outcome, isRetry: boolean): void {
    const now = Date.now()
    if (outcome.kind !== 'again') {
      breaker.succeeded()
      limit = Math.min(limit + 2, MOST_AT_ONCE)
      return
    }
    limit = Math.max(1, limit >> 1)
    if (outcome.after !== undefined) breaker.pause(outcome.after)
    else if (!isRetry) breaker.failed(now)
  }

  return {
    breaker,
    async slots(most, signal) {
      while (!hasRoom(most)) {
        if (signal.aborted) return 0
        await woken(most, signal)
      }
      const count = Math.min(most, limit - taken)
      taken += count
      return count
    },
    giveBack: free,
    async send(message) {
      const outcome = await exchange(pool, message)
      learn(outcome, message.isRetry)
      free(1)
      return outcome
    },
    close: () => pool.destroy(),
  }
}

/** Sends a request and interprets the response. Redirects are not followed. */
function exchange(pool: Pool, { path, headers, body }: Message): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let timer: NodeJS.Timeout | undefined
  let length = 0
  const end = (outcome: Outcome) => {
    clearTimeout(timer)
    resolve(outcome)
  }

  pool.dispatch(
    { method: 'POST', path, headers, body },
    {
      onRequestStart(controller) {
        timer = setTimeout(() => controller.abort(new Error('response timeout')), TIME_LIMIT)
      },
      onResponseStart(_controller, status, { 'retry-after': header }) {
        // The body is still read within the timeout, since the connection is reused.
        resolve(outcomeOf(status, typeof header === 'string' ? header : undefined, Date.now()))
      },
      onResponseData(controller, chunk) {
        length += chunk.length
        if (length > LONGEST_RESPONSE) controller.abort(new Error('response too large'))
      },
      onResponseEnd: () => end({ kind: 'again', why: 'no response' }),
      onResponseError: (_controller, error) => end({ kind: 'again', why: describe(error) }),
    },
  )
  return promise
}

/** RFC 8030, 5 and 7.3; RFC 9110 for the rest. */
function outcomeOf(status: number, header: string | undefined, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const why = `status ${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', why }
  const after = retryAfter(header, now)
  return after === undefined ? { kind: 'again', why } : { kind: 'again', why, after }
}

/** The error code; messages can contain the endpoint, which is secret. */
function describe(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
