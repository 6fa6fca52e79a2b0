import { sql } from 'kysely'
import type { Database, RestError } from 'pentad'
import type { AiSettings } from '../settings.ts'
import { limitReached } from './errors.ts'
import type { ModelCaller, Usage } from './types.ts'
import { type DailyUsage, openUsageDays, type PurposeUsage, usageDatabase } from './usage-days.ts'

/** Share of the monthly limit available to visitors, so that they cannot lock out users of the site. */
const VISITORS_PART = 0.5

const VISITORS = 0

/** Calls caused by visitors. They have a budget of their own, since anyone can spend it. */
const HELPDESK = 'helpdesk'

/** Token limits; 0 for no limit. */
type TokenLimits = Pick<AiSettings, 'monthlyTokenLimit' | 'dailyTokenLimit' | 'helpdeskDailyTokenLimit'>

export interface MonthlyUsage extends Usage {
  readonly userId: number
  readonly calls: number
}

/** Usage since a day, by day and by purpose. */
export interface UsageHistory {
  readonly days: readonly DailyUsage[]
  readonly purposes: readonly PurposeUsage[]
}

/** A call in progress with its reserved tokens. */
export interface OpenCall {
  /** Records the actual usage. */
  close(usage: Usage): Promise<void>
}

/** Token usage and limits. */
export interface TokenBudget {
  /**
   * Starts a call and reserves its tokens. Concurrent calls count each other's reservations, so the limit is exceeded
   * by one call at most, or by one per process.
   * @param expected maximum number of tokens of the call
   * @throws RestError 402 `ai_limit_reached`
   */
  open(caller: Pick<ModelCaller, 'userId' | 'operation'>, expected: number): Promise<OpenCall>
  ofMonth(): Promise<{ readonly month: string; readonly users: readonly MonthlyUsage[] }>
  /** @param days number of days up to today (UTC), including those without usage */
  history(days: number): Promise<UsageHistory>
  /** Deletes days older than a year. */
  prune(): Promise<void>
}

/** @param limits read before each call, so that changes apply immediately */
export async function openTokenBudget(database: Database, limits: () => TokenLimits): Promise<TokenBudget> {
  await database.migrate('ai_usage', {
    '001_usage': {
      async up(db) {
        await db.schema
          .createTable('ai_usage')
          .addColumn('month', 'text', (c) => c.notNull())
          .addColumn('user_id', 'integer', (c) => c.notNull())
          .addColumn('calls', 'integer', (c) => c.notNull())
          .addColumn('input_tokens', 'bigint', (c) => c.notNull())
          .addColumn('output_tokens', 'bigint', (c) => c.notNull())
          .addPrimaryKeyConstraint('ai_usage_key', ['month', 'user_id'])
          .execute()
      },
    },
  })
  const db = usageDatabase(database)
  const usageDays = await openUsageDays(database)
  type Call = { readonly userId: number; readonly operation: string; readonly expected: number }
  const open = new Set<Call>()

  /** Tokens reserved by calls in progress. */
  function reserved(counts: (call: Call) => boolean = () => true): number {
    let total = 0
    for (const call of open) if (counts(call)) total += call.expected
    return total
  }

  async function usedThisMonth(userId?: number): Promise<number> {
    const { total } = await db
      .selectFrom('ai_usage')
      .select(sql<number | null>`sum(input_tokens + output_tokens)`.as('total'))
      .where('month', '=', month())
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? VISITORS))
      .executeTakeFirstOrThrow()
    return Number(total ?? 0)
  }

  /** The error of an exhausted limit. Reservations are read before the first await: see `open`. */
  async function findSpent(call: Call): Promise<RestError | undefined> {
    const { monthlyTokenLimit, dailyTokenLimit, helpdeskDailyTokenLimit } = limits()
    const isOfHelpdesk = call.operation === HELPDESK
    const all = reserved()
    const visitors = reserved(({ userId }) => userId === VISITORS)
    const helpdesk = reserved(({ operation }) => operation === HELPDESK)
    if (dailyTokenLimit > 0 && all + (await usageDays.usedToday()) >= dailyTokenLimit) {
      return limitReached('dailyTokenLimit')
    }
    if (isOfHelpdesk && helpdeskDailyTokenLimit > 0) {
      if (helpdesk + (await usageDays.usedToday(HELPDESK)) >= helpdeskDailyTokenLimit) {
        return limitReached('helpdeskDailyTokenLimit')
      }
    }
    if (monthlyTokenLimit === 0) return undefined
    if (all + (await usedThisMonth()) >= monthlyTokenLimit) return limitReached('monthlyTokenLimit')
    const isOfVisitors = call.userId === VISITORS
    const part = monthlyTokenLimit * VISITORS_PART
    if (isOfVisitors && visitors + (await usedThisMonth(VISITORS)) >= part) return limitReached('monthlyTokenLimit')
    return undefined
  }

  return {
    async open({ userId, operation }, expected) {
      const call = { userId: userId ?? VISITORS, operation, expected }
      // Reservations are read before the first await, so that concurrent calls see each other.
      const spent = findSpent(call)
      open.add(call)
      try {
        const limitError = await spent
        if (limitError) throw limitError
      } catch (error) {
        open.delete(call)
        throw error
      }
      return {
        async close({ inputTokens, outputTokens }) {
          try {
            await db.transaction().execute(async (trx) => {
              await trx
                .insertInto('ai_usage')
                .values({
                  ...{ month: month(), user_id: call.userId, calls: 1 },
                  ...{ input_tokens: inputTokens, output_tokens: outputTokens },
                })
                .onConflict((conflict) =>
                  conflict.columns(['month', 'user_id']).doUpdateSet({
                    calls: sql`ai_usage.calls + 1`,
                    input_tokens: sql`ai_usage.input_tokens + excluded.input_tokens`,
                    output_tokens: sql`ai_usage.output_tokens + excluded.output_tokens`,
                  }),
                )
                .execute()
              await usageDays.add(trx, operation, { inputTokens, outputTokens })
            })
          } finally {
            open.delete(call)
          }
        },
      }
    },
    history: (days) => usageDays.since(days),
    prune: () => usageDays.prune(),
    async ofMonth() {
      const rows = await db.selectFrom('ai_usage').selectAll().where('month', '=', month()).orderBy('user_id').execute()
      return {
        month: month(),
        users: rows.map(({ user_id, calls, input_tokens, output_tokens }) => ({
          userId: user_id,
          calls,
          inputTokens: input_tokens,
          outputTokens: output_tokens,
        })),
      }
    },
  }
}

function month(): string {
  return new Date().toISOString().slice(0, 7)
}
