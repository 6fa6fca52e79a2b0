import { createHmac, createSecretKey, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { createRecentLookups } from '../../core/auth/recent-lookups.ts'
import { isPlainText, oneLine } from '../../core/auth/text.ts'
import type { Identity, User } from '../../core/auth/types.ts'
import { toUser } from '../../core/auth/user-rows.ts'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import { isRowId } from '../../core/database/row-id.ts'
import { RestError } from '../../core/errors.ts'
import type { Logger } from '../../core/log.ts'
import type { ApplicationPasswordTable } from './tables.ts'
import type { ApplicationPassword, ApplicationPasswords } from './types.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** 24 of 62 characters: 142 bits. */
const LENGTH = 24
const NAME_LENGTH = 200
/** "Last used" is written at most this often for one password. */
const USE_INTERVAL = 60_000
const USES_REMEMBERED = 10_000

interface Found {
  readonly uuid: string
  readonly user: User
  readonly identity: Identity
}

export interface ApplicationPasswordStore extends ApplicationPasswords {
  /** The identity of cached credentials, without a query; `undefined` if a query is needed. */
  recall(login: string, password: string, address: string): Identity | undefined
  /** Whether these very credentials were right before. */
  isKnown(login: string, password: string): boolean
  /** The identity of credentials. The name may be an e-mail address, as in WordPress. */
  authenticate(login: string, password: string, address: string): Promise<Identity | undefined>
  /** Invalidates cached credentials of a user. */
  invalidate(userId: number): void
  /** Waits until every "last used" is written. */
  settle(): Promise<void>
}

/**
 * Application passwords (WordPress's `WP_Application_Passwords`). They are too random for a search,
 * so a keyed fast hash is right for them; a slow one would cap the routes they open.
 */
export function createApplicationPasswords(
  { db, externalVersion }: SiteDatabase,
  { key, log, now, isShared }: { key: Buffer; log: Logger; now: () => number; isShared: boolean },
): ApplicationPasswordStore {
  const lookups = createRecentLookups<Found>(now, isShared, externalVersion)
  // `max` would lay out the room for all of them now: milliseconds of each start.
  const lastUses = new LRUCache<string, number>({ maxSize: USES_REMEMBERED, sizeCalculation: () => 1 })
  const writing = new Set<Promise<unknown>>()

  // Six times as fast as the bytes: every request with an application password takes this way.
  const secret = createSecretKey(key)
  /** Spaces and other separators between the groups are ignored. */
  const hashOf = (password: string) =>
    createHmac('sha256', secret)
      .update(password.replace(/[^a-z\d]/gi, ''))
      .digest('hex')

  const keyOf = (login: string, password: string) => `${hashOf(password)} ${login.toLowerCase()}`

  async function search(name: string, wanted: string): Promise<Found | undefined> {
    if (!isPlainText(name)) return undefined
    const rows = await db
      .selectFrom('users')
      .innerJoin('application_passwords', 'application_passwords.user_id', 'users.id')
      .selectAll('users')
      .select(['application_passwords.uuid', 'application_passwords.password_hash as hash'])
      .where((builder) =>
        builder.or([
          builder('users.login_key', '=', name),
          builder.and([
            builder('users.email', '<>', ''),
            builder(builder.fn<string>('lower', ['users.email']), '=', name),
          ]),
        ]),
      )
      .execute()
    const row = rows.find(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(wanted, 'hex')))
    if (!row) return undefined
    const user = toUser(row)
    return {
      uuid: row.uuid,
      user,
      identity: Object.freeze({
        user,
        via: 'application-password',
        session: null,
        applicationPassword: row.uuid,
        freshNonce: null,
      }),
    }
  }

  function noteUse(uuid: string, address: string): void {
    const moment = now()
    if (moment - (lastUses.get(uuid) ?? Number.NEGATIVE_INFINITY) < USE_INTERVAL) return
    lastUses.set(uuid, moment)
    const write = db
      .updateTable('application_passwords')
      .set({ last_used_gmt: toGmt(moment), last_address: address })
      .where('uuid', '=', uuid)
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'could not record use of an application password'))
      .finally(() => writing.delete(write))
    writing.add(write)
  }

  function find(userId: number, uuid: string): Promise<Selectable<ApplicationPasswordTable> | undefined> {
    if (!isRowId(userId) || !isPlainText(uuid)) return Promise.resolve(undefined)
    return db
      .selectFrom('application_passwords')
      .selectAll()
      .where('user_id', '=', userId)
      .where('uuid', '=', uuid)
      .executeTakeFirst()
  }

  async function rejectTaken(userId: number, name: string, uuid: string): Promise<void> {
    const taken = await db
      .selectFrom('application_passwords')
      .select('uuid')
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .where('uuid', '<>', uuid)
      .executeTakeFirst()
    if (taken) {
      const message = 'Each application name should be unique.'
      throw new RestError('application_password_duplicate_name', message, { status: 409 })
    }
  }

  async function rejectUnknownUser(userId: number): Promise<void> {
    const user = db
      .selectFrom('users')
      .select('id')
      .where('id', '=', isRowId(userId) ? userId : 0)
    if (await user.executeTakeFirst()) return
    throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
  }

  /** Writes a name; throws if it was taken, or the user was deleted, in between. */
  async function writeName(userId: number, name: string, uuid: string, write: () => Promise<unknown>): Promise<void> {
    await rejectTaken(userId, name, uuid)
    try {
      await write()
    } catch (error) {
      await rejectTaken(userId, name, uuid)
      await rejectUnknownUser(userId)
      throw error
    }
  }

  async function settle(): Promise<void> {
    await Promise.all(writing)
  }

  return {
    recall(login, password, address) {
      const found = lookups.fresh(keyOf(login, password))
      if (found) noteUse(found.uuid, address)
      return found?.identity
    },
    isKnown: (login, password) => lookups.isKnown(keyOf(login, password)),
    async authenticate(login, password, address) {
      const key = keyOf(login, password)
      const found = await lookups.load(key, () => search(login.toLowerCase(), hashOf(password)))
      if (found) noteUse(found.uuid, address)
      return found?.identity
    },
    invalidate: lookups.invalidate,
    settle,
    async list(userId) {
      if (!isRowId(userId)) return []
      await settle()
      const rows = await db
        .selectFrom('application_passwords')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_gmt')
        .orderBy('uuid')
        .execute()
      return rows.map(toApplicationPassword)
    },
    async get(userId, uuid) {
      await settle()
      const row = await find(userId, uuid)
      return row && toApplicationPassword(row)
    },
    async create(userId, name, appId = '') {
      const row = {
        uuid: randomUUID(),
        user_id: userId,
        app_id: oneLine(appId),
        name: checkName(name),
        created_gmt: toGmt(now()),
        last_used_gmt: null,
        last_address: null,
      }
      const password = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
      await writeName(userId, row.name, row.uuid, () =>
        db
          .insertInto('application_passwords')
          .values({ ...row, password_hash: hashOf(password) })
          .execute(),
      )
      return {
        ...toApplicationPassword(row),
        password: password.replace(/.{4}(?=.)/g, '$& '),
      }
    },
    async rename(userId, uuid, name) {
      const row = await find(userId, uuid)
      if (!row) throw notFound()
      const newName = checkName(name)
      await writeName(userId, newName, uuid, () =>
        db.updateTable('application_passwords').set({ name: newName }).where('uuid', '=', uuid).execute(),
      )
      return toApplicationPassword({ ...row, name: newName })
    },
    async revoke(userId, uuid) {
      if (!isRowId(userId) || (uuid !== undefined && !isPlainText(uuid))) return 0
      const { numDeletedRows } = await db
        .deleteFrom('application_passwords')
        .where('user_id', '=', userId)
        .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid ?? ''))
        .executeTakeFirst()
      lookups.invalidate(userId)
      return Number(numDeletedRows)
    },
  }
}

export function notFound(): RestError {
  return new RestError('rest_application_password_not_found', 'Application password not found.', { status: 404 })
}

function checkName(name: string): string {
  const line = oneLine(name).slice(0, NAME_LENGTH)
  if (line !== '') return line
  const message = 'An application name is required to create an application password.'
  throw new RestError('application_password_empty_name', message, { status: 400 })
}

function toApplicationPassword(row: Omit<Selectable<ApplicationPasswordTable>, 'password_hash'>): ApplicationPassword {
  return {
    uuid: row.uuid,
    appId: row.app_id,
    name: row.name,
    created: fromGmt(row.created_gmt),
    lastUsed: row.last_used_gmt === null ? null : fromGmt(row.last_used_gmt),
    lastAddress: row.last_address,
  }
}
