import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { currentTime } from '../../cms/database/clock.ts'
import { createLeases, type LeaseDatabase } from '../../cms/database/leases.ts'
import type { Config } from '../../core/config.ts'
import { messageOf, RestError } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import { readState, writeState } from '../../core/extensions/state.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import type { Options } from '../../core/options/types.ts'
import type { JoiningHost } from '../../core/types.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Loader } from './types.ts'

const PREFIX = 'lease:server:'
/** Milliseconds after which a killed server is no longer considered running. */
const TTL = 30_000
/** Interval of checks whether a server has applied the change, in ms. */
const FOLLOW_CHECK = 100
/** Milliseconds for the site to restart after the lease of a crashed server has expired. */
const RESTART = 10_000

/** Milliseconds for a server to apply a change: twice the time limit of `setup` for an activation, once for a deactivation. */
const ACTIVATION = 60_000
const DEACTIVATION = 30_000

/** Reloads that commands have requested, and their results, by the id of the extension. */
const RELOADS = 'host_extension_reloads'

const reloadsSchema = z.record(
  z.string(),
  z.object({
    /** Unique for each request. */
    request: z.string(),
    /** `null` until a server has reloaded it; the reason of a failure, or an empty string. */
    result: z.string().nullable(),
  }),
)

const SLOW = 'The change was saved, but the running site has not applied it yet. See the server log for details.'
const BLOCKED = 'The change was saved, but the extension is not running.'
const GONE =
  'The change was saved, but the site stopped before it applied the change. The site applies it when it starts again.'

/**
 * Activates and deactivates extensions for a process that runs none, such as a command: it leaves that to a server of the site,
 * if one is running. Servers are identified by the leases that they hold.
 */
export interface Servers {
  /** Registers this process as a server until the returned function is called. */
  announce(): () => Promise<void>
  /**
   * Like `extensions.activate`, for an administrator who trusts the code.
   * @throws RestError like the server; `extension_failed` with status 504 or 503 if the result is not known yet
   */
  activate(id: string): Promise<void>
  /** Like `extensions.deactivate`. @throws RestError */
  deactivate(id: string): Promise<void>
  /** Like `extensions.reload`; if no server is running, the extension is activated in this process. @throws RestError */
  reload(id: string): Promise<void>
  /** Whether a server of the site is running, in this or another process. */
  isRunning(): Promise<boolean>
  /** Reloads the extensions that commands ask for, until the signal is aborted. */
  followReloads(signal: AbortSignal): void
}

