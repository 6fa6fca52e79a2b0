import { once } from 'node:events'
import { createServer as createHolder } from 'node:net'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { registerCoreAbilities } from '../cms/abilities/core.ts'
import { type AbilitiesRegistry, createAbilities } from '../cms/abilities/index.ts'
import { registerAbilityRoutes } from '../cms/abilities/routes.ts'
import { createAdmin } from '../cms/admin/index.ts'
import { type AdminPages, createAdminPages } from '../cms/admin/pages.ts'
import { createDiscussion } from '../cms/content/discussion/index.ts'
import { registerExportRoute } from '../cms/content/export/routes.ts'
import { createImportJob } from '../cms/content/import/import-job.ts'
import { registerImportRoutes } from '../cms/content/import/routes.ts'
import { createContent, noteSiteUrl, seedContent } from '../cms/content/index.ts'
import { contentTables } from '../cms/content/migrations.ts'
import { createPasswordGuesses } from '../cms/content/password-guesses.ts'
import { registerContentRoutes } from '../cms/content/routes/index.ts'
import { createScheduledPosts } from '../cms/content/scheduled-posts.ts'
import type { Content } from '../cms/content/types.ts'
import packageJson from '../package.json' with { type: 'json' }
import { createFirstAdministrator, type FirstAdministrator } from './auth/first-run.ts'
import { createAuth } from './auth/index.ts'
import { createLogin } from './auth/login.ts'
import type { PasswordCost } from './auth/password-hash.ts'
import { registerAuthRoutes } from './auth/routes.ts'
import type { Auth } from './auth/types.ts'
import { createClosingTime, waitAtMost } from './closing-time.ts'
import { type Config, type ConfigInput, findOddities, loadConfig, originOf } from './config.ts'
import { createDatabase, type Database } from './database/index.ts'
import { createForeignCode } from './extensions/foreign-code.ts'
import { createExtensions, type ExtensionManager } from './extensions/index.ts'
import { registerPluginRoutes } from './extensions/plugin-routes.ts'
import { registerExtensionRoutes } from './extensions/routes.ts'
import { createTraces } from './extensions/trace.ts'
import { createHooks } from './hooks/index.ts'
import type { HookRegistry } from './hooks/types.ts'
import type { TimeLimits } from './hooks/waiting.ts'
import { createFront, type Front } from './http/front.ts'
import { currentRequest } from './http/request-context.ts'
import { CALL_LIMITS, type CallLimits } from './http/time-limit.ts'
import { createCronEndpoint } from './jobs/cron-endpoint.ts'
import { createJobs } from './jobs/index.ts'
import type { Jobs } from './jobs/types.ts'
import type { Owner } from './owner.ts'
import { openDatabaseBeside, removeDatabaseBeside } from './replacement/database-beside.ts'
import './lifecycle.ts'
import { POLICY_MODES } from '../cms/site/content-security-policy.ts'
import { createEmbeds } from '../cms/site/embeds/index.ts'
import { createSite } from '../cms/site/index.ts'
import { DEFAULT_THEME, THEME_NAME } from '../cms/site/theme/theme.ts'
import { makeFolder } from './files/make-folder.ts'
import { createMaintenance, type Maintenance } from './http/maintenance.ts'
import { createServer } from './http/server.ts'
import { createLog, type Logger } from './log.ts'
import { createMail } from './mail/index.ts'
import type { Mail } from './mail/types.ts'
import { createOptions } from './options/index.ts'
import { registerSettingsRoutes } from './options/routes.ts'
import { createVault } from './options/secrets.ts'
import { createSettings } from './options/settings.ts'
import { createSiteInfo } from './options/site-info.ts'
import { loadSiteKey } from './options/site-key.ts'
import type { Options, SettingsRegistry } from './options/types.ts'
import { finishReplacement, lastReplacement } from './replacement/replacement.ts'
import { createRestart } from './replacement/restart.ts'
import { createRest } from './rest/index.ts'
import { registerRestRoutes } from './rest/routes.ts'
import type { Rest } from './rest/types.ts'

/** The services: active until somebody switches them off. */
const PLUGINS = join(import.meta.dirname, '..', 'plugins')
/** Extensions that come with the product. */
const EXTENSIONS = join(import.meta.dirname, '..', 'extensions')

/** What the build made of the admin's client. */
const ADMIN = join(import.meta.dirname, '..', 'admin', 'dist')

