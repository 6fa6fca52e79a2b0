import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../database/index.ts'
import { RestError } from '../errors.ts'
import type { Jobs } from '../jobs/types.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { readState, writeState } from './state.ts'

const PREFIX = 'server:'
/** Milliseconds after which a server that was killed no longer counts. */
const TTL = 30_000
/** Milliseconds between looks whether a server has followed. */
const FOLLOW_CHECK = 100
/** Milliseconds that the site has to start again after the lease of a server that died has run out. */
const RESTART = 10_000

const SLOW = 'The state is stored, but the running site has not followed yet. Its log says why.'
const GONE = 'The state is stored, but the running site ended before it had followed. It follows when it starts again.'

/** The processes that serve the site now, known by the leases that they hold: the command line leaves switching to them. */
export interface Servers {
  /** From now on this process counts as one. The result ends it. */
  announce(): () => Promise<void>
  /**
   * Stores the state of an extension for the servers and waits until one has followed, also one that took the place of
   * another that died of it: what the extension did there nobody else can tell.
   *
   * @param longest - Milliseconds to wait.
   * @returns `false` if none serves the site, or those that did have been closed. @throws RestError `extension_failed` as the
   *   server's own route would; with status 504 or 503 if nobody knows yet what becomes of the extension
   */
  ask(id: string, state: 'active' | 'inactive', longest: number): Promise<boolean>
}

export function createServers(parts: {
  database: Pick<Database, 'db'>
  jobs: Jobs
  options: Options
  log: Logger
}): Servers {
  const { database, jobs, options, log } = parts

  /** Their leases. One that died leaves its lease behind; one that was closed has ended it. */
  async function listServers(): Promise<{ name: string; isAlive: boolean }[]> {
    const found = await database.db
      .selectFrom('leases')
      .select(['name', 'expires'])
      .where('name', 'like', `lease:${PREFIX}%`)
      .execute()
    return found.map(({ name, expires }) => ({ name, isAlive: expires > Date.now() }))
  }

  return {
    announce() {
      const ended = Promise.withResolvers<void>()
      const held = jobs
        .withLease(`${PREFIX}${randomUUID()}`, TTL, () => ended.promise)
        .catch((error) => {
          log.warn({ err: error }, 'server was not announced to the command line')
        })
      return async () => {
        ended.resolve()
        await held
      }
    },
    async ask(id, state, longest) {
      const asked = new Set((await listServers()).filter(({ isAlive }) => isAlive).map(({ name }) => name))
      if (asked.size === 0) return false
      if (readState(options, id)?.state !== state) await writeState(options, id, state, null, true)
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
      if (reached === undefined || reached.state === state) return true
      const { reason } = reached
      throw new RestError('extension_failed', `The extension failed: ${reason}`, { status: 409, reason })
    },
  }
}
