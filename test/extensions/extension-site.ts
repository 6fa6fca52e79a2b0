import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Blame, createBlame } from '../../app/faults/index.ts'
import {
  createLoader,
  createServers,
  type Loader,
  type LoaderParts,
  lifecycleView,
  registerExtensionRoutes,
  type Servers,
} from '../../app/loader/index.ts'
import { replacementView } from '../../app/replacement/index.ts'
import { createAbilities } from '../../cms/abilities/index.ts'
import { createAdminPages } from '../../cms/admin/index.ts'
import { createContent } from '../../cms/content/index.ts'
import type { Content } from '../../cms/content/types.ts'
import { databaseView } from '../../cms/database/view.ts'
import { cmsView } from '../../cms/extension-view.ts'
import { createJobs, type JobsHost } from '../../cms/jobs/index.ts'
import { jobsView } from '../../cms/jobs/view.ts'
import { licenseView } from '../../cms/license/extension-view.ts'
import { generateLicenseKeyPair } from '../../cms/license/index.ts'
import type { License } from '../../cms/license/types.ts'
import { createMail } from '../../cms/mail/index.ts'
import { joinRest } from '../../cms/rest/index.ts'
import { createTranslations, type TextsFor } from '../../cms/text/index.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import type { Auth } from '../../core/auth/types.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createExtensions, type ExtensionManager, type ExtensionParts } from '../../core/extensions/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createFront, createServer } from '../../core/http/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, createSettings, createVault, loadSiteKey, openRecordFile } from '../../core/options/index.ts'
import type { Options, SettingsRegistry } from '../../core/options/types.ts'
import { coreOwner } from '../../core/owner.ts'
import { createRest } from '../../core/rest/index.ts'
import type { Rest } from '../../core/rest/types.ts'
import { createSiteAuth } from '../support/site-auth.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** The license keys of all sites of the tests. */
export const licenseKeys = generateLicenseKeyPair()

declare module '../../core/hooks/names.ts' {
  interface Filters {
    /** What the extensions of these tests filter. */
    test_text: [text: string]
  }
  interface AsyncFilters {
    test_text_async: [text: string]
  }
  interface Actions {
    test_action: []
  }
}

/** Everything extensions can reach, put together from the real parts, with a server in front. */
export interface ExtensionSite {
  readonly siteDir: string
  readonly extensions: ExtensionManager
  readonly loader: Loader
  readonly servers: Servers
  readonly blame: Blame
  readonly hooks: HookRegistry
  readonly rest: Rest
  readonly options: Options
  readonly settings: SettingsRegistry
  readonly auth: Auth
  readonly license: License
  readonly content: Content
  readonly jobs: JobsHost
  readonly database: Database
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** `Authorization` of an administrator and of a subscriber. */
  readonly admin: string
  readonly subscriber: string
  /** Records of the log. */
  readonly records: Record<string, unknown>[]
  /** Writes files of the extension `id` into the site's folder. */
  write(id: string, files: Record<string, string>): void
  /** `test_text` as the extensions make it. */
  text(value?: string): string
  /** Asks the REST API: status and JSON. */
  ask(path: string, method?: string, authorization?: string): Promise<{ status: number; body: unknown }>
  close(): Promise<void>
}

