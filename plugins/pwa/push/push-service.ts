import type { Pool } from 'undici'
import { type Breaker, createBreaker } from './breaker.ts'
import type { PushHosts } from './push-host.ts'
import { retryAfter } from './retry-after.ts'

/** Connections to one push service, and messages that wait for an answer or a connection at most. */
const CONNECTIONS = 32
const MOST_AT_ONCE = 256

/** Messages on their way to one of which nothing is known yet. */
const FIRST_AT_ONCE = 8

/** Milliseconds for a connection, and from sending a message to the end of its answer. */
const TIME_LIMIT = 5000

/** Bytes of an answer that are read: only its status and headers count. */
const LONGEST_ANSWER = 16_384

/** What became of one message. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The subscription is no more. */
  | { readonly kind: 'gone' }
  /** Refused for good; the subscription stays. */
  | { readonly kind: 'refused'; readonly why: string }
  /** May be tried again, not before `after` (milliseconds since 1970) where the push service said so. */
  | { readonly kind: 'again'; readonly why: string; readonly after?: number }

export interface Message {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** It failed before: should it fail again, that may be its receiver's fault rather than the push service's. */
  readonly isRetry: boolean
}

/** One push service: its connections, which are kept, and what is known of how it does. */
export interface PushService {
  readonly breaker: Breaker
  /** Resolves when one more message may go, to how many may; each has to be sent or given back. 0 when aborted. */
  slots(most: number, signal: AbortSignal): Promise<number>
  giveBack(slots: number): void
  /** Sends one message and frees its slot. Never rejects. */
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
  const breaker = createBreaker()
  const waiting = new Set<{ readonly most: number; readonly wake: () => void }>()
  /** Grows with each success and shrinks with each failure, so that a host that hangs never holds many connections. */
  let limit = FIRST_AT_ONCE
  let taken = 0

  /** Several at once: each group costs a write to the disk. */
  const hasRoom = (most: number) => limit - taken >= Math.min(most, Math.ceil(limit / 2))

  function free(count: number): void {
    taken -= count
    for (const { most, wake } of waiting) if (hasRoom(most)) wake()
  }

  /** Resolves when slots have become free, or nobody waits for them any more. */
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

/** One request and what its answer means. Redirects are not followed: they are an answer as any other. */
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
        timer = setTimeout(() => controller.abort(new Error('no answer in time')), TIME_LIMIT)
      },
      onResponseStart(_controller, status, { 'retry-after': header }) {
        // The rest of the answer is read within the same time, since the connection is kept.
        resolve(outcomeOf(status, typeof header === 'string' ? header : undefined, Date.now()))
      },
      onResponseData(controller, chunk) {
        length += chunk.length
        if (length > LONGEST_ANSWER) controller.abort(new Error('the answer is too long'))
      },
      onResponseEnd: () => end({ kind: 'again', why: 'no answer' }),
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

/** The code says what happened; messages may name the whole endpoint, which is a secret. */
function describe(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
