import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import type { Database, Schema } from '../../core/database/index.ts'
import { RestError } from '../../core/errors.ts'
import { networkOf } from '../../core/http/client-address.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    rate_limits: RateLimitTable
  }
}

/** Columns as rate-limiter-flexible expects them. */
interface RateLimitTable {
  key: string
  points: number
  /** Milliseconds since 1970. */
  expire: number | null
}

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
   * With PostgreSQL, all processes of the site share counts under this unique name; otherwise, each process counts in memory, and its counts are lost
   * when it exits.
   */
  readonly shared?: { readonly name: string; readonly database: Pick<Database, 'kind' | 'db'> }
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { points, seconds: duration, message, shared } = options
  let opened: ReturnType<typeof open> | undefined

  /** Imported on first use, so that startup does not wait for it. */
  async function open() {
    const { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } = await import('rate-limiter-flexible')
    const inMemory = new RateLimiterMemory({ points, duration })
    const limiter =
      shared?.database.kind === 'postgres'
        ? new RateLimiterPostgres({
            ...{ points, duration, keyPrefix: shared.name, tableName: 'rate_limits', tableCreated: true },
            ...{ storeClient: clientOf(shared.database.db), storeType: 'pool', clearExpiredByTimeout: false },
            // A network over the limit costs no queries, and a database that fails does not lift the limit.
            ...{ inMemoryBlockOnConsumed: points + 1, insuranceLimiter: inMemory },
          })
        : inMemory
    return { limiter, Refused: RateLimiterRes }
  }

  function refusal({ msBeforeNext }: RateLimiterRes): RestError {
    const headers = { 'Retry-After': String(Math.ceil(msBeforeNext / 1000)) }
    return new RestError('rest_too_many_requests', message, { status: 429 }, headers)
  }

  /** The database stores no addresses. */
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

/** What rate-limiter-flexible needs of a pool of connections to PostgreSQL. */
const clientOf = (db: Kysely<Schema>) => ({
  async query({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows, rowCount: rows.length }
  },
})

/** Removes counts whose period is over. */
export async function pruneRateLimits(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<=', Date.now()).execute()
}
