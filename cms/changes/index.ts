import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import { createVault } from '../../core/options/secrets.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { Content } from '../content/types.ts'
import type { Jobs } from '../jobs/types.ts'
import { addChangeCapabilities } from './capabilities.ts'
import { type Followers, joinFollowers } from './followers/index.ts'
import { createReaderStore } from './followers/store.ts'
import { sendGroupInvalidation } from './group-invalidation.ts'
import { filterShapes } from './hooks.ts'
import { joinKilledSaves } from './killed-saves.ts'
import { createChangeLog } from './log.ts'
import { joinNodePosition } from './node-positions.ts'
import { joinNodes, type Nodes } from './nodes.ts'
import { registerPurgeRoute } from './purge-route.ts'
import { createPurger, type Purger } from './purger.ts'
import { registerReaders } from './readers.ts'
import { registerFeed } from './routes.ts'
import type { Change, Changes, ExtensionChanges } from './types.ts'
import type { Unrecorded } from './unrecorded.ts'
import { purgeOnChanges } from './watch/index.ts'
import { watchThemeFiles } from './watch/watch-theme-files.ts'
import { joinWebhooks } from './webhooks/index.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /** The change log: which pages are outdated, for caches. */
    readonly changes: ExtensionChanges
  }
}

/** Adds the change log to a host: detects which pages a change affects, and records it for all caches. */
export async function joinChanges(
  host: JoiningHost,
  parts: {
    content: Content
    jobs: Jobs
    unrecorded: Unrecorded
    serves: boolean
    isFirst: boolean
    isAlone: boolean
  },
): Promise<Changes> {
  const { content, jobs, unrecorded, serves, isFirst, isAlone } = parts
  const { hooks, database, rest, auth, config, log } = host
  hooks.declareFilters(filterShapes)
  const now = () => Date.now()
  const recorded = (change: Change) => hooks.doAction('pages_purged', change)
  const postgres = config.databaseUrl ? await import('./postgres-notifications.ts') : undefined
  const notifyOthers = () => postgres?.notifyOthers(database.db)
  const changeLog = createChangeLog(database, { log, recorded, unrecorded, notifyOthers, now })
  const purger = createPurger({ hooks, changeLog, log })
  const stop = purgeOnChanges({ hooks, content, auth, jobs, config, log }, purger)
  if (config.environment === 'local') {
    host.onListen(() => {
      const stopWatching = watchThemeFiles({ siteDir: config.siteDir, log }, () => {
        if (hooks.applyFilters('purge_on_change', true, 'site', '')) purger.site('A theme file changed.')
      })
      host.onClosed(stopWatching)
    })
  }
  // A single process does not wait longer: if it is killed, the row of the change shows that its purge is missing.
  const isRecorded = config.nodes === 'one' && isAlone ? purger.settle : purger.recorded
  host.useFirst(async ({ method, state }, proceed) => {
    if (method === 'GET' || method === 'HEAD') return proceed()
    try {
      await unrecorded.during(state.requestId, proceed)
    } finally {
      await isRecorded()
    }
  })
  // Changes of the start, such as the first content, are on no page yet. Another process that starts would take them for those of a killed one.
  await changeLog.removeUnrecorded(true)
  joinKilledSaves(host, { changeLog, purger, serves, isFirst, clock: () => performance.now() })
  jobs.schedule('prune-change-log', '57 * * * *', changeLog.prune)
  // Before callbacks of services, which notify integrations of the last changes.
  hooks.addAction('shutdown', () => purger.settle())
  host.onClosed(async () => {
    stop()
    const settled = purger.settle()
    await changeLog.close()
    await settled
    const warn = (error: unknown) => log.warn({ err: error }, 'could not remove rows of recorded changes')
    await changeLog.removeUnrecorded(true).catch(warn)
  })
  const { read, latest, newest, next } = changeLog
  const changes: Changes = { record: purger.record, read, latest, newest, next }
  const nodes = joinNodes(host, { changes: changeLog })
  // Before anything is cached in memory: later entries are applied to it.
  await nodes.catchUp()
  const readers = createReaderStore(database.db, now)
  // A page cache does so before it responds itself.
  host.useFirst(async (_context, proceed) => {
    if (!nodes.isCurrent()) await nodes.catchUp()
    await proceed()
  })
  if (config.nodes === 'many') {
    const catchUp = async () => ((await nodes.catchUp()) ? nodes.position() : undefined)
    joinNodePosition(host, { store: readers, next, purger, jobs, catchUp, clock: () => performance.now() })
  }
  const followers = joinFollowers(host, { store: readers, changes: changeLog, now })
  jobs.schedule('prune-change-readers', '9 5 * * *', readers.prune)
  host.addView(changesView(changes, { followers, purger, nodes, kind: config.nodes }))
  const stopping = new AbortController()
  host.onClosing(() => stopping.abort())
  host.onListen(() => {
    const { databaseUrl } = config
    if (databaseUrl) void postgres?.listenForEntries(databaseUrl, { notify: changeLog.wake, signal: stopping.signal })
  })
  const webhooks = joinWebhooks(host, { changes: changeLog, jobs, vault: createVault(host.siteKey), now })
  sendGroupInvalidation(hooks)
  addChangeCapabilities(auth)
  registerPurgeRoute(rest, { hooks, purger, siteUrl: config.url })
  registerFeed(rest, { changes, readers, source: config.url, stopping: stopping.signal })
  registerReaders(rest, { db: database.db, changes: changeLog, readers, followers, webhooks })
  return changes
}

function changesView(
  changes: Changes,
  parts: { followers: Followers; purger: Purger; nodes: Nodes; kind: ExtensionChanges['nodes'] },
): ExtensionView {
  const { followers, purger, nodes, kind } = parts
  return ({ owner, declare, onWithdraw }) => {
    /** Purges no longer reach its callbacks, so the position is not that of its cache. */
    let isWithdrawn = false
    onWithdraw(() => {
      isWithdrawn = true
    })
    return {
      changes: serviceView<ExtensionChanges>({
        ...changes,
        catchUp: async () => (await nodes.catchUp()) && !isWithdrawn,
        isCurrent: () => !isWithdrawn && nodes.isCurrent(),
        position: () => (isWithdrawn ? undefined : nodes.position()),
        nodes: kind,
        settled: purger.settled,
        follow: (options) => declare(() => followers.add(owner, options)),
        get hasUnrecorded() {
          return purger.hasUnrecorded
        },
        get isFollowed() {
          return followers.size > 0
        },
      }),
    }
  }
}
