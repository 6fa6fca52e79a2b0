import type { Tick, TickResult } from 'pentad'
import { nodeOf, RestError } from 'pentad'
import type { LogEntry } from '../job-log.ts'
import type { JobState } from '../job-states.ts'
import { pathExists } from '../missing-files.ts'
import type { BackupParts } from '../parts.ts'
import { withTimeLimit } from '../time-limit.ts'
import { completeBackup, discardUpload, failBackup } from './conclude.ts'
import { failureOf, isRetryable, MAX_ATTEMPTS } from './failure.ts'
import { type JobData, STAGES, type Stage } from './job.ts'
import type { Session, Sessions } from './session.ts'
import { database, files, finish, prepare, type StageResult, type StageTask, totalOf, upload } from './stages.ts'

/** Time limit of a tick, in ms. */
const TICK = 2000
/** Poll interval while another process works on the job, in ms. */
const POLL_DELAY = 500
/** Attempts to clean up after a backup: about a day. */
const MOST_CLEANUPS = 30
/** Longest delay between them, in ms. */
const LONGEST_DELAY = 3_600_000
/** Maximum warnings in the progress; the log has all of them. */
const MOST_WARNINGS = 100

const WORK: Readonly<Record<Exclude<Stage, 'cleanup'>, (task: StageTask) => Promise<StageResult>>> = {
  prepare,
  database,
  files,
  finish,
  upload,
}

/** Percentage at which each stage starts; it ends where the next one starts. */
const STARTS_AT: Readonly<Record<Stage, number>> = {
  prepare: 0,
  database: 5,
  files: 15,
  finish: 70,
  upload: 85,
  cleanup: 99,
}

const ORDER: readonly string[] = STAGES

const COMPLETE = 'Backup complete'
const RESTARTED = 'The backup was started again on another node.'

