import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Selectable } from 'kysely'
import type { User, Users } from '../../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import { createSigner } from '../signer.ts'
import type { SecurityLog } from '../types.ts'
import { CHALLENGE_LIFETIME, createChallenges } from './challenges.ts'
import type { PasskeyTable } from './tables.ts'
import type { Passkey, Passkeys } from './types.ts'
import { readPublicKey } from './webauthn.ts'

/** Verifies what browsers send. Loaded on first use, because loading takes about 100 ms, and few requests need it. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** Passkeys of one user. */
const MOST = 20
const LOGIN = 'login'
/** COSE algorithms (RFC 9053) that all authenticators have one of: ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257] as const

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
  /** What a response must be for, in each verification. */
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
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
      const { generateRegistrationOptions } = await loadWebAuthn()
      const options = await generateRegistrationOptions({
        rpID: hostname,
        rpName: siteTitle() || hostname,
        // Must not identify the person, but be the same for each passkey (14.6.1).
        userID: new Uint8Array(createHmac('sha256', key).update(`user ${user.id}`).digest()),
        userName: user.login,
        userDisplayName: user.displayName || user.login,
        excludeCredentials: (await list(user.id)).map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: [...ALGORITHMS],
        timeout: CHALLENGE_LIFETIME,
      })
      // Signed, so that it need not be stored until it is answered.
      return { ...options, challenge: challenges.create(purposeOf(user)) }
    },
    async add(user, name, registration) {
      const { verifyRegistrationResponse } = await loadWebAuthn()
      let issued: string | undefined
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: registration,
        expectedChallenge(challenge) {
          issued = challenges.issuedAt(challenge, purposeOf(user))
          return issued !== undefined
        },
        supportedAlgorithmIDs: [...ALGORITHMS],
      }).catch(() => ({ registrationInfo: undefined }))
      if (!issued || registrationInfo?.credential.id !== registration.id) throw invalidPasskey(400)
      if ((await list(user.id)).length >= MOST) {
        throw new RestError('too_many_passkeys', `A user can have at most ${MOST} passkeys.`, { status: 400 })
      }
      const row = {
        ...{ id: registration.id, user_id: user.id, name, counter: 0, last_challenge: issued },
        public_key: Buffer.from(registrationInfo.credential.publicKey).toString('base64url'),
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
    loginOptions: () => ({ rpId: hostname, challenge: challenges.create(LOGIN), userVerification: 'required' }),
    async logIn(assertion) {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', assertion.id).executeTakeFirst()
      const user = row && (await users.get(row.user_id))
      if (!row || !user) throw invalidPasskey(401)
      const { verifyAuthenticationResponse } = await loadWebAuthn()
      let issued: string | undefined
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response: assertion,
        expectedChallenge(challenge) {
          issued = challenges.issuedAt(challenge, LOGIN)
          return issued !== undefined
        },
        credential: { id: row.id, publicKey: await readPublicKey(row.public_key), counter: row.counter },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
      if (!verified || !authenticationInfo || !issued) throw invalidPasskey(401)
      const counter = authenticationInfo.newCounter
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
