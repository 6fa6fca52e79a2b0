import { createHash } from 'node:crypto'
import { RestError } from '../../core/errors.ts'
import { networkOf } from '../../core/http/client-address.ts'
import type { RateLimitStore } from './types.ts'

/** Limits how often a network may do something. */
export interface RateLimit {
  /** Counts one attempt. @throws RestError 429 `rest_too_many_requests` if the limit is exceeded */
  consume(address: string): Promise<void>
  /** Checks without counting. @throws RestError 429 `rest_too_many_requests` if another attempt would exceed the limit */
  check(address: string): Promise<void>
}

export interface RateLimitOptions {
  /** Attempts allowed within the period. */
  readonly points: number
  /** The period, which starts with the first attempt. */
  readonly seconds: number
  /** Error message for clients over the limit. */
  readonly message: string
  /**
   * With PostgreSQL or Redis, all processes of the site share counts under this unique name; otherwise, each process counts in memory, and its
   * counts are lost when it exits.
   */
  readonly shared?: { readonly name: string; readonly store: RateLimitStore }
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { points, seconds: duration, message, shared } = options
  let opened: ReturnType<typeof open> | undefined

  /** Imported on first use, so that startup does not wait for it. */
  async function open() {
    const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible')
    const limiter =
      (await shared?.store.open({ name: shared.name, points, duration })) ?? new RateLimiterMemory({ points, duration })
    return { limiter, Refused: RateLimiterRes }
  }

  function refusal({ msBeforeNext }: { readonly msBeforeNext: number }): RestError {
    const headers = { 'Retry-After': String(Math.ceil(msBeforeNext / 1000)) }
    return new RestError('rest_too_many_requests', message, { status: 429 }, headers)
  }

  /** The store contains no addresses. */
  function keyOf(address: string): string {
    const network = networkOf(address)
    return shared ? createHash('sha256').update(network).digest('base64url') : network
  }

  return {
    async consume(address) {
      opened ??= open()
      const { limiter, Refused } = await opened
      try {
        await limiter.consume(keyOf(address))
      } catch (reason) {
        throw reason instanceof Refused ? refusal(reason) : reason
      }
    },
    async check(address) {
      opened ??= open()
      const { limiter } = await opened
      const known = await limiter.get(keyOf(address))
      if (known && known.consumedPoints >= points) throw refusal(known)
    },
  }
}
