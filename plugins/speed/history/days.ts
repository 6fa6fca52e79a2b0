import { sql } from 'kysely'
import { dayOf, lastDays } from 'pentad'
import type { HistoryDatabase } from './tables.ts'

const DAY = 86_400_000
/** Retention in days: a year can be compared with the previous one. */
const RETENTION_DAYS = 800

/** Named values per day. */
export interface Days {
  /** Adds to today's values. */
  add(numbers: Readonly<Record<string, number>>): Promise<void>
  /** Replaces today's values. */
  set(numbers: Readonly<Record<string, number>>): Promise<void>
  /** The last days up to today, oldest first, with their values. */
  last(days: number): Promise<{ date: string; numbers: ReadonlyMap<string, number> }[]>
  /** Removes old days. */
  prune(): Promise<void>
}

export function createDays(db: HistoryDatabase): Days {
  const rows = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers).map(([name, value]) => ({ day: dayOf(Date.now()), name, value }))

  return {
    async add(numbers) {
      await db
        .insertInto('speed_days')
        .values(rows(numbers))
        .onConflict((conflict) =>
          conflict.columns(['day', 'name']).doUpdateSet({ value: sql`speed_days.value + excluded.value` }),
        )
        .execute()
    },
    async set(numbers) {
      await db
        .insertInto('speed_days')
        .values(rows(numbers))
        .onConflict((conflict) =>
          conflict.columns(['day', 'name']).doUpdateSet({ value: (row) => row.ref('excluded.value') }),
        )
        .execute()
    },
    async last(days) {
      const dates = lastDays(days)
      const found = await db
        .selectFrom('speed_days')
        .selectAll()
        .where('day', '>=', dates[0] ?? '')
        .execute()
      const byDay = Map.groupBy(found, ({ day }) => day)
      return dates.map((date) => ({
        date,
        numbers: new Map((byDay.get(date) ?? []).map(({ name, value }) => [name, value])),
      }))
    },
    async prune() {
      await db
        .deleteFrom('speed_days')
        .where('day', '<', dayOf(Date.now() - RETENTION_DAYS * DAY))
        .execute()
    },
  }
}
