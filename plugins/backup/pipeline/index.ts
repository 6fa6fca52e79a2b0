import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type JobReport, nodeOf, RestError } from 'pentad'
import { assertFileName } from '../locations/archive-file.ts'
import { unknownLocation } from '../locations/index.ts'
import type { BackupParts } from '../parts.ts'
import type { Category, Progress } from '../types.ts'
import { LEASE, leaseOf } from './background.ts'
import { cancelBackup } from './conclude.ts'
import { type JobData, jobSchema } from './job.ts'
import { createSessions } from './session.ts'
import { createSweep } from './sweep.ts'
import { createTick } from './tick.ts'

/** Name and duration (ms) of the lease for starting a job, so that only one runs at a time. */
const START = 'backup:start'
const START_TTL = 10_000
/** Milliseconds after which another node starts a backup again whose node has stopped. */
const ABANDONED = 30_000

export interface NewBackup {
  /** Default: derived from the date. */
  readonly title?: string | undefined
  readonly kind: 'manual' | 'automatic'
  readonly contents: readonly Category[]
  /** Id of a location. Default: from the settings. */
  readonly location?: string | undefined
  readonly createdBy: number | null
  /** Id of the backup that the site will be restored from, which retention does not delete this time. */
  readonly neededBackup?: string | undefined
}

export interface Pipeline {
  /** @throws RestError 409 `job_running`, 400 `rest_invalid_param` for an unknown location */
  start(backup: NewBackup): Promise<JobReport>
  /** Runs one tick and returns the job's progress; `undefined` if the job is not a backup. */
  progress(jobId: string): Promise<Progress | undefined>
  /** @throws RestError 404 `job_not_found`, 409 `job_not_running` */
  cancel(jobId: string): Promise<void>
  /** Id of the running backup. */
  running(): Promise<string | undefined>
  /**
   * Starts a job of this service unless one is running. Safe across processes.
   * @throws RestError 409 `job_running`
   */
  alone<Result>(begin: () => Promise<Result>): Promise<Result>
  /** Removes leftovers of jobs that no longer exist. */
  sweep(): Promise<void>
}

