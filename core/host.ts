import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createServer as createHolder } from 'node:net'
import { join } from 'node:path'
import type Koa from 'koa'
import { createAuth } from './auth/index.ts'
import { type Config, type ConfigInput, configWarnings, loadConfig, originOf } from './config.ts'
import { createDatabase } from './database/index.ts'
import type { ExtensionView } from './extensions/context.ts'
import { givenExtensions } from './extensions/given-extensions.ts'
import { createExtensions } from './extensions/index.ts'
import type { ExtensionSource } from './extensions/source.ts'
import { makeFolder } from './files/make-folder.ts'
import { createHooks } from './hooks/index.ts'
import type { TimeLimits } from './hooks/waiting.ts'
import { createClosingTime, waitAtMost } from './http/closing-time.ts'
import {
  createFixedAddresses,
  createFront,
  createServer,
  currentRequest,
  rejectUnsupportedMethods,
  requestId,
} from './http/index.ts'
import { createMaintenance } from './http/maintenance.ts'
import type { CallLimits } from './http/time-limit.ts'
import './lifecycle.ts'
import { createLog, type Logger } from './log.ts'
import { createHostSettings } from './options/host-settings.ts'
import { createOptions, createSettings, createSiteInfo, createVault, loadSiteKey } from './options/index.ts'
import { openRecordFile } from './options/storage.ts'
import { coreOwner, type Owner } from './owner.ts'
import { createRest } from './rest/index.ts'
import type { Host, HostOptions } from './types.ts'

export { z } from 'zod'
export * from './index.ts'
export type * from './types.ts'

/** Time limit of a `shutdown` callback, and the minimum for all of them, in milliseconds. */
const SHUTDOWN_CALLBACK = 5_000
const LEAST_SHUTDOWN = 500

const DEFAULT_LIMITS: TimeLimits = { callback: 5_000, request: 10_000 }

/**
 * Opens or creates the site in a folder and starts its active extensions.
 *
 * @throws Error if the configuration, the options or the database cannot be read
 */
