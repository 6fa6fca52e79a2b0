import { lastDays, type ResponseOf, toGmt } from 'pentad'
import { z } from 'zod'
import { createRowLimit } from './row-limit.ts'
import type { UserDatabase } from './tables.ts'
import type { Visitor } from './visitor.ts'

const DAY = 86_400_000

/** Maximum users per site, and days for which they are kept after their last visit. */
const MOST_USERS = 200_000
const KEPT_DAYS = 400

/** The app was opened or installed. */
export interface Opening {
  readonly pwaUserId: string
  readonly isInstalled: boolean
  /** CSS display mode: `standalone`. */
  readonly displayMode?: string | undefined
  /** Current user. */
  readonly userId: number | null
}

const shareShape = z.object({
  name: z.string(),
  active: z.int(),
  percentage: z.int().describe('Percentage of active users.'),
})

const shares = z.array(shareShape)

export const analyticsShape = z.object({
  installations: z.array(z.object({ date: z.string(), count: z.int() })).describe('Installs per day, oldest first.'),
  ...{ browsers: shares, operatingSystems: shares, devices: shares, countries: shares },
  displayModes: shares.describe('Display modes, such as `standalone` or `browser`.'),
  activeUsers: z.int().describe('Users who opened the app in the period.'),
  totalUsers: z.int(),
})

export type Analytics = ResponseOf<typeof analyticsShape>

/** Whether the user is new. */
export const upsertKinds = ['insert', 'update'] as const

export interface PwaUsers {
  /**
   * Records that a user opened or installed the app.
   * @param checkNew throws to reject a new user
   */
  upsert(opening: Opening, visitor: Visitor, checkNew: () => Promise<void>): Promise<(typeof upsertKinds)[number]>
  /** @param days number of days up to and including today */
  analytics(days: number): Promise<Analytics>
  /** Deletes inactive users. */
  prune(): Promise<void>
  /** Unlinks a deleted user. */
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

  /** Deletes inactive users, and the oldest ones above the limit. */
  async function prune(): Promise<void> {
    const old = toGmt(Date.now() - KEPT_DAYS * DAY)
    await db.deleteFrom('pwa_users').where('last_open_gmt', '<', old).execute()
    const last = await db
      .selectFrom('pwa_users')
      .select('last_open_gmt')
      .orderBy('last_open_gmt', 'desc')
      // Leaves room for new users until the next run.
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
    async upsert({ pwaUserId, isInstalled, displayMode, userId }, visitor, checkNew) {
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
      await checkNew()
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
