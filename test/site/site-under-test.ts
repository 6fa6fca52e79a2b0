import { get, type Server } from 'node:http'
import { join } from 'node:path'
import { createDiscussion } from '../../cms/content/discussion/index.ts'
import { createContent, createPasswordGuesses, createPostPreviews } from '../../cms/content/index.ts'
import type { Content } from '../../cms/content/types.ts'
import { createJobs } from '../../cms/jobs/index.ts'
import { createMail } from '../../cms/mail/index.ts'
import { countsInDatabase } from '../../cms/rate-limits/index.ts'
import { joinRest } from '../../cms/rest/index.ts'
import type { PolicyMode } from '../../cms/site/content-security-policy.ts'
import { createPublicSite } from '../../cms/site/index.ts'
import { createTranslations } from '../../cms/text/index.ts'
import type { Auth } from '../../core/auth/types.ts'
import { type Config, loadConfig } from '../../core/config.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createFixedAddresses, createServer, rejectUnsupportedMethods } from '../../core/http/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, createSettings, loadSiteKey, openRecordFile } from '../../core/options/index.ts'
import type { Options, SettingsRegistry } from '../../core/options/types.ts'
import { createRest } from '../../core/rest/index.ts'
import { createSiteAuth } from '../support/site-auth.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** A site made of the real parts, without listening: supertest takes `http`. */
export interface SiteUnderTest {
  readonly http: Server
  readonly config: Config
  readonly hooks: HookRegistry
  readonly options: Options
  readonly database: Database
  readonly auth: Auth
  readonly content: Content
  readonly settings: SettingsRegistry
  /** What was logged as an error. */
  readonly errors: string[]
  /** What was logged as a warning. */
  readonly warnings: string[]
  /** Name of the theme, as the settings of the host would say it. */
  theme: string
  /** As the settings of the host would say it. */
  policyMode: PolicyMode
  /** A `Cookie` header of that user's session; the user is made if there is none of that login. */
  signIn(login: string, role: string): Promise<string>
  close(): Promise<void>
}

export async function startSite(
  settings: { databaseUrl?: string | undefined; environment?: 'local' | 'production' } = {},
): Promise<SiteUnderTest> {
  const config = loadConfig({ siteDir: temporaryFolder(), url: 'http://127.0.0.1:8080', ...settings }, {})
  const errors: string[] = []
  const warnings: string[] = []
  const log = createLog('warn', {
    write(line: string) {
      const lines = JSON.parse(line).level >= 50 ? errors : warnings
      lines.push(line)
    },
  })
  const hooks = createHooks()
  const siteKey = loadSiteKey(config.siteDir)
  const database = await createDatabase(config)
  const options = await createOptions({
    storage: await openRecordFile(join(config.siteDir, 'options.json')),
    hooks,
    log,
  })
  const cheap = { ln: 4, r: 1, p: 1 }
  const auth = await createSiteAuth({ database, hooks, options, siteKey, config, log, passwordCost: cheap })
  const content = await createContent({ database, hooks, options, auth, config, log })
  const site = () => ({ title: 'Test', description: '', timezone: 'UTC' })
  const rest = createRest({ hooks, auth, config, log, site, corsOrigins: () => [] })
  joinRest(rest, { title: () => 'Test' })
  const registry = createSettings({ options, hooks, siteKey, log })
  const sender = () => ({ name: 'Test', address: 'test@example.org' })
  const mail = createMail({ config, hooks, log, sender })
  const jobs = createJobs({ database, hooks, log, timezone: () => 'UTC' })
  const key = siteKey.derive('comments')
  const translations = createTranslations({ siteDir: config.siteDir, log })
  const textsFor = () => translations.page(content.siteSettings().language)
  const discussion = createDiscussion({
    ...{
      content,
      auth,
      hooks,
      database,
      rateLimitStore: countsInDatabase(database),
      settings: registry,
      mail,
      jobs,
      key,
      linkKey: key,
      textsFor,
    },
    siteUrl: config.url,
  })
  const pages = createPublicSite({
    ...{
      content,
      discussion,
      passwordGuesses: createPasswordGuesses(countsInDatabase(database)),
      auth,
      hooks,
      options,
      rest,
      config,
      log,
      textsFor,
    },
    postPreviews: createPostPreviews(database.db),
    database,
    siteKey,
    settings: registry,
    theme: () => made.theme,
    inspectHooks: () => hooks.inspect(),
    policyMode: () => made.policyMode,
    policyPage: () => 0,
  })
  const addresses = createFixedAddresses()
  pages.registerAddresses(addresses)
  const { http } = createServer([rest.middleware, addresses.routes(), rejectUnsupportedMethods, pages.middleware], {
    trustedProxies: [],
    log,
  })

  const made: SiteUnderTest = {
    http,
    config,
    hooks,
    options,
    database,
    auth,
    content,
    settings: registry,
    errors,
    warnings,
    theme: 'default',
    policyMode: 'report-only',
    async signIn(login, role) {
      const user =
        (await auth.users.getByLogin(login)) ??
        (await auth.users.create({ login, email: `${login}@example.org`, password: 'correct horse', roles: [role] }))
      const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test', remember: false })
      return auth.sessionCookie(session).split(';')[0] ?? ''
    },
    async close() {
      await jobs.close()
      await mail.close()
      await auth.close()
      await options.close()
      await database.close()
    },
  }
  return made
}

/** Text of the first element of that name, entities decoded; for looking into answers. */
export function textOf(html: string, element: string): string {
  const inner = new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`).exec(html)?.[1] ?? ''
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'" }
  return inner
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#039);/g, (entity) => entities[entity] ?? entity)
    .trim()
}

/** A GET of exactly that path; supertest would put `..` and `\` right before sending. */
export async function getExactly(
  http: Server,
  path: string,
): Promise<{ status: number; text: string; location: string }> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  try {
    const address = http.address()
    const port = address && typeof address === 'object' ? address.port : 0
    return await new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        const { statusCode = 0, headers } = response
        response.on('end', () => resolve({ status: statusCode, text, location: headers.location ?? '' }))
      }).on('error', reject)
    })
  } finally {
    await new Promise((resolve) => http.close(resolve))
  }
}
