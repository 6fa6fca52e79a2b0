import { type AnswerOf, lastDays, toGmt } from 'pentad'
import { z } from 'zod'
import { createRowLimit } from './row-limit.ts'
import type { UserDatabase } from './tables.ts'
import type { Visitor } from './visitor.ts'

const DAY = 86_400_000

/** Users that a site keeps, and days after their last visit. */
const MOST_USERS = 200_000
const KEPT_DAYS = 400

/** What happened. */
export interface Opening {
  readonly pwaUserId: string
  readonly isInstalled: boolean
  /** As the browser names it: `standalone`. */
  readonly displayMode?: string | undefined
  /** Who is signed in. */
  readonly userId: number | null
}

const shareShape = z.object({
  name: z.string(),
  active: z.int(),
  percentage: z.int().describe('Of the active users.'),
})

const shares = z.array(shareShape)

export const analyticsShape = z.object({
  installations: z
    .array(z.object({ date: z.string(), count: z.int() }))
    .describe('Each day of the time asked for, oldest first.'),
  ...{ browsers: shares, operatingSystems: shares, devices: shares, countries: shares },
  displayModes: shares.describe('How the app showed: `standalone`, `browser`.'),
  activeUsers: z.int().describe('Users who opened the app in that time.'),
  totalUsers: z.int(),
})

export type Analytics = AnswerOf<typeof analyticsShape>

/** Whether a user is new. */
export const upsertKinds = ['insert', 'update'] as const

export interface PwaUsers {
  /**
   * Notes that a user opened or installed the app.
   * @param mayCome throws to refuse somebody who is new
   */
  upsert(opening: Opening, visitor: Visitor, mayCome: () => Promise<void>): Promise<(typeof upsertKinds)[number]>
  /** @param days back from today, which is one of them */
  analytics(days: number): Promise<Analytics>
  /** Forgets users who have not come for long. */
  prune(): Promise<void>
  /** Forgets who the user was. */
  unbind(userId: number): Promise<void>
}

export function createPwaUsers(db: UserDatabase): PwaUsers {
  const limit = createRowLimit(MOST_USERS, countAll)

  async function countAll(): Promise<number> {
    const { users } = await db
      .selectFrom('pwa_users')
      .select((row) => row.fn.countAll<number>().as('users'))
      .executeTakeFirstOrThrow()
    return users
  }

  /** Those who have not opened it since go; of the rest the newest that there is room for stay. */
  async function prune(): Promise<void> {
    const old = toGmt(Date.now() - KEPT_DAYS * DAY)
    await db.deleteFrom('pwa_users').where('last_open_gmt', '<', old).execute()
    const last = await db
      .selectFrom('pwa_users')
      .select('last_open_gmt')
      .orderBy('last_open_gmt', 'desc')
      // Room for a day that brings many.
      .offset(Math.floor(MOST_USERS * 0.9))
      .limit(1)
      .executeTakeFirst()
    if (last) await db.deleteFrom('pwa_users').where('last_open_gmt', '<', last.last_open_gmt).execute()
  }

  async function sharesOf(
    column: 'browser' | 'operating_system' | 'device' | 'country' | 'display_mode',
    since: string,
    all: number,
  ) {
    const rows = await db
      .selectFrom('pwa_users')
      .select([`${column} as name`, (row) => row.fn.countAll<number>().as('active')])
      .where('last_open_gmt', '>=', since)
      .groupBy(column)
      .orderBy('active', 'desc')
      .orderBy(column)
      .execute()
    return rows.map(({ name, active }) => ({
      name: name === '' ? 'Unknown' : name,
      active,
      percentage: Math.round((100 * active) / all),
    }))
  }

  return {
    async upsert({ pwaUserId, isInstalled, displayMode, userId }, visitor, mayCome) {
      const now = toGmt(Date.now())
      const { browser, operatingSystem, device, country } = visitor
      const seen = {
        browser,
        device,
        country,
        operating_system: operatingSystem,
        last_open_gmt: now,
        ...(userId !== null && { user_id: userId }),
        ...(displayMode !== undefined && { display_mode: displayMode }),
      }
      const update = () =>
        db
          .updateTable('pwa_users')
          .set((row) => ({
            ...seen,
            ...(isInstalled && { installed_gmt: row.fn.coalesce('installed_gmt', row.val(now)) }),
          }))
          .where('pwa_user_id', '=', pwaUserId)
          .returning('pwa_user_id')
          .executeTakeFirst()
      if (await update()) return 'update'
      await mayCome()
      if (!(await limit.hasRoom())) return 'insert'
      const inserted = await db
        .insertInto('pwa_users')
        .values({
          ...seen,
          pwa_user_id: pwaUserId,
          user_id: userId,
          display_mode: displayMode ?? '',
          first_open_gmt: now,
          installed_gmt: isInstalled ? now : null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('pwa_user_id')
        .executeTakeFirst()
      if (inserted) return 'insert'
      await update()
      return 'update'
    },

    async analytics(days) {
      const dates = lastDays(days)
      const since = `${dates[0]} 00:00:00`
      const installs = await db
        .selectFrom('pwa_users')
        .select((row) => row.fn<string>('substr', ['installed_gmt', row.lit(1), row.lit(10)]).as('date'))
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('installed_gmt', '>=', since)
        .groupBy('date')
        .execute()
      const counts = new Map(installs.map(({ date, count }) => [date, count]))
      const { active } = await db
        .selectFrom('pwa_users')
        .select((row) => row.fn.countAll<number>().as('active'))
        .where('last_open_gmt', '>=', since)
        .executeTakeFirstOrThrow()
      return {
        installations: dates.map((date) => ({ date, count: counts.get(date) ?? 0 })),
        browsers: await sharesOf('browser', since, active),
        operatingSystems: await sharesOf('operating_system', since, active),
        devices: await sharesOf('device', since, active),
        countries: await sharesOf('country', since, active),
        displayModes: await sharesOf('display_mode', since, active),
        activeUsers: active,
        totalUsers: await countAll(),
      }
    },

    prune,

    async unbind(userId) {
      await db.updateTable('pwa_users').set({ user_id: null }).where('user_id', '=', userId).execute()
    },
  }
}
