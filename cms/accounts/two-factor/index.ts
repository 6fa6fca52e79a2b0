import { createHmac } from 'node:crypto'
import { encode } from 'uqr'
import type { User, Users } from '../../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import type { Logger } from '../../../core/log.ts'
import type { Vault } from '../../../core/options/types.ts'
import { createSigner } from '../signer.ts'
import type { SecurityLog } from '../types.ts'
import { createPasskeys } from './passkeys.ts'
import { createPendingLogins } from './pending-logins.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { keyUri, newSecret, stepOf } from './totp.ts'
import { type SecondFactor, type TwoFactor, TwoFactorRequired, type TwoFactorStatus } from './types.ts'

/** Where the secret belongs; a secret copied to another place cannot be decrypted. */
const placeOf = (userId: number) => `two-factor ${userId}`
/** Longest wait after failures, in milliseconds. */
const LONGEST_WAIT = 15 * 60 * 1000

interface Parts {
  readonly database: Pick<Database, 'db'>
  readonly users: Pick<Users, 'get'>
  readonly vault: Vault
  /** Signs logins that wait for their second step. */
  readonly key: Buffer
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly log: Logger
  readonly siteUrl: string
  readonly siteTitle: () => string
  /** Roles whose users must have a second factor. */
  readonly requiredRoles: () => readonly string[]
  readonly now: () => number
}

