declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /** For `createRateLimit`: counts that all processes of the site share. */
    readonly rateLimitStore: RateLimitStore
  }
}

/** One rate limit: attempts within a period. */
export interface SharedLimit {
  /** Unique. */
  readonly name: string
  readonly points: number
  /** The period in seconds. */
  readonly duration: number
}

/** A limiter of rate-limiter-flexible. */
interface Limiter {
  /** Rejects with a `RateLimiterRes` if the limit is exceeded. */
  consume(key: string): Promise<unknown>
  get(key: string): Promise<{ readonly consumedPoints: number; readonly msBeforeNext: number } | null>
}

/** Rate limit counters that all processes of a site share, in Redis or, without it, in PostgreSQL. */
export interface RateLimitStore {
  /** @returns `undefined` if each process counts in memory */
  open(limit: SharedLimit): Promise<Limiter | undefined>
}
