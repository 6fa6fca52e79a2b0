import { sql } from 'kysely'
import { dayOf, lastDays } from 'pentad'
import type { HistoryDatabase } from './tables.ts'

const DAY = 86_400_000
/** Days that are kept: a year can be compared with the one before. */
const KEPT = 800

/** Numbers of days, by name. */
export interface Days {
  /** Adds to the numbers of today. */
  add(numbers: Readonly<Record<string, number>>): Promise<void>
  /** Puts numbers in the place of those of today. */
  set(numbers: Readonly<Record<string, number>>): Promise<void>
  /** So many days up to today, oldest first, each with the numbers it has. */
  last(days: number): Promise<{ date: string; numbers: ReadonlyMap<string, number> }[]>
  /** Forgets days of long ago. */
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
        .where('day', '<', dayOf(Date.now() - KEPT * DAY))
        .execute()
    },
  }
}
