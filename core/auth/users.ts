import { type Expression, type Selectable, sql } from 'kysely'
import { toGmt } from '../database/gmt.ts'
import type { Database, UserTable } from '../database/index.ts'
import { isRowId } from '../database/row-id.ts'
import { RestError } from '../errors.ts'
import { AFTER_COMMIT } from '../hooks/index.ts'
import type { Hooks } from '../hooks/types.ts'
import type { AuthAdditions } from './additions.ts'
import { createLastAdministrator } from './last-administrator.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { SessionStore } from './sessions.ts'
import { isPlainText } from './text.ts'
import type { NewUser, User, UserQuery, Users } from './types.ts'
import {
  checkEmail,
  checkLogin,
  checkPassword,
  checkRoles,
  defaultDisplayName,
  profileColumns,
  userSlug,
} from './user-fields.ts'
import { matches, orderOf, toUser, type UserCondition } from './user-rows.ts'

/** Hash of users without a password; no password matches it. */
const NO_PASSWORD = ''

interface Parts {
  readonly database: Database
  readonly hooks: Hooks
  readonly hasher: PasswordHasher
  readonly roles: () => ReadonlyMap<string, unknown>
  /** Conditions for members that other parts add to `UserQuery`. */
  readonly conditions: () => readonly UserCondition[]
  readonly now: () => number
  readonly sessions: Pick<SessionStore, 'end' | 'endOthers' | 'invalidate'>
  readonly added: () => Pick<AuthAdditions, 'checkNewPassword' | 'invalidateUser' | 'passwordChanged'>
}

