import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RestError } from 'pentad'
import { openSource } from '../archive-source.ts'
import { diskFailure } from '../disk-failure.ts'
import type { JobLogs } from '../job-log.ts'
import type { Locations } from '../locations/index.ts'
import { namesIn, pathExists } from '../missing-files.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { RestoreJob } from './hooks.ts'
import { removeTree } from './remove-tree.ts'
import { createRestoreStates, newRestoreId, type RestoreState, type RestoreStates } from './state.ts'
import {
  createRestoreWork,
  newDatabasePlace,
  oldDatabasePlace,
  type RestoreOrders,
  type RestoreSite,
  type RestoreWork,
} from './work.ts'
import { describeWorker, isAlive } from './worker.ts'

/** What the log says of a stage that has ended. */
const DONE: Readonly<Record<RestoreState['stage'], string>> = {
  verify: 'The archive is whole.',
  extract: 'The archive is unpacked.',
  database: 'The database is loaded.',
  files: 'The files are in place.',
  finish: 'The site is restored.',
}

/** Milliseconds that one tick works. */
const TICK = 2000
/** Milliseconds between two signs of life of whoever works on a restore. */
const HEARTBEAT = 3000
/** Tries of a step that fails for a while. */
const TRIES = 5
/** Milliseconds for which one that has ended can be asked about: longer than any of its tokens is good for. */
const REMEMBERED = 24 * 3600_000
/** What a restore makes in its folder, besides what is known of it. */
const MADE = ['work', 'old']

export interface RestoreTask {
  readonly backupId: string | null
  readonly source: RestoreState['source']
  readonly parts: RestoreState['parts']
  /** Whether its extensions and themes may run though this site did not sign the archive; default `false`. */
  readonly trustCode?: boolean | undefined
}

/** Who is told how restores end. */
export interface RestoreListener {
  completed(job: RestoreJob): Promise<void>
  failed(job: RestoreJob, error: { readonly code: string; readonly message: string }): Promise<void>
}

/** Restores of one site, driven in ticks by whoever calls. Nothing in here needs the site's own database. */
export interface Restores {
  readonly states: RestoreStates
  create(task: RestoreTask): Promise<RestoreState>
  /** Works for about two seconds; afterwards the restore may have ended, one way or the other. */
  tick(id: string, signal: AbortSignal): Promise<RestoreState | undefined>
  /** Ends what the last replacement of the site has completed or taken back. To be called before the site is served. */
  settle(): Promise<void>
  /** Tells how restores have ended of which nobody was told: to be called when there is somebody to hear it. */
  notify(listener: RestoreListener): Promise<void>
  /**
   * Decides that a restore is cancelled: nothing of the site changes any more.
   * @returns `false` if it has ended, or the site is being replaced
   */
  cancel(id: string): Promise<boolean>
  /** Removes what a cancelled restore has made. */
  clearUp(id: string): Promise<void>
  /** Ends a restore that nobody works on any more. */
  giveUp(id: string): Promise<void>
  /** Cancels what a process was at that is no more: nothing of the site was touched yet. */
  cancelLost(): Promise<void>
  /** Forgets those that ended a while ago, with their tokens. */
  sweep(): Promise<void>
  /** Stops what this process works on; it goes on at the next tick. */
  close(): Promise<void>
}

