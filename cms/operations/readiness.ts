import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../../core/config.ts'
import type { Database } from '../../core/database/index.ts'
import { createMovedCheck, SITE_DATABASE } from '../../core/database/site-file.ts'
import { messageOf } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import { findDiskProblem } from './free-space.ts'
import { readMigrations } from './migrations.ts'

/** `warning` does not make the site unready. */
export type CheckState = 'ok' | 'warning' | 'failed'

export interface ReadinessCheck {
  readonly name: 'database' | 'migrations' | 'disk' | 'extensions' | 'shutdown'
  readonly state: CheckState
  /** A sentence for administrators: it may contain paths and names. `null` if the check is `ok`. */
  readonly reason: string | null
}

/** Milliseconds for which a result is reused, so that frequent probes cost nothing. */
const REUSED = 1_000
/** Milliseconds in which the database must respond. */
const DATABASE_LIMIT = 2_000

interface Parts {
  readonly config: Pick<Config, 'siteDir'>
  readonly database: Pick<Database, 'db' | 'kind'>
  readonly extensions: Pick<ExtensionManager, 'safeMode' | 'list'>
  /** Extensions and themes that other nodes have and this one does not. */
  readonly missingCode?: (() => readonly string[]) | undefined
}

export interface Readiness {
  /** All checks; at most a second old, except for `shutdown`. */
  check(): Promise<readonly ReadinessCheck[]>
  /** From now on `shutdown` fails. */
  beginShutdown(): void
}

/** Whether the site can serve requests. It checks nothing until it is asked. */
export function createReadiness(parts: Parts): Readiness {
  const checkDatabase = createDatabaseCheck(parts)
  let isShuttingDown = false
  let latest: { readonly at: number; readonly result: Promise<ReadinessCheck[]> } | undefined

  async function checkAll(): Promise<ReadinessCheck[]> {
    const [database, disk] = await Promise.all([checkDatabase(), findDiskProblem(parts.config.siteDir)])
    return [...database, result('disk', 'failed', disk), checkExtensions(parts)]
  }

  return {
    beginShutdown() {
      isShuttingDown = true
    },
    async check() {
      const now = performance.now()
      if (!latest || now - latest.at > REUSED) latest = { at: now, result: checkAll() }
      const checks = await latest.result
      return [...checks, result('shutdown', 'failed', isShuttingDown ? 'The site is shutting down.' : null)]
    },
  }
}

function result(name: ReadinessCheck['name'], bad: 'warning' | 'failed', reason: string | null): ReadinessCheck {
  return { name, state: reason === null ? 'ok' : bad, reason }
}

/** At most one query is in progress: a database that never responds would otherwise exhaust the connections. */
function createDatabaseCheck({ config, database }: Parts): () => Promise<ReadinessCheck[]> {
  let reading: Promise<ReadinessCheck[]> | undefined
  const checkFile = database.kind === 'sqlite' ? createMovedCheck(join(config.siteDir, SITE_DATABASE)) : () => {}

  async function read(): Promise<ReadinessCheck[]> {
    try {
      checkFile()
      const { pending } = await readMigrations(database.kind, async (text) => {
        const { rows } = await sql.raw<Record<string, unknown>>(text).execute(database.db)
        return rows
      })
      const reason = pending.length > 0 ? `The database lacks the migrations ${pending.join(', ')}.` : null
      return [result('database', 'failed', null), result('migrations', 'failed', reason)]
    } catch (error) {
      return unreachable(`The database cannot be read: ${messageOf(error)}`)
    }
  }

  return async () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    const limit = new AbortController()
    const late = wait(DATABASE_LIMIT, undefined, { signal: limit.signal }).then(
      () => unreachable(`The database did not respond within ${DATABASE_LIMIT / 1000} seconds.`),
      () => [],
    )
    try {
      return await Promise.race([reading, late])
    } finally {
      limit.abort()
    }
  }
}

function unreachable(reason: string): ReadinessCheck[] {
  return [result('database', 'failed', reason), result('migrations', 'failed', 'The database could not be read.')]
}

function checkExtensions(parts: Parts): ReadinessCheck {
  const missing = parts.missingCode?.() ?? []
  if (missing.length === 0) return result('extensions', 'warning', describeInactive(parts))
  return result('extensions', 'failed', `This node has not fetched ${missing.join(', ')} from the database yet.`)
}

/** A paused extension must not take the site out of service, since it would be paused on every other server too. */
function describeInactive({ extensions }: Parts): string | null {
  const problems = extensions
    .list()
    .filter(({ state, reason }) => state === 'paused' || (state === 'active' && reason !== null))
    .map(({ id, state, reason }) => `${id} is ${state}${reason === null ? '' : `: ${reason}`}`)
  const all = [...(extensions.safeMode ? ['The site is in safe mode: only services are running.'] : []), ...problems]
  return all.length > 0 ? all.join(' ') : null
}
