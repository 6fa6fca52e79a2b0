import { type Kysely, sql } from 'kysely'
import type { Database, Schema } from '../database/index.ts'
import { RestError } from '../errors.ts'
import type { User } from './types.ts'

const ADMINISTRATOR = 'administrator'
/** Key of the PostgreSQL advisory lock; arbitrary, but unique in the database. */
const ADMINISTRATORS_LOCK = 7_204_533

type Db = Kysely<Schema>

/** Ensures that a site always has an administrator. */
export function createLastAdministrator(database: Database) {
  const { db } = database

  /** @throws RestError 409 `last_administrator` if there would be no administrator after giving the user these roles */
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

  /**
   * Runs a write that gives a user the roles `after`, serialized with others by an advisory lock: SQLite has a single writer anyway.
   * @throws RestError 409 `last_administrator`
   */
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

  return { check: (user: User, after: readonly string[]) => checkIn(db, user, after), write }
}
