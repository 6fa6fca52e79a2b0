import type { SharedLimit } from './types.ts'

/** What limiters of both kinds have in common. */
export async function limiterOptions({ name, points, duration }: SharedLimit) {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  return {
    ...{ keyPrefix: name, points, duration },
    // A network over the limit costs no queries, and a store that fails does not lift the limit.
    ...{ inMemoryBlockOnConsumed: points + 1, insuranceLimiter: new RateLimiterMemory({ points, duration }) },
  }
}
