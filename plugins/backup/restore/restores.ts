import { basename, join } from 'node:path'
import { RestError } from 'pentad'
import type { ArchiveLocations } from '../archive-source.ts'
import type { JobLogs } from '../job-log.ts'
import { pathExists } from '../missing-files.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { RestoreJob } from './hooks.ts'
import { describeProblem, withoutPaths } from './problem.ts'
import { removeTree } from './remove-tree.ts'
import { createRestoreStates, newRestoreId, type RestoreState, type RestoreStates } from './state.ts'
import { newDatabasePlace, oldDatabasePlace, type RestoreOrders, type RestoreSite } from './work.ts'
import { isAlive } from './worker.ts'
import { createWorks } from './works.ts'

/** Log message for each finished stage. */
const DONE: Readonly<Record<RestoreState['stage'], string>> = {
  verify: 'Archive verified.',
  extract: 'Files extracted.',
  database: 'Database restored.',
  files: 'Files prepared.',
  finish: 'Site restored.',
}

/** Time limit of a tick, in ms. */
const TICK = 2000
/** Maximum attempts of a step that fails temporarily. */
const TRIES = 5
/** Time for which the state of a finished restore remains available, in ms: longer than its tokens are valid. */
const RETENTION = 24 * 3600_000
/** Subfolders that a restore creates, in addition to its state. */
const MADE = ['work', 'old']

export interface RestoreTask {
  readonly backupId: string | null
  readonly source: RestoreState['source']
  readonly parts: RestoreState['parts']
  /** Whether extensions and themes may run even if this site did not sign the archive. Default: `false`. */
  readonly trustCode?: boolean | undefined
}

/** Receives the results of restores. */
export interface RestoreListener {
  completed(job: RestoreJob): Promise<void>
  failed(job: RestoreJob, error: { readonly code: string; readonly message: string }): Promise<void>
}

/** Restores of one site, driven in ticks by the caller. Does not need the site's database. */
export interface Restores {
  readonly states: RestoreStates
  create(task: RestoreTask): Promise<RestoreState>
  /** Works for about two seconds. The restore may have ended afterward. */
  tick(id: string, signal: AbortSignal): Promise<RestoreState | undefined>
  /**
   * Ends restores whose replacement was completed or rolled back at the last start. Call it before the site is served.
   */
  settle(): Promise<void>
  /** Notifies the listener of ended restores, once each. Call it when all listeners are registered. */
  notify(listener: RestoreListener): Promise<void>
  /**
   * Cancels a restore: the site stays unchanged.
   * @returns `false` if it has ended, or the site is being replaced
   */
  cancel(id: string): Promise<boolean>
  /** Removes the data of a canceled restore. */
  clearUp(id: string): Promise<void>
  /** Fails a restore that was abandoned. */
  abandon(id: string): Promise<void>
  /** Cancels restores of crashed processes that have not changed the site yet. */
  cancelLost(): Promise<void>
  /** Removes old restores and their tokens. */
  sweep(): Promise<void>
  /** Stops the work of this process; the next tick resumes it. */
  close(): Promise<void>
}