export async function createHost<Joined extends object>(
  input: ConfigInput,
  options: HostOptions<Joined> & Required<Pick<HostOptions<Joined>, 'join'>>,
): Promise<Host & Joined>
export async function createHost(input?: ConfigInput, options?: HostOptions): Promise<Host>
export async function createHost(input: ConfigInput = {}, parts: HostOptions = {}): Promise<Host> {
  const { runExtensions, serves = false, passwordCost, safeMode, logTo } = parts
  const { config, release } = await resolvePort(input)
  const closers = new AsyncDisposableStack()
  const closing = createClosingTime()
  closers.defer(release)
  try {
    const sources: ExtensionSource[] = [givenExtensions(parts.extensions ?? [])]
    const mapLine = (line: string) => sources.reduce((mapped, source) => source.mapLine?.(mapped) ?? mapped, line)
    const log = createLog(config.logLevel, logTo, mapLine, requestId)
    makeFolder(config.siteDir)
    for (const warning of configWarnings(config)) log.warn(warning)
    const maintenance = createMaintenance()
    const siteKey = loadSiteKey(config.siteDir, config)
    let timeLimits = (): TimeLimits => DEFAULT_LIMITS
    const waiting = () => currentRequest()?.waiting
    const registry = createHooks({ request: { waiting, limits: () => timeLimits() } })
    const owner = createOwner(log, closers)
    const hooks = registry.forOwner(owner)

    const database = await createDatabase(config)
    closers.defer(() => database.close())
    if (serves) await database.awaitWritable()
    const storage = await (parts.openRecords?.(database, log) ?? openRecordFile(join(config.siteDir, 'options.json')))
    const options = await createOptions({ storage, hooks, log })
    closers.defer(() => options.close())
    const siteInfo = createSiteInfo(options, config.adminEmail)
    const settings = createSettings({ options, hooks, siteKey, log })
    const auth = createAuth({ database, hooks, siteKey, config, log, passwordCost })
    let isLicensed = () => false

    const own = createHostSettings(settings)
    timeLimits = () => ({ callback: own.get().callbackTimeLimit, request: own.get().requestTimeLimit })
    const callLimits = (): CallLimits => ({ check: own.get().callbackTimeLimit, handler: own.get().handlerTimeLimit })
    const front = createFront({
      host: new URL(config.url).host,
      isClosed: () => maintenance.active,
      timeLimit: () => own.get().handlerTimeLimit,
    })
    const rest = createRest({
      ...{ hooks, auth, config, log, site: siteInfo, corsOrigins: () => own.get().corsOrigins },
      closed: maintenance.error,
      isLicensed: () => isLicensed(),
      limits: callLimits,
    })
    const ends = new AsyncDisposableStack()
    closers.use(ends)

    const views: ExtensionView[] = []
    const preparations: Begin[] = []
    const extensions = createExtensions({
      ...{ hooks: registry, rest, settings, options, auth, database, front, siteKey, config, log },
      ...{ sources, views, safeMode: safeMode ?? false, fetch: parts.fetch ?? fetch },
      isLicensed: () => isLicensed(),
      beforeStart: () => runAll(preparations),
      vault: createVault(siteKey),
    })
    closers.defer(() => extensions.close(closing.remaining))

    const addresses = createFixedAddresses()

    const core = { config, log, options, settings, database, auth, rest, front, extensions, maintenance }
    const first: Koa.Middleware[] = []
    const middleware: Koa.Middleware[] = []
    const beginnings: Begin[] = []
    const endings: (() => void)[] = []
    const joined = await parts.join?.({
      ...{ ...core, rest, hooks, owner, siteKey, siteInfo, callLimits, addresses },
      ...{ inspectHooks: registry.inspect, reorderHooks: registry.reorder },
      useLicense(isActive) {
        isLicensed = isActive
      },
      addSettings: own.add,
      addView: (view) => void views.push(view),
      addExtensions: (source) => void sources.push(source),
      onLoad: (prepare) => void preparations.push(prepare),
      useFirst: (handle) => void first.push(handle),
      use: (handle) => void middleware.push(handle),
      onListen: (begin) => void beginnings.push(begin),
      onClose: (end) => closers.defer(async () => end()),
      onClosed: (end) => ends.defer(async () => end(closing.remaining())),
      onClosing: (begin) => void endings.push(begin),
    })
    own.register()

    const fixed = [maintenance.middleware, addresses.middleware(), rejectUnsupportedMethods]
    const server = createServer([...first, rest.middleware, ...fixed, ...middleware], {
      ...{ ...config, front, createFastLane: parts.createFastLane, hooks, log },
    })

    await extensions.load(runExtensions)
    await hooks.doActionAsync('init')
    await hooks.doActionAsync('rest_api_init', rest)
    const shutdown = hooks.limited({ timeout: SHUTDOWN_CALLBACK })
    closers.defer(async () => {
      await waitAtMost(Math.max(LEAST_SHUTDOWN, closing.remaining()), shutdown.doActionAsync('shutdown'))
    })
    closers.defer(() =>
      server.close({
        grace: closing.remaining(),
        drain: parts.drain ?? 0,
        onPortFree: parts.onPortFree,
        onOverdue: () => extensions.warnOfCalls('requests aborted because of a hanging extension'),
      }),
    )
    closers.defer(() => {
      closing.begin()
      for (const begin of endings) begin()
    })

    return {
      ...{ ...core, hooks: registry },
      ...joined,
      async listen() {
        await release()
        const port = await server.listen(config.port, config.host)
        await runAll(beginnings)
        flushCompileCache()
        return originOf(config.host, port)
      },
      close: () => closers.disposeAsync(),
    }
  } catch (error) {
    await closers.disposeAsync()
    throw error
  }
}

type Begin = () => void | Promise<void>

async function runAll(work: readonly Begin[]): Promise<void> {
  for (const begin of work) await begin()
}

/**
 * Port 0 requests any free port. It is reserved now, because the site's URL contains it, and held until `release`, so that no other
 * process gets it in the meantime.
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

/** The host's own callbacks are guarded too, so that a bug in one of them does not break a page. */
function createOwner(log: Logger, closers: AsyncDisposableStack): Owner {
  const unload = new AbortController()
  closers.defer(() => unload.abort())
  return {
    ...coreOwner((error, hook) => log.error({ err: error, hook }, 'core callback failed'), unload.signal),
    onUndefined: (hook) => log.warn({ hook }, 'core filter callback returned undefined'),
  }
}
