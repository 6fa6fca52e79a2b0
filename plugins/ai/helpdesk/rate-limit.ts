import { createRateLimit, type RateLimit, type RateLimitOptions } from 'pentad'
import type { HelpdeskSettings } from './settings.ts'

const SECONDS = 600

/** Rate limit per network and 10 minutes (setting `helpdeskRateLimit`). */
export function createHelpdeskLimit(
  settings: () => Pick<HelpdeskSettings, 'helpdeskRateLimit'>,
  message: string,
  shared: NonNullable<RateLimitOptions['shared']>,
): Pick<RateLimit, 'consume'> {
  let points: number | undefined
  let limit: RateLimit | undefined

  return {
    async consume(address) {
      const { helpdeskRateLimit } = settings()
      if (!limit || helpdeskRateLimit !== points) {
        points = helpdeskRateLimit
        limit = createRateLimit({ points, seconds: SECONDS, message, shared })
      }
      await limit.consume(address)
    },
  }
}