export async function createExtensionSite(
  more: Partial<ExtensionParts> &
    Partial<Pick<LoaderParts, 'folders' | 'isService'>> & { siteDir?: string; filesCheck?: number } = {},
): Promise<ExtensionSite> {
  const { siteDir = temporaryFolder(), folders = [], isService = () => false, filesCheck, ...given } = more
  const records: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line) => void records.push(JSON.parse(line)) }, (line): string =>
    loader.mapLine(line),
  )
  const hooks = createHooks()
  const siteKey = loadSiteKey(siteDir)
  const config = {
    siteDir,
    url: 'http://site.example',
    adminEmail: 'admin@example.org',
    environment: 'local' as const,
    pageCache: 'on' as const,
    disallowFileMods: false,
    licensePublicKey: licenseKeys.publicKey,
    extensionsDir: undefined,
  }
  const database = await createDatabase({ siteDir })
  const options = await createOptions({ storage: await openRecordFile(join(siteDir, 'options.json')), hooks, log })
  const settings = createSettings({ options, hooks, siteKey, log })
  const auth = await createSiteAuth({ database, hooks, options, siteKey, config, log, passwordCost: CHEAPEST })
  const content = await createContent({ database, hooks, options, auth, config, log })
  const mail = createMail({ config, hooks, log, sender: () => ({ name: 'Site', address: 'admin@example.org' }) })
  const jobs = createJobs({ database, hooks, log, timezone: () => 'UTC' })
  const rest = createRest({
    hooks,
    auth,
    config,
    log,
    site: () => ({ title: 'Site', description: '', timezone: 'UTC' }),
    corsOrigins: () => [],
  })
  joinRest(rest, { title: () => 'Site' })
  const front = createFront({ host: 'site.example', isClosed: () => false, timeLimit: () => 60_000 })
  const abilities = createAbilities({ auth, isLicensed: () => auth.license.active, hooks, core: coreOwner(() => {}) })
  const noSandbox = () => Promise.reject(new Error('This site has no sandboxes.'))
  const loader = createLoader({
    sandboxes: {
      ...{ ask: noSandbox, bundle: noSandbox, define: noSandbox },
      isSandboxed: () => false,
      leave: async () => {},
    },
    ...{ config, siteKey, options, log, folders, isService },
    publicApi: () => import('../../app/index.ts'),
  })
  const translations = createTranslations({ siteDir: config.siteDir, log })
  const textsFor: TextsFor = (reader) => translations.page(reader?.locale || content.siteSettings().language)
  const extensions = createExtensions({
    sources: [loader],
    views: [
      jobsView(jobs),
      databaseView(database),
      lifecycleView,
      cmsView({ content, abilities, adminPages: createAdminPages(), mail, textsFor }),
      licenseView(auth.license),
      replacementView(config, { replace: () => {} }),
    ],
    hooks,
    rest,
    settings,
    options,
    auth,
    front,
    siteKey,
    config,
    log,
    vault: createVault(siteKey),
    isLicensed: () => auth.license.active,
    ...given,
  })
  hooks.addAction('license_changed', () => extensions.followLicense())
  const checking = filesCheck === undefined ? undefined : setInterval(() => extensions.checkFiles(), filesCheck)
  registerExtensionRoutes(rest, {
    extensions,
    auth,
    loader,
    sandboxes: { allow: async () => async () => {}, choose: noSandbox },
  })
  const server = createServer([rest.middleware], { trustedProxies: [], front, log })
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`

  async function signIn(login: string, role: string): Promise<string> {
    const user = (await auth.users.getByLogin(login)) ?? (await auth.users.create({ login, roles: [role] }))
    const { password } = await auth.applicationPasswords.create(user.id, `test ${Date.now()}`)
    return `Basic ${btoa(`${login}:${password}`)}`
  }

  return {
    siteDir,
    extensions,
    loader,
    servers: createServers({
      config: { host: '127.0.0.1', port: 0, url: 'http://127.0.0.1' },
      extensions,
      database,
      options,
      hooks,
      log,
    }),
    blame: createBlame({ extensions, hooks, log, traces: loader.traces }),
    hooks,
    rest,
    options,
    settings,
    auth,
    license: auth.license,
    content,
    jobs,
    database,
    url,
    admin: await signIn('admin', 'administrator'),
    subscriber: await signIn('sub', 'subscriber'),
    records,
    write(id, files) {
      for (const [name, text] of Object.entries(files)) {
        const file = join(siteDir, 'extensions', id, name)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    },
    text: (value = '') => hooks.applyFilters('test_text', value),
    async ask(path, method = 'GET', authorization) {
      const headers: Record<string, string> = authorization ? { authorization } : {}
      const answer = await fetch(`${url}/wp-json${path}`, { method, headers })
      return { status: answer.status, body: await answer.json() }
    },
    async close() {
      clearInterval(checking)
      await extensions.close()
      await loader.close()
      await server.close()
      await jobs.close()
      await mail.close()
      await auth.close()
      await options.close()
      await database.close()
    },
  }
}

/** Source of an extension: `body` is the inside of its `setup`. */
export function extensionSource(id: string, body: string, head = ''): string {
  return `import { defineExtension } from 'pentad'
${head}
export default defineExtension({ id: '${id}', name: 'Name of ${id}', version: '1.2.3', description: 'About ${id}.',
  async setup(host) {
    ${body}
  },
})
`
}

/** What a rejected promise was rejected with. */
export async function refusal(promise: Promise<unknown>): Promise<{ code?: string; status?: number; message: string }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('It was not refused.')
}

/** Extensions of these tests wait with `process.once('go on', …)`. */
export function letGoOn(): void {
  Reflect.apply(process.emit, process, ['go on'])
}
