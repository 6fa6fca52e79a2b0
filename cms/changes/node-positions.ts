import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { JoiningHost } from '../../core/types.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Jobs } from '../jobs/types.ts'
import { type ReaderStore, readerSince } from './followers/store.ts'
import { joinLoop, type LoopParts } from './loop.ts'
import type { Purger } from './purger.ts'

/** ID of the position of a node, before its own ID and its version. */
export const NODE = 'node '
/** How often a node reports its position at most and at least, in ms. */
const SHORTEST = 1000
const LONGEST = 10_000
/** Milliseconds after which a node that does not report is considered stopped. */
export const STOPPED_AFTER = 30_000

/**
 * Stores which entries of the log this process has applied, for administrators and other nodes. A node that is killed may have stored a change
 * whose purge it could not record, so another one purges all pages then.
 */
export function joinNodePosition(
  host: Pick<JoiningHost, 'log' | 'onListen' | 'onClosing' | 'onClosed'>,
  parts: {
    readonly store: ReaderStore
    readonly next: LoopParts['next']
    readonly purger: Pick<Purger, 'site' | 'recorded'>
    readonly jobs: Pick<Jobs, 'withLease'>
    /** Applies new entries. @returns the ID of the last one; `null` if the log is empty, `undefined` if it could not be read */
    readonly catchUp: () => Promise<string | null | undefined>
    readonly now: () => number
  },
): void {
  const { store, next, purger, jobs, catchUp, now } = parts
  const id = `${NODE}${randomUUID()} ${packageJson.version}`
  const state = { failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: null }
  let reported: { readonly position: string | null; readonly at: number } | undefined

  async function purgeForStopped(): Promise<void> {
    const isStopped = (row: Awaited<ReturnType<ReaderStore['list']>>[number]) =>
      row.id.startsWith(NODE) && row.id !== id && readerSince(row) < now() - STOPPED_AFTER
    if (!(await store.list()).some(isStopped)) return
    await jobs.withLease('stopped-nodes', STOPPED_AFTER, async () => {
      for (const row of (await store.list()).filter(isStopped)) {
        purger.site(`The node ${row.name} stopped unexpectedly.`)
        // First, so that no purge is missing if this process ends in between.
        await purger.recorded()
        await store.remove(row.id)
      }
    })
  }

  /** @returns milliseconds until it should be called again */
  async function report(): Promise<number> {
    const position = await catchUp()
    if (position === undefined) return SHORTEST
    const age = reported ? now() - reported.at : LONGEST
    if (age < SHORTEST) return SHORTEST - age
    if (position === reported?.position && age < LONGEST) return LONGEST - age
    await store.save({ id, name: hostname(), position, ...state })
    const isTime = age >= LONGEST
    reported = { position, at: now() }
    if (isTime) await purgeForStopped()
    return LONGEST
  }

  joinLoop(host, {
    next,
    async work() {
      try {
        return await report()
      } catch (error) {
        host.log.error({ err: error }, 'could not report the position of this node in the change log')
        return LONGEST
      }
    },
    idle: () =>
      store.remove(id).catch((error) => host.log.warn({ err: error }, 'could not remove the position of this node')),
    stopping: new AbortController(),
  })
}
