import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { JoiningHost } from '../../core/types.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Jobs } from '../jobs/types.ts'
import type { ReaderRow, ReaderStore } from './followers/store.ts'
import { joinLoop, type LoopParts } from './loop.ts'
import type { Purger } from './purger.ts'

/** ID of the position of a node, before its own ID and its version. */
export const NODE = 'node '
/** How often a node reports its position at most and at least, in ms. */
const SHORTEST = 1000
const LONGEST = 10_000
/** Milliseconds after which a node that does not report is considered stopped, and longest time between two looks at its reports. */
const STOPPED_AFTER = 30_000
const LONGEST_GAP = 2 * LONGEST

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
    /** Monotonic, in ms. */
    readonly clock: () => number
  },
): void {
  const { store, next, purger, jobs, catchUp, clock } = parts
  const id = `${NODE}${randomUUID()} ${packageJson.version}`
  const state = { failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: null }
  let reported: { readonly position: string | null; readonly at: number } | undefined
  /** Last reports of other nodes, and since when this node has seen them. Clocks of nodes differ, so only its own counts. */
  let seen = new Map<string, { readonly report: string; readonly since: number }>()
  let seenAt = 0

  async function stoppedNodes(): Promise<ReaderRow[]> {
    const others = (await store.list()).filter((row) => row.id.startsWith(NODE) && row.id !== id)
    const at = clock()
    // While this process was suspended, or waited for the database, so may have been the others.
    if (at - seenAt > LONGEST_GAP) seen.clear()
    seenAt = at
    const former = seen
    seen = new Map(
      others.map((row) => {
        const before = former.get(row.id)
        const report = reportOf(row)
        return [row.id, before?.report === report ? before : { report, since: at }]
      }),
    )
    return others.filter((row) => at - (seen.get(row.id)?.since ?? at) >= STOPPED_AFTER)
  }

  async function purgeForStopped(): Promise<void> {
    const stopped = await stoppedNodes()
    if (stopped.length === 0) return
    await jobs.withLease('stopped-nodes', STOPPED_AFTER, async () => {
      for (const row of stopped) {
        // It may have reported again, or another node may have purged for it.
        const current = await store.get(row.id)
        if (!current || reportOf(current) !== reportOf(row)) continue
        purger.site(`The node ${row.name} stopped unexpectedly.`)
        // First, so that no purge is missing if this process ends in between.
        await purger.recorded()
        await store.remove(row.id)
      }
    })
  }

  /** @returns milliseconds until it should be called again; `undefined` if the log could not be read */
  async function report(): Promise<number | undefined> {
    const position = await catchUp()
    if (position === undefined) return undefined
    const age = reported ? clock() - reported.at : LONGEST
    const due = position === reported?.position ? LONGEST : SHORTEST
    if (age < due) return due - age
    await store.save({ id, name: hostname(), position, ...state })
    reported = { position, at: clock() }
    await purgeForStopped()
    return LONGEST
  }

  joinLoop(host, {
    next,
    async work() {
      try {
        const delay = await report()
        // Other nodes may be without the database, too.
        if (delay === undefined) seen.clear()
        return delay ?? SHORTEST
      } catch (error) {
        seen.clear()
        host.log.error({ err: error }, 'could not report the position of this node in the change log')
        return LONGEST
      }
    },
    idle: () =>
      store.remove(id).catch((error) => host.log.warn({ err: error }, 'could not remove the position of this node')),
    stopping: new AbortController(),
  })
}

/** What changes with each report. */
function reportOf({ updated_gmt: updated, position }: ReaderRow): string {
  return `${updated} ${position}`
}