export function createServers(parts: {
  config: Pick<Config, 'host' | 'port' | 'url'>
  extensions: Pick<ExtensionManager, 'activate' | 'deactivate' | 'discover' | 'get' | 'reload'>
  database: LeaseDatabase
  options: Options
  hooks: Pick<Hooks, 'addAction'>
  log: Logger
  /** The extensions that require one and should be running. */
  dependents?: (id: string) => readonly { readonly id: string }[]
  /** Makes the files available to servers on other machines. */
  share?: (id: string) => Promise<void>
}): Servers {
  const { config, extensions, database, options, hooks, log, dependents = () => [], share = async () => {} } = parts
  const leases = createLeases(database, log)

  /** Their leases. A crashed server leaves its lease behind; a server that was shut down has released it. */
  async function listServers(): Promise<{ name: string; isAlive: boolean }[]> {
    const found = await database.db
      .selectFrom('leases')
      .select((eb) => ['name', eb('expires', '>', currentTime(database.kind)).as('isAlive')])
      .where('name', 'like', `${PREFIX}%`)
      .execute()
    return found.map(({ name, isAlive }) => ({ name, isAlive: Boolean(isAlive) }))
  }

  const isRunning = async () => (await listServers()).some(({ isAlive }) => isAlive)

  /**
   * Stores the state of an extension for the servers of the site and waits until one has applied it. A server that was
   * started in place of one that the extension crashed counts too: only it knows what happened.
   *
   * @param longest - Milliseconds to wait.
   * @returns `false` if no server is running, or those that were running have shut down
   */
  async function ask(id: string, state: 'active' | 'inactive', longest: number): Promise<boolean> {
    const asked = new Set((await listServers()).filter(({ isAlive }) => isAlive).map(({ name }) => name))
    if (asked.size === 0) return false
    await writeState(options, id, state, null, true)
    const end = Date.now() + longest
    let alive = Date.now()
    for (; readState(options, id)?.isAsked; await wait(FOLLOW_CHECK)) {
      const servers = await listServers()
      if (servers.some(({ isAlive }) => isAlive)) alive = Date.now()
      else if (!servers.some(({ name }) => asked.has(name))) return false
      else if (Date.now() > alive + RESTART) throw new RestError('extension_failed', GONE, { status: 503 })
      if (Date.now() > end) throw new RestError('extension_failed', SLOW, { status: 504 })
    }
    const reached = readState(options, id)
    if (reached === undefined) return true
    const { reason } = reached
    if (reached.state === state && reason === null) return true
    if (reached.state === state)
      throw new RestError('extension_failed', `${BLOCKED} ${reason}`, { status: 503, reason })
    throw new RestError('extension_failed', `The extension failed: ${reason}`, { status: 409, reason })
  }

  const reloads = () => reloadsSchema.safeParse(options.get(RELOADS)).data ?? {}

  const storeReload = (id: string, request: string, result: string | null) =>
    options.modify(RELOADS, () => ({ ...reloads(), [id]: { request, result } }))

  async function reloadRequested(id: string, request: string): Promise<void> {
    const result = await extensions.reload(id).then(() => '', messageOf)
    // A newer request has its own result.
    if (reloads()[id]?.request === request) await storeReload(id, request, result)
  }

  return {
    announce() {
      const ended = Promise.withResolvers<void>()
      // Commands read it: see app/doctor/servers.ts.
      const { host, port, url } = config
      const name = [PREFIX + hostname(), packageJson.version, randomUUID(), host, port, url].join(' ')
      const held = leases
        .hold(name, { ttl: TTL }, () => ended.promise)
        .catch((error) => {
          log.warn({ err: error }, 'could not register the server for commands')
        })
      return async () => {
        ended.resolve()
        await held
      }
    },
    async activate(id) {
      await extensions.discover()
      const extension = extensions.get(id)
      await extension?.source.trust?.()
      await share(id)
      if (extension && (await ask(id, 'active', ACTIVATION))) return
      await extensions.activate(id)
    },
    async deactivate(id) {
      await extensions.discover()
      const isRequired = dependents(id).length > 0
      if (extensions.get(id) && !isRequired && (await ask(id, 'inactive', DEACTIVATION))) return
      await extensions.deactivate(id)
    },
    async reload(id) {
      if (!(await isRunning())) {
        await extensions.activate(id)
        return
      }
      await extensions.discover()
      await share(id)
      const request = randomUUID()
      await storeReload(id, request, null)
      const end = Date.now() + ACTIVATION
      for (; Date.now() < end; await wait(FOLLOW_CHECK)) {
        const found = reloads()[id]
        if (found?.request !== request) throw new RestError('extension_failed', SLOW, { status: 504 })
        if (found.result) throw new RestError('extension_failed', found.result, { status: 409, reason: found.result })
        if (found.result === '') return
      }
      throw new RestError('extension_failed', SLOW, { status: 504 })
    },
    isRunning,
    followReloads(signal) {
      const handled = new Set<string>()
      hooks.addAction('updated_option', (name) => {
        if (name !== RELOADS || signal.aborted) return
        for (const [id, { request, result }] of Object.entries(reloads())) {
          if (result !== null || handled.has(request)) continue
          handled.add(request)
          // Not awaited, because the writer of the option waits for this callback.
          reloadRequested(id, request).catch((error) => log.error({ err: error, extension: id }, 'reload failed'))
        }
      })
    },
  }
}

/** Makes commands leave activation and deactivation to a running site. */
export function joinServers(host: JoiningHost, { dependents, share }: Pick<Loader, 'dependents' | 'share'>): Servers {
  const servers = createServers({ ...host, dependents, share })
  let leave = async () => {}
  const closing = new AbortController()
  host.onListen(() => {
    leave = servers.announce()
    servers.followReloads(closing.signal)
  })
  host.onClose(() => {
    closing.abort()
    return leave()
  })
  return servers
}
