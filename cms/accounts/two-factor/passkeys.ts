import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Selectable } from 'kysely'
import type { User, Users } from '../../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import { createSigner } from '../signer.ts'
import type { SecurityLog } from '../types.ts'
import { createChallenges } from './challenges.ts'
import type { PasskeyTable } from './tables.ts'
import type { Passkey, Passkeys } from './types.ts'
import { ALGORITHMS, challengeOf, counterOf, isSigned, publicKeyOf, type RelyingParty } from './webauthn.ts'

/** Passkeys of one user. */
const MOST = 20
const LOGIN = 'login'

interface Parts {
  readonly database: Pick<Database, 'db'>
  readonly users: Pick<Users, 'get'>
  /** Signs challenges. */
  readonly key: Buffer
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly siteUrl: string
  readonly siteTitle: () => string
  readonly now: () => number
}

export function createPasskeys(parts: Parts): Passkeys {
  const {
    database: { db },
    users,
    key,
    securityLog,
    siteUrl,
    siteTitle,
    now,
  } = parts
  const { hostname, origin, protocol } = new URL(siteUrl)
  const party: RelyingParty = { id: hostname, origin }
  const challenges = createChallenges(createSigner(key), now)
  const purposeOf = (user: User) => `registration ${user.id}`

  async function list(userId: number): Promise<Passkey[]> {
    const rows = await db
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_gmt')
      .execute()
    return rows.map(toPasskey)
  }

  return {
    // Browsers have passkeys on secure origins only, and for names only (Web Authentication, 5.1.3).
    isSupported:
      (protocol === 'https:' || hostname === 'localhost') && isIP(hostname) === 0 && !hostname.startsWith('['),
    list,
    async registrationOptions(user) {
      return {
        rp: { id: party.id, name: siteTitle() || party.id },
        user: {
          // Must not identify the person, but be the same for each passkey (14.6.1).
          id: createHmac('sha256', key).update(`user ${user.id}`).digest('base64url'),
          name: user.login,
          displayName: user.displayName || user.login,
        },
        challenge: challenges.create(purposeOf(user)),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
        excludeCredentials: (await list(user.id)).map(({ id }) => ({ type: 'public-key' as const, id })),
        authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
        attestation: 'none' as const,
      }
    },
    async add(user, name, registration) {
      const challenge = challengeOf(registration.response.clientDataJSON, 'webauthn.create', party)
      const issued = challenges.issuedAt(challenge, purposeOf(user))
      const publicKey = issued && publicKeyOf(registration, party)
      if (!issued || !publicKey) throw invalidPasskey(400)
      if ((await list(user.id)).length >= MOST) {
        throw new RestError('too_many_passkeys', `A user can have at most ${MOST} passkeys.`, { status: 400 })
      }
      const row = {
        ...{ id: registration.id, user_id: user.id, name, public_key: publicKey, counter: 0, last_challenge: issued },
        ...{ created_gmt: toGmt(now()), last_used_gmt: null },
      }
      const { numInsertedOrUpdatedRows: count } = await db
        .insertInto('passkeys')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (!count) throw invalidPasskey(400)
      await securityLog.record('passkey_added', { user, detail: { name } })
      return toPasskey(row)
    },
    async remove(user, id) {
      const found = (await list(user.id)).find((passkey) => passkey.id === id)
      await db.deleteFrom('passkeys').where('user_id', '=', user.id).where('id', '=', id).execute()
      if (found) await securityLog.record('passkey_removed', { user, detail: { name: found.name } })
      return found !== undefined
    },
    loginOptions: () => ({ rpId: party.id, challenge: challenges.create(LOGIN), userVerification: 'required' }),
    async logIn(assertion) {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', assertion.id).executeTakeFirst()
      const user = row && (await users.get(row.user_id))
      const challenge = challengeOf(assertion.response.clientDataJSON, 'webauthn.get', party)
      const issued = challenges.issuedAt(challenge, LOGIN)
      if (!row || !user || !issued || !isSigned(assertion, row.public_key, party)) throw invalidPasskey(401)
      const counter = counterOf(assertion)
      // Of several requests with the same response, one succeeds. A counter that does not grow is that of a copy (6.1.1).
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ counter, last_challenge: issued, last_used_gmt: toGmt(now()) })
        .where('id', '=', row.id)
        .where('last_challenge', '<', issued)
        .$if(counter > 0 || row.counter > 0, (query) => query.where('counter', '<', counter))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw invalidPasskey(401)
      return user
    },
  }
}

const toPasskey = (row: Selectable<PasskeyTable>): Passkey => ({
  id: row.id,
  name: row.name,
  created: fromGmt(row.created_gmt),
  lastUsed: row.last_used_gmt === null ? null : fromGmt(row.last_used_gmt),
})

function invalidPasskey(status: 400 | 401): RestError {
  const message =
    'The passkey could not be verified. It may have been removed, or the request took too long. Please try again.'
  return new RestError('invalid_passkey', message, { status })
}