/** Settings of the host itself, written over `PUT /host/v1/settings/host`. */
const hostSettings = z.object({
  corsOrigins: z
    .array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin))
    .max(100)
    .default([])
    .meta({ title: 'Trusted origins', description: 'Other sites whose scripts may call the REST API with cookies.' }),
  theme: z
    .string()
    .regex(THEME_NAME)
    .default(DEFAULT_THEME)
    .meta({ title: 'Theme', description: 'Name of a folder in themes/; without such a folder, the default theme.' }),
  contentSecurityPolicy: z.enum(POLICY_MODES).default('report-only').meta({
    title: 'Content security policy',
    description:
      'Whether browsers block scripts that neither the theme nor an extension added. “report-only” shows in the browser console what “enforce” would block.',
  }),
  callbackTimeLimit: z.int().min(50).max(600_000).default(5_000).meta({
    title: 'Time limit of a callback (ms)',
    description: 'A page or REST answer skips an asynchronous callback of an extension that takes longer.',
  }),
  requestTimeLimit: z.int().min(50).max(600_000).default(10_000).meta({
    title: 'Time limit of a request (ms)',
    description: 'How long a page or REST answer waits for asynchronous callbacks of extensions altogether.',
  }),
  handlerTimeLimit: z.int().min(50).max(3_600_000).default(CALL_LIMITS.handler).meta({
    title: 'Time limit of a handler (ms)',
    description:
      'A REST request waits no longer for the handler of an extension’s route, or for an ability, unless the extension sets a limit of its own for it.',
  }),
})

/** Milliseconds that a callback of `shutdown` may take, and that all of them have at least. */
const SHUTDOWN_CALLBACK = 5_000
const LEAST_SHUTDOWN = 500

const DEFAULT_LIMITS: TimeLimits = { callback: 5_000, request: 10_000 }

/** A whole site in one object. Two of them in one process do not see each other. */
export interface Host {
  readonly config: Config
  readonly log: Logger
  readonly hooks: HookRegistry
  readonly options: Options
  readonly settings: SettingsRegistry
  readonly database: Database
  readonly auth: Auth
  readonly content: Content
  readonly rest: Rest
  readonly abilities: AbilitiesRegistry
  readonly adminPages: AdminPages
  readonly front: Front
  readonly mail: Mail
  readonly jobs: Jobs
  readonly extensions: ExtensionManager
  readonly maintenance: Maintenance
  /** Set where this start made the first administrator. */
  readonly firstAdministrator: FirstAdministrator | undefined
  /** Resolves when the host has to be closed and opened again, because parts of its site are being replaced. */
  readonly restarting: Promise<void>
  /** Starts to take requests and to run jobs; resolves to the address it listens on. */
  listen(): Promise<string>
  /** Finishes what is under way and closes everything; calling it twice is harmless. */
  close(): Promise<void>
}

/** What of a host is there before any extension runs. */
export type HostBeforeLoad = Pick<Host, 'config' | 'extensions' | 'hooks' | 'log'>

export interface HostOptions {
  readonly fetch?: typeof fetch
  readonly beforeLoad?: (host: HostBeforeLoad) => void
  readonly runExtensions?: boolean
  readonly runServices?: boolean
  readonly safeMode?: boolean
  readonly serves?: boolean
  readonly passwordCost?: PasswordCost | undefined
  readonly adminFolder?: string | undefined
  readonly isTrustedAddress?: ((url: URL) => boolean) | undefined
}

/**
 * Opens the site of a folder, or makes a new one there, with its active extensions running.
 *
 * @param parts.fetch - Takes the place of the global `fetch` that extensions get.
 * @param parts.beforeLoad - Called when the host can tell whose fault an error is, before any extension runs.
 * @param parts.runExtensions - `false` starts no extension, for commands that must work whatever one does.
 * @param parts.runServices - `false` leaves the services off that nobody has switched on.
 * @param parts.safeMode - Runs the services only; what is stored of all other extensions stays.
 * @param parts.serves - `true` does not start while another process keeps the database from being written to.
 * @param parts.passwordCost - What hashing a password costs; tests are cheaper.
 * @param parts.adminFolder - What the build of the admin's client made. Default: `admin/dist`.
 * @param parts.isTrustedAddress - Which addresses embeds may ask although they are not public, for tests. Default: none.
 * @throws Error if the configuration, the options or the database can't be read
 */
