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

/** The processes that serve the site now, known by the leases that they hold: the command line leaves switching to them. */
export interface Servers {
  /** From now on this process counts as one. The result ends it. */
  announce(): () => Promise<void>
  /**
   * Stores the state of an extension for the servers and waits until one has followed.
   *
   * @param longest - Milliseconds to wait.
   * @returns `false` if none serves the site. @throws RestError `extension_failed` as the server's own route would
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

  async function areRunning(): Promise<boolean> {
    const found = await database.db
      .selectFrom('leases')
      .select('name')
      .where('name', 'like', `lease:${PREFIX}%`)
      .where('expires', '>', Date.now())
      .executeTakeFirst()
    return found !== undefined
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
      if (!(await areRunning())) return false
      if (readState(options, id)?.state !== state) await writeState(options, id, state, null, true)
      for (const end = Date.now() + longest; readState(options, id)?.isAsked; await wait(FOLLOW_CHECK)) {
        if (!(await areRunning())) return false
        if (Date.now() < end) continue
        const message = 'The state is stored, but the running site has not followed yet. Its log says why.'
        throw new RestError('extension_failed', message, { status: 504 })
      }
      const reached = readState(options, id)
      if (reached === undefined || reached.state === state) return true
      const { reason } = reached
      throw new RestError('extension_failed', `The extension failed: ${reason}`, { status: 409, reason })
    },
  }
}
