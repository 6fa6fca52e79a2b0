import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSiteImages } from '../../cms/content/routes/index.ts'
import type { License } from '../../cms/license/types.ts'
import { joinRest } from '../../cms/rest/index.ts'
import type { OpenApi } from '../../cms/rest/openapi.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import type { Auth } from '../../core/auth/types.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createServer } from '../../core/http/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, loadSiteKey, openRecordFile } from '../../core/options/index.ts'
import { createRest } from '../../core/rest/index.ts'
import type { RestHost } from '../../core/rest/rest-host.ts'
import { createSiteAuth } from '../support/site-auth.ts'

export interface RestSite {
  readonly rest: RestHost
  readonly openApi: () => OpenApi
  readonly hooks: HookRegistry
  readonly auth: Auth
  readonly license: License
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Values of `Authorization`, with application passwords. */
  readonly admin: string
  readonly subscriber: string
  /** Records of the log. */
  readonly records: Record<string, unknown>[]
  /** A session of the administrator: value of `Cookie`, and its nonce. */
  session(): Promise<{ cookie: string; nonce: string }>
  close(): Promise<void>
}

/** A REST API over HTTP with real users, on SQLite in a temporary folder, and nothing else of a site. */
export async function createRestSite({
  corsOrigins = [],
  licenseKey,
  licensePublicKey,
}: {
  corsOrigins?: readonly string[]
  licenseKey?: string
  licensePublicKey?: string
} = {}): Promise<RestSite> {
  const siteDir = mkdtempSync(join(tmpdir(), 'pentad-rest-'))
  const records: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line) => records.push(JSON.parse(line)) })
  const hooks = createHooks()
  const config = { url: 'http://site.example', licenseKey, licensePublicKey }
  // Before the database: a site with data is given no new key.
  const siteKey = loadSiteKey(siteDir)
  const database = await createDatabase({ siteDir })
  const options = await createOptions({ storage: await openRecordFile(join(siteDir, 'options.json')), hooks, log })
  const auth = await createSiteAuth({
    database,
    hooks,
    options,
    siteKey,
    config,
    log,
    passwordCost: CHEAPEST,
  })
  const rest = createRest({
    hooks,
    auth,
    config,
    log,
    site: () => ({ title: 'Gazette', description: 'News from nowhere', timezone: 'UTC' }),
    isLicensed: () => auth.license.active,
    corsOrigins: () => corsOrigins,
  })
  const { openApi } = joinRest(rest, { title: () => 'Gazette' })
  describeSiteImages(hooks, () => ({ siteLogo: null, siteIcon: 0 }), rest.url)
  const server = createServer([rest.middleware], { trustedProxies: [], log })
  const port = await server.listen(0, '127.0.0.1')

  async function signIn(login: string, role: string): Promise<string> {
    const user = await auth.users.create({ login, email: `${login}@example.org`, roles: [role] })
    const { password } = await auth.applicationPasswords.create(user.id, 'test')
    return `Basic ${btoa(`${login}:${password}`)}`
  }

  return {
    rest,
    openApi,
    hooks,
    auth,
    license: auth.license,
    url: `http://127.0.0.1:${port}`,
    admin: await signIn('admin', 'administrator'),
    subscriber: await signIn('sub', 'subscriber'),
    records,
    async session() {
      const user = await auth.users.getByLogin('admin')
      if (!user) throw new Error('there is no admin')
      const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test', remember: false })
      return {
        cookie: auth.sessionCookie(signedIn).split(';')[0] ?? '',
        nonce: auth.createNonce('wp_rest', { user, session: signedIn.session }),
      }
    },
    async close() {
      await server.close()
      await auth.close()
      await options.close()
      await database.close()
      rmSync(siteDir, { recursive: true, force: true })
    },
  }
}