export function createRestores(
  site: RestoreSite,
  {
    logs,
    locations,
    exclusion,
  }: { logs: JobLogs; locations?: ArchiveLocations; exclusion: RestoreOrders['exclusion'] },
): Restores {
  const states = createRestoreStates(site.dir)
  const works = createWorks(site, { states, locations, exclusion })
  /** Removes everything except the state and the tokens, which are needed a while longer. */
  async function clear(id: string): Promise<void> {
    await works.stop(id)
    const folder = states.folderOf(id)
    await site.removeStagingDatabase(oldDatabasePlace(folder, id))
    for (const work of await works.foldersOf(id)) {
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
      message: 'Removing replaced files',
    })
    await clear(state.id)
    await states.write({ ...finishing, state: 'complete', percent: 100, message: 'Site restored', worker: null })
    await logs.add(state.id, [{ level: 'info', stage: 'finish', message: 'Site restored.' }])
  }

  async function fail(state: RestoreState, error: { code: string; message: string }): Promise<RestoreState> {
    // Canceled meanwhile: the error was caused by the cleanup.
    const before = await states.read(state.id)
    if (before?.state === 'cancelled') return before
    const failed = await states.write({ ...state, state: 'failed', error, message: error.message, worker: null })
    // Another process has taken over, and needs what it has prepared.
    const now = await states.read(state.id)
    if (now?.state !== 'failed') return now ?? failed
    await logs.add(state.id, [{ level: 'error', stage: state.stage, message: error.message }])
    // What cannot be removed now is removed at the next start; it must not block the end of the restore.
    await clear(state.id).catch(() => {})
    return failed
  }

  /** Ends a restore whose replacement has an outcome. */
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
    const taken = await works.takeOver(state)
    if (!taken) return state
    const { before, worker } = taken
    try {
      const until = withTimeLimit(signal, TICK)
      const after = await works.advance(before, worker, until)
      if (!(await works.isHeldBy(state.id, worker))) return await drop(state, worker)
      if (after.stage !== before.stage) await logStage(after, before)
      return await states.write({ ...after, percent: Math.max(before.percent, after.percent), failures: 0 })
    } catch (error) {
      if (signal.aborted) throw error
      if (!(await works.isHeldBy(state.id, worker))) return drop(state, worker)
      // The replacement started despite the error; it is finished when the site is opened next.
      if (site.lastReplacement()?.id === state.id) return state
      await works.stop(state.id)
      const problem = describeProblem(error)
      const failures = before.failures + 1
      if (problem.temporary && failures < TRIES) return states.write({ ...before, failures })
      return fail(before, problem)
    }
  }

  /** Discards the work of a worker that lost the restore. */
  async function drop(state: RestoreState, worker: string): Promise<RestoreState> {
    await works.stop(state.id, worker)
    return state
  }

  async function cancel(id: string): Promise<boolean> {
    const state = await states.read(id)
    if (state?.state !== 'running' || !(await states.decide(id, 'cancelled'))) return false
    await logs.add(id, [{ level: 'info', stage: state.stage, message: 'Restore canceled.' }])
    return true
  }

  async function logStage({ id, stage, warnings }: RestoreState, before: RestoreState): Promise<void> {
    const added = warnings.slice(before.warnings.length)
    await logs.add(id, [
      ...added.map((message) => ({ level: 'warning' as const, stage: before.stage, message })),
      { level: 'info', stage, message: DONE[before.stage] },
    ])
  }

  async function clearUp(id: string): Promise<void> {
    const state = await states.read(id)
    if (state?.state !== 'cancelled') return
    await clear(id)
    await states.write({ ...state, worker: null })
  }

  async function abandon(id: string): Promise<void> {
    const state = await states.read(id)
    if (state?.state !== 'running') return
    const { code, message } = interrupted()
    await fail(state, { code, message })
  }

  return {
    states,
    async create({ backupId, source, parts, trustCode = false }) {
      const none = { files: 0, bytes: 0 }
      const now = new Date().toISOString()
      const position = { stage: 'verify' as const, percent: 0, processed: none, total: none, failures: 0, worker: null }
      const state = await states.write({
        ...{ id: newRestoreId(), backupId, source, trustCode, parts, siteUrl: null, state: 'running', takeovers: 0 },
        ...{ ...position, message: 'Verifying the archive', warnings: [], error: null, startedAt: now, updatedAt: now },
      })
      await logs.add(state.id, [{ level: 'info', stage: 'verify', message: 'Restore started.' }])
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
        // Cleans up after a crash between the end of a restore and its cleanup.
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
    abandon,
    async cancelLost() {
      for (const { id, state, worker } of await states.list()) {
        if (state !== 'running' || (worker && isAlive(worker))) continue
        if (await cancel(id)) await clearUp(id)
        // It had decided to replace the site, but crashed before starting.
        else if (site.lastReplacement()?.id !== id) await abandon(id)
      }
    },
    async sweep() {
      for (const { id, state, updatedAt } of await states.list()) {
        if (state !== 'running' && Date.now() - Date.parse(updatedAt) > RETENTION) await removeTree(states.folderOf(id))
      }
    },
    close: works.close,
  }
}

/** The error of a restore whose process or files no longer exist. */
export function interrupted(): RestError {
  return new RestError('restore_failed', 'The restore was interrupted. Start it again.', { status: 500 })
}

export function jobOf({ id, backupId, parts }: RestoreState): RestoreJob {
  return { jobId: id, backupId, parts: parts ?? [] }
}