export async function createHost(input: ConfigInput = {}, parts: HostOptions = {}): Promise<Host> {
  const {
    beforeLoad,
    runExtensions,
    runServices = true,
    serves = false,
    passwordCost,
    adminFolder = ADMIN,
    isTrustedAddress,
    ...outside
  } = parts
  const startedAt = Date.now()
  const { config, release } = await resolvePort(input)
  const closers = new AsyncDisposableStack()
  const closing = createClosingTime()
  closers.defer(release)
  try {
    const traces = createTraces()
    const log = createLog(config.logLevel, undefined, traces.mapStack)
    makeFolder(config.siteDir)
    for (const oddity of findOddities(config)) log.warn(oddity)
    await finishReplacement(config)
    const maintenance = createMaintenance()
    const restart = createRestart(config.siteDir, maintenance)
    closers.defer(() => restart.close())
    const siteKey = loadSiteKey(config.siteDir)
    let timeLimits = (): TimeLimits => DEFAULT_LIMITS
    const waiting = () => currentRequest()?.waiting
    const registry = createHooks({ request: { waiting, limits: () => timeLimits() } })
    const core = coreOwner(log, closers)
    const hooks = registry.forOwner(core)

    const options = await createOptions({ siteDir: config.siteDir, hooks, log })
    closers.defer(() => options.close())
    const siteInfo = createSiteInfo(options, config.adminEmail)
    const settings = createSettings({ options, hooks, siteKey, log })
    const database = await createDatabase(config)
    closers.defer(() => database.close())
    if (serves) await database.awaitWritable()
    const auth = await createAuth({ database, hooks, options, siteKey, config, log, passwordCost })
    closers.defer(() => auth.close())
    const content = await createContent({ database, hooks, options, auth, config, log })
    const firstAdministrator = await createFirstAdministrator(auth, config)
    // It has done its work; extensions and the programs that they start need not see it.
    delete process.env.PENTAD_ADMIN_PASSWORD
    if (config.disallowFileMods) hooks.addFilter('map_meta_cap', disallowFileMods)
    if (firstAdministrator) {
      const author = await auth.users.getByLogin(firstAdministrator.login)
      await seedContent({ content, options, database, authorId: author?.id ?? 0 })
    }

    const own = settings.register('host', hostSettings).settings
    timeLimits = () => ({ callback: own.get().callbackTimeLimit, request: own.get().requestTimeLimit })
    const callLimits = (): CallLimits => ({ check: own.get().callbackTimeLimit, handler: own.get().handlerTimeLimit })
    const front = createFront({
      host: new URL(config.url).host,
      isClosed: () => maintenance.active,
      timeLimit: () => own.get().handlerTimeLimit,
    })
    const rest = createRest({
      hooks,
      auth,
      config,
      log,
      site: siteInfo,
      corsOrigins: () => own.get().corsOrigins,
      closed: maintenance.refusal,
      limits: callLimits,
    })
    const abilities = createAbilities({ auth, hooks, core, limits: callLimits })
    registerCoreAbilities({ abilities, rest, content, auth, settings, siteUrl: config.url })
    const adminPages = createAdminPages()
    const mail = createMail({
      config,
      hooks,
      log,
      sender: () => ({ name: siteInfo().title, address: siteInfo().adminEmail }),
    })
    closers.defer(() => mail.close())
    const jobs = createJobs({ database, hooks: registry, log, timezone: () => siteInfo().timezone })
    closers.defer(() => jobs.close(closing.left()))
    jobs.schedule('prune-security-log', '37 4 * * *', () => auth.securityLog.prune())
    hooks.addAction('activated_plugin', (extension) =>
      auth.securityLog.record('extension_activated', { detail: { extension } }),
    )
    hooks.addAction('deactivated_plugin', (extension) =>
      auth.securityLog.record('extension_deactivated', { detail: { extension } }),
    )
    hooks.addAction('license_changed', ({ active, plan }) =>
      auth.securityLog.record('license_changed', {
        detail: { state: active ? 'active' : 'inactive', plan: plan ?? '' },
      }),
    )
    const imports = createImportJob({ content, users: auth.users, options, database, hooks, config, log, jobs })
    closers.defer(() => imports.close())
    const discussion = createDiscussion({
      ...{ content, auth, hooks, database, settings, mail, jobs },
      key: siteKey.derive('comments'),
    })
    const passwordGuesses = createPasswordGuesses()
    const scheduled = createScheduledPosts({ posts: content.posts, hooks, jobs, log })
    const extensions = createExtensions({
      ...{
        hooks: registry,
        rest,
        abilities,
        adminPages,
        settings,
        options,
        auth,
        content,
        database,
        jobs,
        mail,
        front,
        siteKey,
        config,
        foreignCode: createForeignCode(join(config.siteDir, 'extensions')),
        vault: createVault(siteKey),
        log,
        traces,
        ...outside,
        replacement: {
          hostVersion: packageJson.version,
          replace: restart.replace,
          lastReplacement: () => lastReplacement(config.siteDir),
          openDatabaseBeside: (place) => openDatabaseBeside(config, place, [contentTables]),
          removeDatabaseBeside: (place) => removeDatabaseBeside(config, place),
        },
      },
      folders: [PLUGINS, EXTENSIONS],
      activeByDefault: ({ folder }) => runServices && folder !== null && dirname(folder) === PLUGINS,
    })
    closers.defer(() => extensions.close(closing.left))

    registerRestRoutes(rest, { hooks: registry, version: packageJson.version, startedAt, safeMode: parts.safeMode })
    registerSettingsRoutes(rest, settings)
    registerAuthRoutes(rest, auth)
    registerContentRoutes(rest, { content, auth, hooks, options, discussion, passwordGuesses, config })
    registerExportRoute(rest, { content, users: auth.users, database, hooks, config })
    registerImportRoutes(rest, { imports, jobs })
    registerAbilityRoutes(rest, abilities)
    registerExtensionRoutes(rest, { extensions, auth })
    registerPluginRoutes(rest, { extensions, auth, hooks })

    const site = createSite({
      ...{ content, discussion, passwordGuesses, auth, hooks, options, rest, config, log },
      theme: () => own.get().theme,
      policyMode: () => own.get().contentSecurityPolicy,
    })
    await createEmbeds({
      ...{ content, database, hooks, jobs, log, rest, settings, signal: core.signal },
      ...{ own: site.oembed, origin: config.url, isTrusted: isTrustedAddress },
    })
    const login = createLogin({ auth, config, siteTitle: () => siteInfo().title })
    const admin = createAdmin({
      ...{ adminPages, auth, config, content, extensions, hooks, log, options, rest, settings },
      folder: adminFolder,
    })
    const server = createServer(
      [
        ...[rest.middleware, maintenance.middleware, site.postPassword, site.commentForm],
        ...[login, admin, createCronEndpoint(jobs), site.middleware],
      ],
      {
        ...{ url: config.url, trustedProxies: config.trustedProxies, clientTimeout: config.clientTimeout },
        ...{ front, hooks, log },
      },
    )

    beforeLoad?.({ config, extensions, hooks: registry, log })
    await extensions.load(runExtensions)
    await hooks.doActionAsync('init')
    await hooks.doActionAsync('rest_api_init', rest)
    const shutdown = hooks.limited({ timeout: SHUTDOWN_CALLBACK })
    closers.defer(async () => {
      await waitAtMost(Math.max(LEAST_SHUTDOWN, closing.left()), shutdown.doActionAsync('shutdown'))
    })
    closers.defer(() => scheduled.close())
    closers.defer(() =>
      server.close({
        grace: closing.left(),
        onOverdue: () => extensions.warnOfCalls('requests are cut off, since an extension has not ended'),
      }),
    )
    closers.defer(() => {
      closing.begin()
      jobs.interrupt()
    })

    return {
      ...{
        config,
        log,
        hooks: registry,
        options,
        settings,
        database,
        auth,
        content,
        rest,
        abilities,
        adminPages,
        front,
        mail,
        jobs,
        extensions,
      },
      ...{ maintenance, firstAdministrator, restarting: restart.restarting },
      async listen() {
        await release()
        const port = await server.listen(config.port, config.host)
        await noteSiteUrl(options, config.url)
        jobs.start()
        extensions.serve()
        await scheduled.start()
        return originOf(config.host, port)
      },
      close: () => closers.disposeAsync(),
    }
  } catch (error) {
    await closers.disposeAsync()
    throw error
  }
}

