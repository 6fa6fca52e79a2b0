import { hash } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Database } from '../../../core/database/index.ts'

/** Codes of one set. */
const COUNT = 10

/** Codes with which users log in once each if they do not have their authenticator app or passkey. */
export interface RecoveryCodes {
  /** Replaces the user's codes. They are shown once, in groups of four characters. */
  create(userId: number): Promise<readonly string[]>
  /** Number of unused codes. */
  count(userId: number): Promise<number>
  /** Uses up a code: of several requests with the same one, only one succeeds. */
  take(userId: number, code: string): Promise<boolean>
  remove(userId: number): Promise<void>
}

export function createRecoveryCodes({ db }: Pick<Database, 'db'>): RecoveryCodes {
  const remove = async (userId: number) => {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  }
  return {
    async create(userId) {
      const codes = Array.from({ length: COUNT }, () => new Secret({ size: 10 }).base32)
      await remove(userId)
      const rows = codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) }))
      await db.insertInto('recovery_codes').values(rows).execute()
      return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'))
    },
    async count(userId) {
      const { total } = await db
        .selectFrom('recovery_codes')
        .select((builder) => builder.fn.countAll<number>().as('total'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async take(userId, code) {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(code.replace(/[\s-]/g, '').toUpperCase()))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    remove,
  }
}

/** Codes have 80 random bits, so a fast hash is enough. */
function hashOf(code: string): string {
  return hash('sha256', code, 'hex')
}
