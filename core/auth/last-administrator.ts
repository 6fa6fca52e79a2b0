import { type Kysely, sql } from 'kysely'
import type { Database, Schema } from '../database/index.ts'
import { RestError } from '../errors.ts'
import type { User } from './types.ts'

const ADMINISTRATOR = 'administrator'
/** Advisory lock of PostgreSQL; any number that no other lock of the database has. */
const ADMINISTRATORS_LOCK = 7_204_533

type Db = Kysely<Schema>

/** Makes sure that a site has at least one administrator. */
export interface LastAdministrator {
  /** @throws RestError 409 `last_administrator` if none would be left when the user has the roles `after` */
  check(user: User, after: readonly string[]): Promise<void>
  /**
   * A write that gives a user the roles `after`: of two at the same time the second one sees the first one's result. SQLite
   * has one writer anyway. @throws RestError 409 `last_administrator`
   */
  write<Result>(user: User, after: readonly string[], statement: (handle: Db) => Promise<Result>): Promise<Result>
}

export function createLastAdministrator(database: Database): LastAdministrator {
  const { db } = database

  async function checkIn(handle: Db, { id, roles: before }: User, after: readonly string[]): Promise<void> {
    if (!before.includes(ADMINISTRATOR) || after.includes(ADMINISTRATOR)) return
    const other = await handle
      .selectFrom('users')
      .select('id')
      .where('roles', 'like', `%"${ADMINISTRATOR}"%`)
      .where('id', '<>', id)
      .limit(1)
      .executeTakeFirst()
    if (other) return
    const message = 'This is the only administrator. Give another user the administrator role first.'
    throw new RestError('last_administrator', message, { status: 409 })
  }

  function write<Result>(
    user: User,
    after: readonly string[],
    statement: (handle: Db) => Promise<Result>,
  ): Promise<Result> {
    if (!user.roles.includes(ADMINISTRATOR) || after.includes(ADMINISTRATOR)) return statement(db)
    return db.transaction().execute(async (handle) => {
      if (database.kind === 'postgres') {
        await sql`select pg_advisory_xact_lock(${sql.lit(ADMINISTRATORS_LOCK)})`.execute(handle)
      }
      await checkIn(handle, user, after)
      return statement(handle)
    })
  }

  return { check: (user, after) => checkIn(db, user, after), write }
}