/**
 * Port 0 asks for any free one; it is chosen now, because the address of the site needs it, and held until `release`, so
 * that nobody else gets it meanwhile.
 */
async function resolvePort(input: ConfigInput): Promise<{ config: Config; release(): Promise<void> }> {
  const config = loadConfig(input)
  if (config.port !== 0) return { config, release: async () => {} }
  const holder = createHolder((early) => early.destroy()).unref()
  const listening = once(holder, 'listening')
  holder.listen(0, config.host)
  await listening
  const address = holder.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    config: loadConfig({ ...input, port }),
    release: () => new Promise((resolve) => holder.close(() => resolve())),
  }
}

/** WordPress's capabilities that change code, which nobody has under `DISALLOW_FILE_MODS` (`map_meta_cap`). */
const FILE_MODS = /^(?:(?:install|update|delete|edit|upload)_(?:plugins|themes)|edit_files|update_core)$/

const disallowFileMods = (needed: readonly string[], capability: string): readonly string[] =>
  FILE_MODS.test(capability) ? ['do_not_allow'] : needed

/** Core's own callbacks are guarded like anybody's: a bug in one of them must not take a page down. */
function coreOwner(log: Logger, closers: AsyncDisposableStack): Owner {
  const unload = new AbortController()
  closers.defer(() => unload.abort())
  return {
    id: 'core',
    signal: unload.signal,
    onError: (error, hook) => log.error({ err: error, hook }, 'a callback of core failed'),
    onUndefined: (hook) => log.warn({ hook }, 'a filter callback of core returned undefined'),
  }
}
