import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RestError } from '../../core/errors.ts'
import { networkOf } from '../../core/http/client-address.ts'

/** Lets one network do something so many times in a while. It is forgotten when the process ends. */
export interface RateLimit {
  /** Counts one more. @throws RestError 429 `rest_too_many_requests` if that is one too many */
  consume(address: string): Promise<void>
  /** Counts nothing. @throws RestError 429 `rest_too_many_requests` if one more would be too many */
  check(address: string): Promise<void>
}

/**
 * @param options.points how many are allowed within the time
 * @param options.seconds the time, which begins with the first
 * @param options.message what is said to who has to wait
 */
export function createRateLimit(options: { points: number; seconds: number; message: string }): RateLimit {
  const { points, seconds, message } = options
  let opened: ReturnType<typeof open> | undefined

  /** Loaded with the first visitor to be counted: a start need not wait for it. */
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