/** The users of the site: WordPress's `WP_User_Query`, `wp_insert_user` and `wp_delete_user`. */
export function createUsers(parts: Parts): Users {
  const { database, hooks, hasher, roles, conditions, now, sessions, added } = parts
  const { db } = database
  const administrators = createLastAdministrator(database)

  const find = (column: Expression<string | number>, value: string | number) =>
    db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
  const findRow = (id: number) => (isRowId(id) ? find(sql.ref('id'), id) : undefined)
  const findByText = (column: Expression<string>, text: string) => (isPlainText(text) ? find(column, text) : undefined)
  const findByLogin = (login: string) => findByText(sql.ref('login_key'), login.toLowerCase())
  const findByEmail = (email: string) => (email === '' ? undefined : findByText(sql`lower(email)`, email.toLowerCase()))
  const findBySlug = (slug: string) => findByText(sql.ref('slug'), slug)
  const orUndefined = (row: Selectable<UserTable> | undefined) => row && toUser(row)

  async function findOrThrow(id: number): Promise<Selectable<UserTable>> {
    const row = await findRow(id)
    if (!row) throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
    return row
  }

  async function checkNewPassword(password: string, owner: Pick<User, 'login' | 'email'>): Promise<void> {
    checkPassword(password)
    await added().checkNewPassword?.(password, owner)
  }

  /** Invalidates cached data of the user. */
  function invalidate(userId: number): void {
    sessions.invalidate(userId)
    added().invalidateUser?.(userId)
  }

  async function rejectTaken(email: string, login?: string): Promise<void> {
    if (login !== undefined && (await findByLogin(login))) {
      throw new RestError('existing_user_login', 'Sorry, that username already exists!', { status: 400 })
    }
    if (await findByEmail(email)) {
      throw new RestError('existing_user_email', 'Sorry, that email address is already used!', { status: 400 })
    }
  }

  /** The slug itself, or with the first free number from 2 appended. */
  async function freeSlug(wanted: string, ownerId?: number): Promise<string> {
    const rows = await db
      .selectFrom('users')
      .select('slug')
      .where('slug', 'like', `${wanted}%`)
      .$if(ownerId !== undefined, (query) => query.where('id', '<>', ownerId ?? 0))
      .execute()
    const taken = new Set(rows.map((row) => row.slug))
    let slug = wanted
    for (let number = 2; taken.has(slug); number++) slug = `${wanted}-${number}`
    return slug
  }

  /** Writes with a free slug. If another request took it in the meantime, tries the next one; `check` throws if a unique name was taken. */
  async function withFreeSlug<Result>(
    wanted: string,
    write: (slug: string) => Promise<Result>,
    check: () => Promise<void>,
    ownerId?: number,
  ): Promise<Result> {
    for (;;) {
      const slug = await freeSlug(wanted, ownerId)
      try {
        return await write(slug)
      } catch (error) {
        await check()
        const wasTaken = (await freeSlug(slug, ownerId)) !== slug
        if (error instanceof RestError || !wasTaken) throw error
      }
    }
  }

  /** Fires the actions of WordPress's `WP_User::set_role`. */
  async function announceRoles(id: number, before: readonly string[], after: readonly string[]): Promise<void> {
    const { doActionAsync } = hooks.limited(AFTER_COMMIT)
    for (const role of before) if (!after.includes(role)) await doActionAsync('remove_user_role', id, role)
    for (const role of after) if (!before.includes(role)) await doActionAsync('add_user_role', id, role)
    await doActionAsync('set_user_role', id, after[0] ?? '', before)
  }

  async function create(user: NewUser): Promise<User> {
    const login = checkLogin(user.login)
    const email = checkEmail(user.email ?? '')
    const userRoles = checkRoles(user.roles ?? ['subscriber'], roles())
    const { password } = user
    if (password !== undefined) await checkNewPassword(password, { login, email })
    await rejectTaken(email, login)
    const values = {
      login,
      login_key: login.toLowerCase(),
      email,
      password_hash: password === undefined ? NO_PASSWORD : await hasher.hash(password),
      roles: JSON.stringify(userRoles),
      registered_gmt: toGmt(now()),
      url: '',
      description: '',
      first_name: '',
      last_name: '',
      locale: '',
      ...profileColumns(user),
      display_name: profileColumns(user).display_name || defaultDisplayName(user),
    }
    const row = await withFreeSlug(
      userSlug(user.slug ?? '') || userSlug(login) || 'user',
      (slug) =>
        db
          .insertInto('users')
          .values({ ...values, slug })
          .returningAll()
          .executeTakeFirstOrThrow(),
      () => rejectTaken(email, login),
    )
    const created = toUser(row)
    await announceRoles(created.id, [], userRoles)
    await hooks.limited(AFTER_COMMIT).doActionAsync('user_register', created.id, created)
    return created
  }

  async function update(
    id: number,
    changes: Partial<Omit<NewUser, 'login'>>,
    { keepSession }: { readonly keepSession?: string | undefined } = {},
  ): Promise<User> {
    const before = await findOrThrow(id)
    const old = toUser(before)
    const email = changes.email === undefined ? old.email : checkEmail(changes.email)
    const newRoles = changes.roles === undefined ? old.roles : checkRoles(changes.roles, roles())
    const { password } = changes
    if (password !== undefined) await checkNewPassword(password, { login: old.login, email })
    await administrators.check(old, newRoles)
    const rejectTakenEmail = async () => {
      if (email.toLowerCase() !== old.email.toLowerCase()) await rejectTaken(email)
    }
    await rejectTakenEmail()
    const profile = profileColumns(changes)
    const values = {
      ...profile,
      ...(profile.display_name === '' && { display_name: old.login }),
      email,
      roles: JSON.stringify(newRoles),
      ...(password !== undefined && { password_hash: await hasher.hash(password) }),
    }
    const wantedSlug = changes.slug === undefined ? old.slug : userSlug(changes.slug) || userSlug(old.login) || 'user'
    const row = await withFreeSlug(
      wantedSlug,
      (slug) =>
        administrators.write(old, newRoles, (handle) =>
          handle
            .updateTable('users')
            .set({ ...values, slug })
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirst(),
        ),
      rejectTakenEmail,
      id,
    )
    // Deleted by another request in the meantime.
    const user = row ? toUser(row) : toUser(await findOrThrow(id))
    invalidate(id)
    const rolesChanged = [...newRoles].sort().join() !== [...old.roles].sort().join()
    if (rolesChanged || password !== undefined) {
      await (keepSession === undefined ? sessions.end(id) : sessions.endOthers(id, keepSession))
    }
    if (password !== undefined) await added().passwordChanged?.(user)
    if (rolesChanged) await announceRoles(id, old.roles, newRoles)
    await hooks.limited(AFTER_COMMIT).doActionAsync('profile_update', id, old, user)
    return user
  }

  return {
    get: async (id) => orUndefined(await findRow(id)),
    getByLogin: async (login) => orUndefined(await findByLogin(login)),
    getByEmail: async (email) => orUndefined(await findByEmail(email)),
    getBySlug: async (slug) => orUndefined(await findBySlug(slug)),
    async getMany(ids) {
      const wanted = [...new Set(ids)].filter(isRowId)
      if (wanted.length === 0) return new Map()
      const rows = await db.selectFrom('users').selectAll().where('id', 'in', wanted).execute()
      return new Map(rows.map((row) => [row.id, toUser(row)]))
    },
    async query(query: UserQuery) {
      const order = query.order ?? 'asc'
      const found = db.selectFrom('users').where(matches(query, conditions()))
      const rows = await found
        .selectAll()
        .orderBy(orderOf(query), order)
        .orderBy('id', order)
        .limit(Math.max(0, Math.trunc(query.limit ?? 10)))
        .offset(Math.max(0, Math.trunc(query.offset ?? 0)))
        .execute()
      const { total } = await found
        .select((builder) => builder.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { items: rows.map(toUser), total }
    },
    create,
    update,
    async delete(id, { reassign = null, handOver } = {}) {
      const user = toUser(await findOrThrow(id))
      await administrators.check(user, [])
      await hooks.doActionAsync('delete_user', id, reassign, user)
      await handOver?.()
      const deleted = await administrators.write(user, [], (handle) =>
        handle.deleteFrom('users').where('id', '=', id).returning('id').execute(),
      )
      // Another request has deleted the user and fires the action.
      if (deleted.length === 0) await findOrThrow(id)
      await sessions.end(id)
      invalidate(id)
      await hooks.limited(AFTER_COMMIT).doActionAsync('deleted_user', id, reassign, user)
    },
    async checkPassword(login, password) {
      const row = (await findByLogin(login)) ?? (await findByEmail(login))
      const isRight = await hasher.verify(password, row?.password_hash)
      if (!row || !isRight) return undefined
      if (hasher.isOutdated(row.password_hash)) {
        const hash = await hasher.hash(password)
        // Only if the stored hash is still the checked one: the password may have changed in the meantime.
        await db
          .updateTable('users')
          .set({ password_hash: hash })
          .where('id', '=', row.id)
          .where('password_hash', '=', row.password_hash)
          .execute()
      }
      return toUser(row)
    },
  }
}
