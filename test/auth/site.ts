/** Auth with its real neighbors: database, options, hooks, REST and an HTTP server. Only the clock can be turned. */
import type { Server } from 'node:http'
import { join } from 'node:path'
import request from 'supertest'
import { registerAccountRoutes, registerTwoFactorRoutes } from '../../cms/accounts/index.ts'
import { registerLicenseRoutes } from '../../cms/license/index.ts'
import type { License } from '../../cms/license/types.ts'
import { createTwoFactorPages, type ReadLook, registerLogin, registerPasskeyLogin } from '../../cms/login/index.ts'
import { countsInDatabase } from '../../cms/rate-limits/index.ts'
import { joinRest } from '../../cms/rest/index.ts'
import { createTranslations } from '../../cms/text/index.ts'
import type { NewUser, User } from '../../core/auth/types.ts'
import { createDatabase, type SiteDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createFixedAddresses, createServer, rejectUnsupportedMethods } from '../../core/http/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, loadSiteKey, openRecordFile } from '../../core/options/index.ts'
import type { Options } from '../../core/options/types.ts'
import { createRest } from '../../core/rest/index.ts'
import type { Rest } from '../../core/rest/types.ts'
import { createSiteAuth, type SiteAuth, type SiteAuthParts } from '../support/site-auth.ts'
import { temporaryFolder } from '../support/site-folder.ts'

export const URL_OF_SITE = 'http://site.example'

/** As weak as scrypt goes, so that the tests spend their time elsewhere. */
const CHEAP = { ln: 4, r: 8, p: 1 }

export interface TestSite {
  readonly auth: SiteAuth
  readonly license: License
  readonly database: SiteDatabase
  readonly hooks: HookRegistry
  readonly options: Options
  readonly rest: Rest
  readonly http: Server
  readonly clock: { now: number }
  addUser(login: string, role: string, more?: Partial<NewUser>): Promise<User>
  /** `Authorization` header with an application password of the user. */
  basic(user: User): Promise<string>
  /** The `Cookie` header of a new session. */
  signIn(user: User): Promise<string>
  /** A second process on the same site folder and database. */
  another(): Promise<{ auth: SiteAuth; license: License; close(): Promise<void> }>
  close(): Promise<void>
}

export async function createTestSite(
  databaseUrl: string | undefined,
  { url = URL_OF_SITE, ...config }: Partial<SiteAuthParts['config']> = {},
  more: Pick<SiteAuthParts, 'twoFactorRoles'> = {},
): Promise<TestSite> {
  const siteDir = temporaryFolder()
  const log = createLog('silent')
  const clock = { now: Date.parse('2026-11-21T06:00:00Z') }
  // Before the database: a site with data is given no new key.
  const siteKey = loadSiteKey(siteDir)
  const database = await createDatabase({ siteDir, databaseUrl })
  const hooks = createHooks()
  const options = await createOptions({ storage: await openRecordFile(join(siteDir, 'options.json')), hooks, log })
  const parts: SiteAuthParts = {
    ...more,
    database,
    hooks,
    options,
    siteKey,
    config: { url, ...config },
    log,
    now: () => clock.now,
    passwordCost: CHEAP,
  }
  const auth = await createSiteAuth(parts)
  const site = () => ({ title: 'Test & Site', description: '', timezone: '' })
  const rest = createRest({
    ...{ hooks, auth, config: { url }, log, site },
    isLicensed: () => auth.license.active,
    corsOrigins: () => [],
  })
  joinRest(rest, { title: () => site().title })
  registerAccountRoutes(rest, auth)
  registerTwoFactorRoutes(rest, auth, auth.twoFactor)
  registerLicenseRoutes(rest, auth.license)
  const addresses = createFixedAddresses()
  const translations = createTranslations({ siteDir, log })
  const look: ReadLook = async (reader) => ({
    title: site().title,
    colorScheme: 'auto' as const,
    logo: undefined,
    darkLogo: undefined,
    texts: await translations.page(reader?.locale ?? ''),
  })
  const login = { auth, config: { url }, look, rateLimitStore: countsInDatabase(database) }
  const twoFactorPages = createTwoFactorPages(addresses, { ...login, twoFactor: auth.twoFactor, hooks })
  const { passkeys } = auth.twoFactor
  registerPasskeyLogin(addresses, { ...login, passkeys })
  registerLogin(addresses, {
    ...login,
    twoFactorPages,
    hasPasskeys: passkeys.isSupported,
    policyLink: async () => undefined,
  })
  // A proxy on the same machine tells the client's address, so that a test can come from anywhere.
  const server = createServer([rest.middleware, addresses.routes(), rejectUnsupportedMethods], {
    trustedProxies: ['127.0.0.1'],
    log,
  })
  await server.listen(0, '127.0.0.1')

  return {
    auth,
    license: auth.license,
    database,
    hooks,
    options,
    rest,
    http: server.http,
    clock,
    addUser: (name, role, more) =>
      auth.users.create({ login: name, email: `${name}@example.org`, roles: [role], ...more }),
    async basic(user) {
      const { password } = await auth.applicationPasswords.create(user.id, `test ${Math.random()}`)
      return basicHeader(user.login, password)
    },
    async signIn(user) {
      const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
      return cookieOf(auth.sessionCookie(signedIn))
    },
    async another() {
      const itsDatabase = await createDatabase({ siteDir, databaseUrl })
      const itsAuth = await createSiteAuth({ ...parts, database: itsDatabase, hooks: createHooks() })
      return {
        auth: itsAuth,
        license: itsAuth.license,
        async close() {
          await itsAuth.close()
          await itsDatabase.close()
        },
      }
    },
    async close() {
      await server.close()
      await auth.close()
      await options.close()
      await database.close()
    },
  }
}

export function basicHeader(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
}

/** What a browser sends back of a `Set-Cookie`. */
export function cookieOf(setCookie: string | undefined): string {
  return setCookie?.split(';')[0] ?? ''
}

/** The code of the error that a promise is rejected with, `resolved` if it is not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'resolved'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

export { request }