/** Creates the tick function of a backup. All steps are idempotent: finished work is found in the work folder. */
export function createTick(parts: BackupParts, sessions: Sessions) {
  const { host, states, logs, records } = parts

  return async ({ id, data, signal }: Tick<JobData>): Promise<TickResult<JobData>> => {
    const session = sessions.of(id, data)
    const until = withTimeLimit(signal, TICK)
    try {
      const outcome = await states.outcome(id)
      if (outcome?.state === 'cancelled') {
        // The process that canceled it crashed before it informed the host.
        await host.jobs.cancel(id)
        return { done: false, data, delayMs: POLL_DELAY }
      }
      const node = nodeOf(host.site.dir)
      // Another node, whose files are not here, no longer works on it.
      if (data.node !== '' && data.node !== node) {
        // Its archive is stored and listed: only cleanup is left.
        if (outcome?.state === 'complete' && (await records.find(id)))
          return { done: false, data: { ...data, node, stage: 'cleanup' } }
        const isShared = await pathExists(session.folder)
        if (!isShared) await logs.add(id, [{ level: 'warning', stage: data.stage, message: RESTARTED }])
        const stage = isShared || data.failure ? data.stage : 'prepare'
        return { done: false, data: { ...data, node, stage } }
      }
      if (data.stage === 'cleanup') return await conclude({ id, data, session, signal })
      if (!(await session.begin(until))) return { done: false, data, delayMs: POLL_DELAY }
      const result = await WORK[data.stage]({ ...parts, jobId: id, data, session, until })
      // If another process has taken over the job, it reports the progress.
      signal.throwIfAborted()
      return await settle({ id, data, session }, result)
    } catch (error) {
      // Canceled or stopped: this tick must not change the job.
      if (signal.aborted) return { done: false, data, delayMs: POLL_DELAY }
      if (error instanceof FailedBackup) throw error
      return afterFailure({ id, data, session }, error)
    }
  }

  async function settle(
    { id, data, session }: { id: string; data: JobData; session: Session },
    result: StageResult,
  ): Promise<TickResult<JobData>> {
    const { stage } = data
    const next = result.done ? (STAGES[STAGES.indexOf(stage) + 1] ?? 'cleanup') : stage
    const begins = STARTS_AT[stage]
    const span = (STARTS_AT[STAGES[STAGES.indexOf(stage) + 1] ?? 'cleanup'] ?? 100) - begins
    const percent = result.done ? STARTS_AT[next] : Math.floor(begins + span * (result.share ?? 0))
    await report(id, data, { ...result, stage: next, percent, total: await totalOf(session.folder) })
    return {
      done: false,
      data: { ...(result.data ?? data), stage: next, failures: 0 },
      percent,
      message: result.message,
      ...(result.wait && !result.done && { delayMs: POLL_DELAY }),
    }
  }

  /** Stores progress and log entries. */
  async function report(
    id: string,
    { startedAt, stage }: JobData,
    now: Pick<StageResult, 'message' | 'processed'> & {
      log?: readonly Pick<LogEntry, 'level' | 'message'>[]
      stage: string
      percent: number
      total?: JobState['total']
    },
  ): Promise<void> {
    const before = await states.read(id)
    // After a crash, the end of a stage may be reported twice; it is logged once.
    const isLogged = before !== undefined && ORDER.indexOf(before.stage) > ORDER.indexOf(stage)
    const log = isLogged ? [] : (now.log ?? [])
    const added = log.filter(({ level }) => level === 'warning').map(({ message }) => message)
    const warnings = [...(before?.warnings ?? []), ...added].slice(0, MOST_WARNINGS)
    await logs.add(
      id,
      log.map((entry) => ({ ...entry, stage })),
    )
    const none = { files: 0, bytes: 0 }
    await states.write(id, {
      stage: now.stage,
      percent: Math.max(before?.percent ?? 0, now.percent),
      processed: now.processed ?? before?.processed ?? none,
      total: now.total?.files || now.total?.bytes ? now.total : (before?.total ?? none),
      message: now.message,
      warnings,
      startedAt,
      updatedAt: new Date().toISOString(),
    })
  }

  /** Ends the job. A cancellation that came first wins. */
  async function conclude(ending: {
    id: string
    data: JobData
    session: Session
    signal: AbortSignal
  }): Promise<TickResult<JobData>> {
    const { id, data, session, signal } = ending
    const error = data.failure ?? null
    const decided = await states.decide(id, { state: error ? 'failed' : 'complete', error })
    if (decided.state === 'cancelled') return { done: false, data, delayMs: POLL_DELAY }
    // A node that stopped had completed it, but did not list it, and it could not be created again.
    const isLost = decided.state === 'complete' && error !== null && !(await records.find(id))
    if (decided.state === 'failed' || isLost) {
      const failure = decided.error ?? error ?? failureOf(undefined)
      await discardUpload(parts, { jobId: id, data, session }, isLost)
      await failBackup(parts, { jobId: id, data, session }, failure)
      await sessions.end(id, new Error('The job has ended.'))
      throw new FailedBackup(failure.code, failure.message, { status: 500 })
    }
    await completeBackup(parts, { jobId: id, data, session }, signal)
    await sessions.end(id, new Error('The job has ended.'))
    const total = (await states.read(id))?.total
    const message = COMPLETE
    await report(id, data, { message, stage: 'cleanup', percent: 100, ...(total && { processed: total }) })
    return { done: true, data, message }
  }

  async function afterFailure(
    { id, data, session }: { id: string; data: JobData; session: Session },
    error: unknown,
  ): Promise<TickResult<JobData>> {
    const failures = data.failures + 1
    const failure = failureOf(error)
    host.log.warn({ job: id, stage: data.stage, failures, err: error }, 'backup stage failed')
    if (isRetryable(error, failures)) {
      const message = `${failure.message} Retrying.`
      await logs.add(id, [{ level: 'warning', stage: data.stage, message }]).catch(() => {})
      return { done: false, data: { ...data, failures }, message, delayMs: 1000 * 2 ** (failures - 1) }
    }
    if (data.stage === 'cleanup') {
      // Its archive is stored, so it is worth waiting until the backup can be listed.
      const delayMs = Math.min(60_000 * 2 ** Math.max(0, failures - MAX_ATTEMPTS), LONGEST_DELAY)
      if (failures < MOST_CLEANUPS) return { done: false, data: { ...data, failures }, delayMs }
      return giveUp({ id, data, session }, failure)
    }
    return { done: false, data: { ...data, stage: 'cleanup', failure, failures: 0 }, message: failure.message }
  }

  /** After the last attempt to clean up. */
  async function giveUp(
    { id, data, session }: { id: string; data: JobData; session: Session },
    failure: NonNullable<JobData['failure']>,
  ): Promise<TickResult<JobData>> {
    try {
      // While this cannot be read, the archive is kept, since it may be listed.
      if (await records.find(id)) return { done: true, data, message: COMPLETE }
      await discardUpload(parts, { jobId: id, data, session }, true).catch((error) =>
        host.log.warn({ job: id, err: error }, 'could not remove the archive of a failed backup'),
      )
      await failBackup(parts, { jobId: id, data, session }, failure)
    } finally {
      await sessions.end(id, new Error('The job has ended.'))
    }
    throw new FailedBackup(failure.code, failure.message, { status: 500 })
  }
}

/** Fails the job in the host, after all cleanup is done. */
class FailedBackup extends RestError {}
