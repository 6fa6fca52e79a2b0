import type { Tick, TickResult } from 'pentad'
import { RestError } from 'pentad'
import type { LogEntry } from '../job-log.ts'
import type { JobState } from '../job-states.ts'
import type { BackupParts } from '../parts.ts'
import { withTimeLimit } from '../time-limit.ts'
import { completeBackup, failBackup } from './conclude.ts'
import { failureOf, isRetryable } from './failure.ts'
import { type JobData, STAGES, type Stage } from './job.ts'
import type { Session, Sessions } from './session.ts'
import { database, files, finish, prepare, type StageResult, type StageTask, totalOf, upload } from './stages.ts'

/** Milliseconds that a tick works (contract 3). */
const TICK = 2000
/** Milliseconds until the next look at what another process does. */
const LOOK_AGAIN = 500
/** Warnings that progress names; the log has them all. */
const MOST_WARNINGS = 100

const WORK: Readonly<Record<Exclude<Stage, 'cleanup'>, (task: StageTask) => Promise<StageResult>>> = {
  prepare,
  database,
  files,
  finish,
  upload,
}

/** Per cent at which each stage begins; it ends where the next begins. */
const BEGINS: Readonly<Record<Stage, number>> = {
  prepare: 0,
  database: 5,
  files: 15,
  finish: 70,
  upload: 85,
  cleanup: 99,
}

const ORDER: readonly string[] = STAGES

/** One tick of a backup. All its steps may be done again: what is finished is found in the work folder. */
export function createTick(parts: BackupParts, sessions: Sessions) {
  const { host, states, logs } = parts

  return async ({ id, data, signal }: Tick<JobData>): Promise<TickResult<JobData>> => {
    const session = sessions.of(id, data)
    const until = withTimeLimit(signal, TICK)
    try {
      const outcome = await states.outcome(id)
      if (outcome?.state === 'cancelled') {
        // Whoever cancelled it died before the host heard of it.
        await host.jobs.cancel(id)
        return { done: false, data, delayMs: LOOK_AGAIN }
      }
      if (data.stage === 'cleanup') return await conclude({ id, data, session, signal })
      if (!(await session.begin(until))) return { done: false, data, delayMs: LOOK_AGAIN }
      const result = await WORK[data.stage]({ ...parts, jobId: id, data, session, until })
      // Who has lost the job meanwhile leaves it to its new driver to tell how far it is.
      signal.throwIfAborted()
      return await settle({ id, data, session }, result)
    } catch (error) {
      // Cancelled or unloaded: what comes next is not for this tick to say.
      if (signal.aborted) return { done: false, data, delayMs: LOOK_AGAIN }
      if (error instanceof FailedBackup) throw error
      return afterFailure({ id, data }, error)
    }
  }

  async function settle(
    { id, data, session }: { id: string; data: JobData; session: Session },
    result: StageResult,
  ): Promise<TickResult<JobData>> {
    const { stage } = data
    const next = result.done ? (STAGES[STAGES.indexOf(stage) + 1] ?? 'cleanup') : stage
    const begins = BEGINS[stage]
    const span = (BEGINS[STAGES[STAGES.indexOf(stage) + 1] ?? 'cleanup'] ?? 100) - begins
    const percent = result.done ? BEGINS[next] : Math.floor(begins + span * (result.share ?? 0))
    await report(id, data, { ...result, stage: next, percent, total: await totalOf(session.folder) })
    return {
      done: false,
      data: { ...(result.data ?? data), stage: next, failures: 0 },
      percent,
      message: result.message,
      ...(result.wait && !result.done && { delayMs: LOOK_AGAIN }),
    }
  }

  /** Keeps what progress and log tell. */
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
    // A crash between this and the host's note of it makes the end of a stage come twice; it is told once.
    const isTold = before !== undefined && ORDER.indexOf(before.stage) > ORDER.indexOf(stage)
    const log = isTold ? [] : (now.log ?? [])
    const news = log.filter(({ level }) => level === 'warning').map(({ message }) => message)
    const warnings = [...(before?.warnings ?? []), ...news].slice(0, MOST_WARNINGS)
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

  /** The end, once it is decided which: a cancellation that came first stands. */
  async function conclude(ending: {
    id: string
    data: JobData
    session: Session
    signal: AbortSignal
  }): Promise<TickResult<JobData>> {
    const { id, data, session, signal } = ending
    const error = data.failure ?? null
    const decided = await states.decide(id, { state: error ? 'failed' : 'complete', error })
    if (decided.state === 'cancelled') return { done: false, data, delayMs: LOOK_AGAIN }
    if (decided.state === 'failed') {
      const failure = decided.error ?? failureOf(undefined)
      await failBackup(parts, { jobId: id, data, session }, failure)
      await sessions.end(id, new Error('The job has ended.'))
      throw new FailedBackup(failure.code, failure.message, { status: 500 })
    }
    await completeBackup(parts, { jobId: id, data, session }, signal)
    await sessions.end(id, new Error('The job has ended.'))
    const total = (await states.read(id))?.total
    const message = 'The backup is complete.'
    await report(id, data, { message, stage: 'cleanup', percent: 100, ...(total && { processed: total }) })
    return { done: true, data, message }
  }

  async function afterFailure(
    { id, data }: { id: string; data: JobData },
    error: unknown,
  ): Promise<TickResult<JobData>> {
    const failures = data.failures + 1
    const failure = failureOf(error)
    host.log.warn({ job: id, stage: data.stage, failures, err: error }, 'a step of a backup failed')
    if (isRetryable(error, failures)) {
      const message = `${failure.message} It is tried again.`
      await logs.add(id, [{ level: 'warning', stage: data.stage, message }]).catch(() => {})
      return { done: false, data: { ...data, failures }, message, delayMs: 1000 * 2 ** (failures - 1) }
    }
    // What is complete cannot fail any more; its clearing up is tried again, less and less often.
    if (data.stage === 'cleanup') return { done: false, data: { ...data, failures }, delayMs: 60_000 }
    return { done: false, data: { ...data, stage: 'cleanup', failure, failures: 0 }, message: failure.message }
  }
}

/** Tells the host that the job has failed, when all that belongs to it is done. */
class FailedBackup extends RestError {}