/** Creates backups as a job of the host, driven by progress polls, the host's loop and cron requests. */
export function createPipeline(parts: BackupParts, restoring: () => Promise<string | undefined>): Pipeline {
  const { host, states, settings, records, locations, leftovers } = parts
  const sessions = createSessions(parts)
  host.onDispose(() => sessions.endAll(new Error('The backup service was stopped.')))
  const { job } = host.jobs.define({
    type: 'backup',
    data: jobSchema,
    tick: createTick(parts, sessions),
    runsHere: ({ node }, idle) => node === '' || node === nodeOf(host.site.dir) || idle > ABANDONED,
    // Ticks handle retries themselves; an error that they throw is final.
    retries: 0,
    async cancelled(data, jobId) {
      const outcome = await states.decide(jobId, { state: 'cancelled', error: null })
      if (outcome.state !== 'cancelled') return
      const session = sessions.of(jobId, data)
      await session.work.stop(new Error('The job was canceled.'))
      await waitForUpload(jobId)
      await cancelBackup(parts, { jobId, data, session })
      await sessions.end(jobId, new Error('The job was canceled.'))
    },
  })

  /** Waits for another process that may be uploading the archive; it detects the cancellation within a second. */
  async function waitForUpload(jobId: string): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if (await host.jobs.withLease(leaseOf(jobId, 'upload'), LEASE, async () => true)) return
      await wait(200)
    }
  }

  async function running(): Promise<string | undefined> {
    for (const { id } of await host.jobs.list({ type: 'backup', state: 'running' })) {
      const outcome = await states.outcome(id)
      if (!outcome || outcome.state === 'complete') return id
    }
    return undefined
  }

  async function alone<Result>(begin: () => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < 100; tries++) {
      const begun = await host.jobs.withLease(START, START_TTL, async () => {
        const jobId = (await running()) ?? (await restoring())
        if (jobId === undefined) return { result: await begin() }
        throw new RestError(
          'job_running',
          'Another backup or restore is in progress. Wait until it is complete, or cancel it.',
          { status: 409, jobId },
        )
      })
      if (begun) return begun.result
      await wait(100)
    }
    throw new RestError(
      'job_running',
      'Another backup or restore is starting. Wait until it is complete, or cancel it.',
      {
        status: 409,
      },
    )
  }

  function dataOf(backup: NewBackup, taken: readonly string[]): JobData {
    const { defaultLocation, compression, excludePatterns } = settings.get()
    const { kind, contents, createdBy, neededBackup } = backup
    const location = backup.location ?? defaultLocation
    const now = new Date().toISOString()
    const data: JobData = {
      title: backup.title?.trim() || `Backup of ${siteTime(now)}`,
      ...{ kind, contents: [...contents], location, createdBy, compression, excludePatterns: [...excludePatterns] },
      ...{ fileName: '', startedAt: now, stage: 'prepare', failures: 0, node: nodeOf(host.site.dir) },
      ...(neededBackup !== undefined && { neededBackup }),
    }
    return { ...data, fileName: fileNameOf(data, taken) }
  }

  /** In the site's time zone: `2026-11-30 08:20`. */
  function siteTime(time: string): string {
    const timeZone = host.content.siteSettings().timezone || 'UTC'
    // Sweden's format is that of ISO 8601.
    return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(Date.parse(time))
  }

  function fileNameOf(data: JobData, taken: readonly string[]): string {
    const ending = data.compression === 'gzip' ? '.tar.gz' : '.tar.zst'
    const site = new URL(host.site.url).hostname.replace(/[^\w.-]/g, '-').replace(/^[.-]+/, '')
    const time = data.startedAt.slice(0, 16).replace('T', '-').replace(':', '')
    const own = `${site || 'site'}-${time}-${randomBytes(16).toString('hex')}${ending}`
    const { title, kind, location } = data
    const filtered = host.hooks.applyFilters('backup_file_name', own, { title, kind, location })
    try {
      assertFileName(filtered)
      return filtered.endsWith(ending) && !taken.includes(filtered) ? filtered : own
    } catch {
      host.log.warn({ filter: 'backup_file_name', name: filtered }, 'invalid file name from filter ignored')
      return own
    }
  }

  return {
    running,
    alone,
    sweep: createSweep(parts, sessions),
    async start(backup) {
      if (backup.location !== undefined && !locations.find(backup.location)) throw unknownLocation()
      return alone(async () => {
        const taken = [...(await records.list()).map(({ fileName }) => fileName), ...(await leftovers.names())]
        return job.start(dataOf(backup, taken))
      })
    },
    async progress(jobId) {
      const known = await host.jobs.get(jobId)
      if (known?.type !== 'backup') return undefined
      const report = known.state === 'running' ? ((await host.jobs.advance(jobId)) ?? known) : known
      const [state, outcome] = [await states.read(jobId), await states.outcome(jobId)]
      const ended = outcome && outcome.state !== 'complete' ? outcome.state : report.state
      const none = { files: 0, bytes: 0 }
      return {
        jobId,
        kind: 'backup',
        state: ended,
        stage: state?.stage ?? 'prepare',
        percent: report.percent,
        processed: state?.processed ?? none,
        total: state?.total ?? none,
        message: report.message,
        warnings: state?.warnings ?? [],
        backupId: report.state === 'complete' ? jobId : null,
        error: ended === 'failed' ? (outcome?.error ?? { code: 'backup_failed', message: 'The backup failed.' }) : null,
        startedAt: state?.startedAt ?? report.created,
        updatedAt: state?.updatedAt ?? report.updated,
      }
    },
    async cancel(jobId) {
      const report = await host.jobs.get(jobId)
      if (report?.type !== 'backup') {
        throw new RestError('job_not_found', 'The job does not exist.', { status: 404 })
      }
      const isRunning = report.state === 'running' && !(await states.outcome(jobId))
      const decided = isRunning ? await states.decide(jobId, { state: 'cancelled', error: null }) : undefined
      if (decided?.state !== 'cancelled') {
        throw new RestError('job_not_running', 'The job has already ended.', { status: 409 })
      }
      await host.jobs.cancel(jobId)
    },
  }
}