export function createTwoFactor(parts: Parts): TwoFactor {
  const { database, users, vault, key, securityLog, log, siteTitle, requiredRoles, now } = parts
  const { db } = database
  const passkeys = createPasskeys(parts)
  const recoveryCodes = createRecoveryCodes(database)
  const pending = createPendingLogins(createSigner(key), now)

  const read = (userId: number) =>
    db.selectFrom('two_factor').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const isRequired = ({ roles }: User) => roles.some((role) => requiredRoles().includes(role))

  /** The secret of the app; `undefined` if it was encrypted with the key of another site, from which the database was restored. */
  function open(userId: number, sealed: string): string | undefined {
    try {
      return String(vault.open(JSON.parse(sealed), placeOf(userId)))
    } catch (error) {
      log.error({ err: error, userId }, 'two-factor secret could not be decrypted')
      return undefined
    }
  }

  /** Counts the attempt before its result is known, so of several requests at the same time, only one is checked. */
  async function countAttempt(userId: number, { failures, last }: { failures: number; last: string | null }) {
    const wait = last === null ? 0 : Date.parse(fromGmt(last)) + waitAfter(failures) - now()
    const { numUpdatedRows } =
      wait > 0
        ? { numUpdatedRows: 0n }
        : await db
            .updateTable('two_factor')
            .set({ failures: failures + 1, last_failure_gmt: toGmt(now()) })
            .where('user_id', '=', userId)
            .where('failures', '=', failures)
            .executeTakeFirst()
    if (numUpdatedRows > 0n) return
    // Rounded up to two, as the text has no singular.
    const seconds = Math.max(Math.ceil(wait / 1000), 2)
    const message = `Too many wrong codes. Please wait ${seconds} seconds before you try again.`
    throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': String(seconds) })
  }

  async function check(userId: number, code: string, sealed: string): Promise<SecondFactor | undefined> {
    if (!/^\d{6}$/.test(code) || sealed === '')
      return (await recoveryCodes.take(userId, code)) ? 'recovery-code' : undefined
    const secret = open(userId, sealed)
    const step = secret === undefined ? undefined : stepOf(code, secret, now())
    if (step === undefined) return undefined
    // Each code is accepted once (RFC 6238, 5.2), whichever process it reaches.
    const { numUpdatedRows } = await db
      .updateTable('two_factor')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return numUpdatedRows > 0n ? 'app' : undefined
  }

  async function status(user: User): Promise<TwoFactorStatus> {
    const row = await read(user.id)
    return {
      app: row !== undefined && row.secret !== '',
      passkeys: await passkeys.list(user.id),
      recoveryCodes: await recoveryCodes.count(user.id),
      required: isRequired(user),
    }
  }

  /** Keyed hash of the stored password hash; `undefined` if there is no such user. */
  async function passwordVersion(userId: number): Promise<string | undefined> {
    const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
    return row && createHmac('sha256', key).update(`password ${row.password_hash}`).digest('base64url')
  }

  async function disable(user: User): Promise<boolean> {
    const { numDeletedRows } = await db.deleteFrom('two_factor').where('user_id', '=', user.id).executeTakeFirst()
    await recoveryCodes.remove(user.id)
    await db.deleteFrom('passkeys').where('user_id', '=', user.id).execute()
    if (numDeletedRows > 0n) await securityLog.record('two_factor_disabled', { user })
    return numDeletedRows > 0n
  }

  return {
    status,
    prepare({ login }, secret = newSecret()) {
      const uri = keyUri(secret, siteTitle(), login)
      return { secret, uri, qrCode: encode(uri, { ecc: 'M', border: 0 }).data }
    },
    async enable(user, secret, code) {
      const step = stepOf(code.replaceAll(' ', ''), secret, now())
      if (step === undefined) throw incorrectCode(400)
      const values = {
        secret: JSON.stringify(vault.seal(secret, placeOf(user.id))),
        last_step: step,
        failures: 0,
        last_failure_gmt: null,
        created_gmt: toGmt(now()),
      }
      await db
        .insertInto('two_factor')
        .values({ user_id: user.id, ...values })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
      const codes = await recoveryCodes.create(user.id)
      await securityLog.record('two_factor_enabled', { user })
      return codes
    },
    passkeys,
    async addPasskey(user, name, registration) {
      const passkey = await passkeys.add(user, name, registration)
      const values = { user_id: user.id, secret: '', last_step: 0, failures: 0, created_gmt: toGmt(now()) }
      const { numInsertedOrUpdatedRows: count } = await db
        .insertInto('two_factor')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return { passkey, recoveryCodes: count ? await recoveryCodes.create(user.id) : [] }
    },
    async removePasskey(user, id) {
      if (!(await passkeys.remove(user, id))) {
        throw new RestError('passkey_not_found', 'The user has no passkey with that ID.', { status: 404 })
      }
      const { app, passkeys: left } = await status(user)
      if (!app && left.length === 0) await disable(user)
    },
    async createRecoveryCodes(user) {
      if (!(await read(user.id))) {
        throw new RestError('two_factor_disabled', 'Set up an authenticator app or a passkey first.', { status: 400 })
      }
      const codes = await recoveryCodes.create(user.id)
      await securityLog.record('recovery_codes_created', { user })
      return codes
    },
    disable,
    async verify(user, code) {
      const row = await read(user.id)
      if (!row) throw incorrectCode(401)
      await countAttempt(user.id, { failures: row.failures, last: row.last_failure_gmt })
      const factor = await check(user.id, code.replaceAll(' ', ''), row.secret)
      if (factor === undefined) {
        await securityLog.record('two_factor_failed', { user })
        // Codes of the app have digits only, and recovery codes letters too.
        throw row.secret === '' || /[a-z]/i.test(code) ? incorrectRecoveryCode() : incorrectCode(401)
      }
      const reset = { failures: 0, last_failure_gmt: null }
      await db.updateTable('two_factor').set(reset).where('user_id', '=', user.id).execute()
      if (factor === 'recovery-code') {
        await securityLog.record('recovery_code_used', { user, detail: { left: await recoveryCodes.count(user.id) } })
      }
      return factor
    },
    async check(user, remember) {
      const isOn = (await read(user.id)) !== undefined
      if (!isOn && !isRequired(user)) return
      const version = (await passwordVersion(user.id)) ?? ''
      throw new TwoFactorRequired(pending.sign({ userId: user.id, remember, version }), !isOn)
    },
    async resume(token) {
      const login = pending.read(token)
      const user = login && (await users.get(login.userId))
      if (!user || login.version !== (await passwordVersion(user.id))) {
        throw new RestError('login_expired', 'Your login session has expired. Please log in again.', { status: 401 })
      }
      return { user, remember: login.remember }
    },
  }
}

/** Milliseconds until the next attempt: 2, 4, 8 seconds and so on, as in WordPress's Two-Factor plugin. */
const waitAfter = (failures: number) => Math.min(1000 * 2 ** failures, LONGEST_WAIT)

function incorrectCode(status: 400 | 401): RestError {
  const message =
    'The code is incorrect or was already used. Check that the time on your device is right, and enter the current code.'
  return new RestError('incorrect_code', message, { status })
}

function incorrectRecoveryCode(): RestError {
  const message = 'The recovery code is incorrect or was already used. Each one works only once: enter another one.'
  return new RestError('incorrect_code', message, { status: 401 })
}
