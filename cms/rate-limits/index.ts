import { CompiledQuery, type Kysely } from 'kysely'
import type { Database, Schema } from '../../core/database/index.ts'
import type { JoiningHost } from '../../core/types.ts'
import { limiterOptions } from './limiter-options.ts'
import type { RateLimitStore } from './types.ts'

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

/** @throws RestError 501 `package_missing` if Redis is configured and its client is not installed */
export async function createRateLimitStore(
  host: Pick<JoiningHost, 'config' | 'database' | 'siteKey' | 'log' | 'onListen' | 'onClosed'>,
): Promise<RateLimitStore> {
  const { config, database } = host
  if (config.rateLimitUrl === undefined) return countsInDatabase(database)
  const { countsInRedis } = await import('./redis.ts')
  return countsInRedis(host, config.rateLimitUrl)
}

/** With SQLite, each process counts in memory. */
export function countsInDatabase({ kind, db }: Pick<Database, 'kind' | 'db'>): RateLimitStore {
  return {
    async open(limit) {
      if (kind === 'sqlite') return undefined
      const { RateLimiterPostgres } = await import('rate-limiter-flexible')
      return new RateLimiterPostgres({
        ...{ ...(await limiterOptions(limit)), tableName: 'rate_limits', tableCreated: true },
        ...{ storeClient: clientOf(db), storeType: 'pool', clearExpiredByTimeout: false },
      })
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
