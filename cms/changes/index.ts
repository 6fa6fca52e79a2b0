import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { Content } from '../content/types.ts'
import type { Jobs } from '../jobs/types.ts'
import { addChangeCapabilities } from './capabilities.ts'
import { filterShapes } from './hooks.ts'
import { createChangeLog } from './log.ts'
import { createPurger } from './purger.ts'
import { registerFeed } from './routes.ts'
import { changeTables } from './tables.ts'
import type { Changes } from './types.ts'
import { purgeOnChanges } from './watch/index.ts'
import { watchThemeFiles } from './watch/watch-theme-files.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    /** The change log: which pages are outdated, for caches. */
    readonly changes: Changes
  }
}

/** Adds the change log to a host: detects which pages a change affects, and records it for all caches. */
export async function joinChanges(
  host: JoiningHost,
  { content, jobs }: { content: Content; jobs: Jobs },
): Promise<Changes> {
  const { hooks, database, rest, auth, config, log } = host
  hooks.declareFilters(filterShapes)
  await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
  const changeLog = createChangeLog(database, {
    log,
    recorded: (change) => hooks.doAction('pages_purged', change),
    now: () => Date.now(),
  })
  let recording: Promise<unknown> = Promise.resolve()
  const purger = createPurger(hooks, (purge) => {
    // The log has reported errors.
    recording = changeLog.record(purge, 'change').catch(() => {})
  })
  const stop = purgeOnChanges({ hooks, content, auth, jobs, config, log }, purger)
  if (config.environment === 'local') {
    host.onListen(() => {
      const stopWatching = watchThemeFiles({ siteDir: config.siteDir, log }, () => purger.site('A theme file changed.'))
      host.onClosed(stopWatching)
    })
  }
  jobs.schedule('prune-change-log', '57 4 * * *', changeLog.prune)
  // Before callbacks of services, which notify integrations of the last changes.
  hooks.addAction('shutdown', async () => {
    purger.flush()
    await recording
  })
  host.onClosed(async () => {
    stop()
    purger.flush()
    await changeLog.close()
  })
  const changes: Changes = {
    record: (purge) => changeLog.record(purge, 'request'),
    ...{ read: changeLog.read, newest: changeLog.newest, next: changeLog.next },
  }
  host.addView(changesView(changes))
  const stopping = new AbortController()
  host.onClosing(() => stopping.abort())
  addChangeCapabilities(auth)
  registerFeed(rest, { changes, source: config.url, stopping: stopping.signal })
  return changes
}

function changesView(changes: Changes): ExtensionView {
  const members = { changes: serviceView(changes) }
  return () => members
}