export function createRestores(
  site: RestoreSite,
  {
    logs,
    locations,
    exclusion,
  }: { logs: JobLogs; locations?: Pick<Locations, 'open'>; exclusion: RestoreOrders['exclusion'] },
): Restores {
  const states = createRestoreStates(site.dir)
  /** What this process works on, each under an id that is new with each takeover: a late tick is told from the present one. */
  const works = new Map<string, { worker: string; work: RestoreWork }>()

  function workOn(id: string, worker: string): RestoreWork {
    const known = works.get(id)
    if (known) return known.work
    const work = createRestoreWork(site, {
      folder: states.folderOf(id),
      worker,
      openSource: ({ source }) => openSource(source, { siteDir: site.dir, locations }),
      exclusion,
      decide: async () => (await isHeldBy(id, worker)) && (await states.decide(id, 'replaced')),
    })
    works.set(id, { worker, work })
    return work
  }

  /** Closes what is open here, of that worker if one is given. */
  async function stop(id: string, worker?: string): Promise<void> {
    const known = works.get(id)
    if (!known || (worker !== undefined && known.worker !== worker)) return
    works.delete(id)
    await known.work.close()
  }

  /** One for each process that has worked on it. */
  async function workFoldersOf(id: string): Promise<string[]> {
    const work = join(states.folderOf(id), 'work')
    return (await namesIn(work)).map((worker) => join(work, worker))
  }

  /** Removes all but the state and the tokens, which are asked for a while longer. */
  async function clear(id: string): Promise<void> {
    await stop(id)
    const folder = states.folderOf(id)
    await site.removeStagingDatabase(oldDatabasePlace(folder, id))
    for (const work of await workFoldersOf(id)) {
      await site.removeStagingDatabase(newDatabasePlace(folder, basename(work)))
    }
    for (const name of MADE) await removeTree(join(folder, name))
  }

  async function hasLeftovers(id: string): Promise<boolean> {
    const there = await Promise.all(MADE.map((name) => pathExists(join(states.folderOf(id), name))))
    return there.includes(true)
  }

  async function complete(state: RestoreState): Promise<void> {
    const finishing = await states.write({
      ...state,
      stage: 'finish',
      percent: 97,
      message: 'Removing what was replaced',
    })
    await clear(state.id)
    await states.write({ ...finishing, state: 'complete', percent: 100, message: 'The site is restored', worker: null })
    await logs.add(state.id, [{ level: 'info', stage: 'finish', message: 'The site is restored.' }])
  }

  async function fail(state: RestoreState, error: { code: string; message: string }): Promise<RestoreState> {
    // What can't be removed now is removed at the next start: the end of the restore must not wait for it.
    await clear(state.id).catch(() => {})
    const now = await states.read(state.id)
    // It was cancelled meanwhile, and what failed was the work on what is gone.
    if (now?.state === 'cancelled') return now
    const failed = await states.write({ ...state, state: 'failed', error, message: error.message, worker: null })
    await logs.add(state.id, [{ level: 'error', stage: state.stage, message: error.message }])
    return failed
  }

  /** How the replacement of this restore went, if it has come to one. */
  async function settleOne(state: RestoreState): Promise<boolean> {
    const last = site.lastReplacement()
    if (state.state !== 'running' || last?.id !== state.id || !last.outcome) return false
    if (last.outcome.done) await complete(state)
    else {
      const message = `The site could not be replaced: ${withoutPaths(last.outcome.reason)}`
      await fail(state, { code: 'restore_failed', message })
    }
    return true
  }

  async function work(state: RestoreState, signal: AbortSignal): Promise<RestoreState> {
    const taken = await takeOver(state)
    if (!taken) return state
    const { before, worker } = taken
    try {
      const until = withTimeLimit(signal, TICK)
      const after = await withHeartbeat(before, worker, () => workOn(state.id, worker).advance(before, until))
      if (!(await isHeldBy(state.id, worker))) return await drop(state, worker)
      if (after.stage !== before.stage) await logStage(after, before)
      return await states.write({ ...after, percent: Math.max(before.percent, after.percent), failures: 0 })
    } catch (error) {
      if (signal.aborted) throw error
      if (!(await isHeldBy(state.id, worker))) return drop(state, worker)
      // It has begun in spite of the error; whoever opens the site next finishes it.
      if (site.lastReplacement()?.id === state.id) return state
      await stop(state.id)
      const problem = describe(error)
      const failures = before.failures + 1
      if (problem.temporary && failures < TRIES) return states.write({ ...before, failures })
      return fail(before, problem)
    }
  }

  async function cancel(id: string): Promise<boolean> {
    const state = await states.read(id)
    if (state?.state !== 'running' || !(await states.decide(id, 'cancelled'))) return false
    await logs.add(id, [{ level: 'info', stage: state.stage, message: 'The restore was cancelled.' }])
    return true
  }

  /** Whether nobody has taken over since, as others may where this process was paused. */
  async function isHeldBy(id: string, worker: string): Promise<boolean> {
    return (await states.read(id))?.worker?.id === worker
  }

  /** Gives a sign of life again and again: a step may take longer than others wait before they take over. */
  async function withHeartbeat<T>(state: RestoreState, worker: string, step: () => Promise<T>): Promise<T> {
    const sign = async () => {
      if (await isHeldBy(state.id, worker)) await states.write({ ...state, worker: describeWorker(worker) })
    }
    let signing = Promise.resolve()
    const timer = setInterval(() => {
      // The next sign comes soon; the step itself tells what is wrong with the disk.
      signing = signing.then(sign).catch(() => {})
    }, HEARTBEAT)
    try {
      return await step()
    } finally {
      clearInterval(timer)
      await signing
    }
  }

  /** What that worker has made is of no use any more. */
  async function drop(state: RestoreState, worker: string): Promise<RestoreState> {
    await stop(state.id, worker)
    return state
  }

  /** `undefined` while another process is at it. */
  async function takeOver(state: RestoreState): Promise<{ before: RestoreState; worker: string } | undefined> {
    const known = works.get(state.id)?.worker
    const isOurs = known !== undefined && state.worker?.id === known
    if (state.worker && !isOurs && isAlive(state.worker)) return undefined
    if (isOurs) return { before: await states.write({ ...state, worker: describeWorker(known) }), worker: known }
    // Nobody goes on with what another one has unpacked: it may not be whole, or be written to still.
    await stop(state.id)
    for (const folder of await workFoldersOf(state.id)) {
      for (const name of await readdir(folder)) await removeTree(join(folder, name))
    }
    const worker = randomBytes(12).toString('hex')
    const stage = state.stage === 'verify' ? state.stage : 'extract'
    return { before: await states.write({ ...state, stage, worker: describeWorker(worker) }), worker }
  }

  async function logStage({ id, stage, warnings }: RestoreState, before: RestoreState): Promise<void> {
    const odd = warnings.slice(before.warnings.length)
    await logs.add(id, [
      ...odd.map((message) => ({ level: 'warning' as const, stage: before.stage, message })),
      { level: 'info', stage, message: DONE[before.stage] },
    ])
  }

  async function clearUp(id: string): Promise<void> {
    const state = await states.read(id)
    if (state?.state !== 'cancelled') return
    await clear(id)
    await states.write({ ...state, worker: null })
  }

  async function giveUp(id: string): Promise<void> {
    const state = await states.read(id)
    if (state?.state !== 'running') return
    await fail(state, { code: 'restore_failed', message: 'The restore broke off and nobody goes on with it.' })
  }

  return {
    states,
    async create({ backupId, source, parts, trustCode = false }) {
      const none = { files: 0, bytes: 0 }
      const now = new Date().toISOString()
      const position = { stage: 'verify' as const, percent: 0, processed: none, total: none, failures: 0, worker: null }
      const state = await states.write({
        ...{ id: newRestoreId(), backupId, source, trustCode, parts, siteUrl: null, state: 'running' },
        ...{ ...position, message: 'Verifying the archive', warnings: [], error: null, startedAt: now, updatedAt: now },
      })
      await logs.add(state.id, [{ level: 'info', stage: 'verify', message: 'The restore has begun.' }])
      return state
    },
    async tick(id, signal) {
      const state = await states.read(id)
      if (state?.state === 'cancelled') await clearUp(id)
      if (state?.state !== 'running') return state
      if (await settleOne(state)) return states.read(id)
      if (site.lastReplacement()?.id === id) return state
      return work(state, signal)
    },
    async settle() {
      for (const state of await states.list()) {
        if (await settleOne(state)) continue
        // A crash may have come between the end of a restore and its clearing up.
        if (state.state !== 'running' && (await hasLeftovers(state.id))) await clear(state.id)
      }
    },
    async notify({ completed, failed }) {
      for (const state of await states.list()) {
        if (state.state === 'running' || !(await states.claimNotification(state.id))) continue
        if (state.state === 'complete') await completed(jobOf(state))
        if (state.state === 'failed' && state.error) await failed(jobOf(state), state.error)
      }
    },
    cancel,
    clearUp,
    giveUp,
    async cancelLost() {
      for (const { id, state, worker } of await states.list()) {
        if (state !== 'running' || (worker && isAlive(worker))) continue
        if (await cancel(id)) await clearUp(id)
        // It had decided to replace the site, and was ended before it began to.
        else if (site.lastReplacement()?.id !== id) await giveUp(id)
      }
    },
    async sweep() {
      for (const { id, state, updatedAt } of await states.list()) {
        if (state !== 'running' && Date.now() - Date.parse(updatedAt) > REMEMBERED)
          await removeTree(states.folderOf(id))
      }
    },
    async close() {
      for (const id of [...works.keys()]) await stop(id)
    },
  }
}

export function jobOf({ id, backupId, parts }: RestoreState): RestoreJob {
  return { jobId: id, backupId, parts: parts ?? [] }
}

/** In words for the owner: no path, no secret. */
function describe(error: unknown): { code: string; message: string; temporary: boolean } {
  if (error instanceof RestError) {
    return { code: error.code, message: error.message, temporary: error.data.temporary === true }
  }
  const message = diskFailure(error) ?? (error instanceof Error ? error.message : String(error))
  return { code: 'restore_failed', message: withoutPaths(message), temporary: false }
}

function withoutPaths(message: string): string {
  return message.replace(/(?:\/[\w.@-]+){2,}/g, '…')
}
