import { RateLimiterMemory } from 'rate-limiter-flexible'
import { RestError } from '../../errors.ts'

/** Comments of one address within the time, in seconds, after which it has to wait. */
const COMMENTS = 10
const TIME = 300

/** Lets one address send so many comments in a while; refused ones count, too. */
export function createAddressLimit(): (address: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: COMMENTS, duration: TIME })
  return async (address) => {
    try {
      await limiter.consume(address)
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      const message = 'You are posting comments too quickly. Please wait a few minutes.'
      throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': String(TIME) })
    }
  }
}
