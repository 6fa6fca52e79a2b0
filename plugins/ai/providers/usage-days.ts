import { sql } from 'kysely'
import { type Database, dayOf, lastDays } from 'pentad'
import type { Usage } from './types.ts'

/** Token usage by month and user; user 0 represents all visitors. */
type UsageTable = {
  /** `2026-11`, UTC. */
  month: string
  user_id: number
  calls: number
  input_tokens: number
  output_tokens: number
}

/** Token usage by day and purpose. */
type UsageDayTable = {
  /** `2026-11-22`, UTC. */
  day: string
  operation: string
  calls: number
  input_tokens: number
  output_tokens: number
}

/** The query builder of the site, with these tables. */
export function usageDatabase(database: Database) {
  return database.db.withTables<{ ai_usage: UsageTable; ai_usage_days: UsageDayTable }>()
}

const DAY_MS = 86_400_000
const RETENTION_DAYS = 366

export interface DailyUsage extends Usage {
  readonly day: string
  readonly calls: number
}

export interface PurposeUsage extends Usage {
  /** `copilot`, `generate-title`, `helpdesk`. */
  readonly operation: string
  readonly calls: number
}

/** Daily token usage. The monthly limit is tracked by `openTokenBudget`. */
export async function openUsageDays(database: Database) {
  await database.migrate('ai_usage_days', {
    '001_days': {
      async up(db) {
        await db.schema
          .createTable('ai_usage_days')
          .addColumn('day', 'text', (c) => c.notNull())
          .addColumn('operation', 'text', (c) => c.notNull())
          .addColumn('calls', 'integer', (c) => c.notNull())
          .addColumn('input_tokens', 'bigint', (c) => c.notNull())
          .addColumn('output_tokens', 'bigint', (c) => c.notNull())
          .addPrimaryKeyConstraint('ai_usage_days_key', ['day', 'operation'])
          .execute()
      },
    },
  })
  const db = usageDatabase(database)

  const sums = (from: string) =>
    db
      .selectFrom('ai_usage_days')
      .select(({ fn }) => [
        fn.sum<number>('calls').as('calls'),
        fn.sum<number>('input_tokens').as('inputTokens'),
        fn.sum<number>('output_tokens').as('outputTokens'),
      ])
      .where('day', '>=', from)

  return {
    /** Within the transaction of the call. */
    async add(trx: typeof db, operation: string, { inputTokens, outputTokens }: Usage): Promise<void> {
      await trx
        .insertInto('ai_usage_days')
        .values({ day: dayOf(Date.now()), operation, calls: 1, input_tokens: inputTokens, output_tokens: outputTokens })
        .onConflict((conflict) =>
          conflict.columns(['day', 'operation']).doUpdateSet({
            calls: sql`ai_usage_days.calls + 1`,
            input_tokens: sql`ai_usage_days.input_tokens + excluded.input_tokens`,
            output_tokens: sql`ai_usage_days.output_tokens + excluded.output_tokens`,
          }),
        )
        .execute()
    },

    /** Tokens used since midnight UTC, in total or by one operation. */
    async usedToday(operation?: string): Promise<number> {
      const { total } = await db
        .selectFrom('ai_usage_days')
        .select(sql<number | null>`sum(input_tokens + output_tokens)`.as('total'))
        .where('day', '=', dayOf(Date.now()))
        .$if(operation !== undefined, (query) => query.where('operation', '=', operation ?? ''))
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },

    async since(days: number): Promise<{ days: DailyUsage[]; purposes: PurposeUsage[] }> {
      const wanted = lastDays(days)
      const from = wanted[0] ?? dayOf(Date.now())
      const [byDay, byPurpose] = await Promise.all([
        sums(from).select('day').groupBy('day').execute(),
        sums(from).select('operation').groupBy('operation').orderBy('operation').execute(),
      ])
      const found = new Map(byDay.map(({ day, ...used }) => [day, asNumbers(used)]))
      const none = { calls: 0, inputTokens: 0, outputTokens: 0 }
      return {
        days: wanted.map((day) => ({ day, ...(found.get(day) ?? none) })),
        purposes: byPurpose.map(({ operation, ...used }) => ({ operation, ...asNumbers(used) })),
      }
    },

    async prune(): Promise<void> {
      await db
        .deleteFrom('ai_usage_days')
        .where('day', '<', dayOf(Date.now() - RETENTION_DAYS * DAY_MS))
        .execute()
    },
  }
}

/** PostgreSQL returns sums as text. */
function asNumbers({ calls, inputTokens, outputTokens }: Usage & { readonly calls: number }) {
  return { calls: Number(calls), inputTokens: Number(inputTokens), outputTokens: Number(outputTokens) }
}
