import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RestError } from '../../core/errors.ts'
import { networkOf } from '../../core/http/client-address.ts'

/** Limits how often a network may do something. Counts are lost when the process ends. */
export interface RateLimit {
  /** Counts one attempt. @throws RestError 429 `rest_too_many_requests` if the limit is exceeded */
  consume(address: string): Promise<void>
  /** Checks without counting. @throws RestError 429 `rest_too_many_requests` if another attempt would exceed the limit */
  check(address: string): Promise<void>
}

/**
 * @param options.points attempts allowed within the period
 * @param options.seconds the period, which starts with the first attempt
 * @param options.message error message for clients over the limit
 */
export function createRateLimit(options: { points: number; seconds: number; message: string }): RateLimit {
  const { points, seconds, message } = options
  let opened: ReturnType<typeof open> | undefined

  /** Imported on first use, so that startup does not wait for it. */
  async function open() {
    const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible')
    return { limiter: new RateLimiterMemory({ points, duration: seconds }), Refused: RateLimiterRes }
  }

  function refusal({ msBeforeNext }: RateLimiterRes): RestError {
    const headers = { 'Retry-After': String(Math.ceil(msBeforeNext / 1000)) }
    return new RestError('rest_too_many_requests', message, { status: 429 }, headers)
  }

  return {
    async consume(address) {
      opened ??= open()
      const { limiter, Refused } = await opened
      try {
        await limiter.consume(networkOf(address))
      } catch (reason) {
        throw reason instanceof Refused ? refusal(reason) : reason
      }
    },
    async check(address) {
      opened ??= open()
      const { limiter } = await opened
      const known = await limiter.get(networkOf(address))
      if (known && known.consumedPoints >= points) throw refusal(known)
    },
  }
}
