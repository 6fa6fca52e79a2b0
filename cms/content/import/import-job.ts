import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import { createUploadSessions, type UploadSessions } from '../../chunked-upload/sessions.ts'
import { nodeOf } from '../../files/node-of.ts'
import type { Jobs, Tick, TickResult } from '../../jobs/types.ts'
import type { SharedFiles } from '../media/upload-files.ts'
import { createImportRecord, type ImportOrder, type ImportOutcome, orderSchema, uploadsOf } from './import-record.ts'
import { holdImport, importAlone } from './import-wxr.ts'
import type { ImportReport } from './report.ts'
import { note } from './report.ts'
import type { ImportParts } from './types.ts'
import { unpackUploads } from './unpack-uploads.ts'
import { WxrError } from './wxr-error.ts'

/** The last import, as shown in the admin. */
export interface ImportState {
  readonly jobId: string
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  /** 0 to 100. */
  readonly percent: number
  readonly message: string
  readonly started: string
  readonly order: ImportOrder
  /** The report, including that of a failed import. */
  readonly report: ImportReport | null
  /** Why it failed. */
  readonly error: string | null
}

/** One import at a time, in the background; after a crash it restarts and completes. */
export interface ImportJob {
  readonly sessions: UploadSessions
  /** @throws RestError 404 `upload_not_found`, 409 `import_running` */
  start(order: ImportOrder): Promise<ImportState>
  /** The import in progress, else the last one; `undefined` if there was none. */
  current(): Promise<ImportState | undefined>
  /** Stops the import in progress. Content added so far is kept; the next import of the file completes it. */
  cancel(): Promise<ImportState | undefined>
  /** Interrupts the import, which continues at the next start of the site. */
  close(): Promise<void>
}

const jobSchema = z.object({
  key: z.string(),
  order: orderSchema,
  /** The node that works on it. Empty in jobs of earlier versions. */
  node: z.string().default(''),
})
type JobData = z.output<typeof jobSchema>

const TYPE = 'wordpress-import'
/** Milliseconds that a tick waits for the import, and between ticks. */
const TICK = 1500
const BETWEEN = 300
/** While it waits for another process of the site, or for storage. */
const BUSY = 3000
const NO_STORAGE = 'waiting for the file storage'
/** Interval of checks whether another process has canceled the import, in ms. */
const LOOK = 2000
const LEASE = 15_000
/** Milliseconds after which another node takes over; without a bucket, it does not have the files, and fails. */
const ABANDONED = 30_000
const LOST = 300_000
/** Percentage at which the import itself is complete; the rest is for its report. */
const IMPORTED = 99

interface Running {
  percent: number
  message: string
  /** Why it has not begun; it begins again later. */
  waiting: string | undefined
  readonly stop: AbortController
  readonly done: Promise<void>
}

export function createImportJob(
  parts: Omit<ImportParts, 'files' | 'uploadsDir' | 'download' | 'dryRun' | 'onProgress' | 'signal'> & {
    readonly jobs: Jobs
    /** The folder `tmp` in the bucket of the site. */
    readonly shared?: SharedFiles | undefined
  },
): ImportJob {
  const { jobs, config, log, database, shared } = parts
  const node = nodeOf(config.siteDir)
  const folder = join(config.siteDir, 'tmp')
  const sessions = createUploadSessions(config.siteDir, 'import-upload', shared)
  const record = createImportRecord(folder, shared)
  const running = new Map<string, Running>()
  /** Outcomes that could not be stored yet, by job: the disk may be full. */
  const unwritten = new Map<string, ImportOutcome>()
  let isClosed = false

  /** Imports in this process, and records the outcome. */
  function begin(id: string, data: JobData): Running {
    const { order } = data
    const stop = new AbortController()
    const state: Pick<Running, 'percent' | 'message' | 'waiting'> = { percent: 0, message: '', waiting: undefined }
    const at = (percent: number, message: string) => {
      state.percent = percent
      state.message = message
    }

    async function unpack({ uploadId, name }: ImportOrder['files'][number], to: string, signal: AbortSignal) {
      const onProgress = (files: number) => at(0, `${files} media files extracted`)
      try {
        return await unpackUploads(await sessions.assembled(uploadId, signal), to, { signal, onProgress })
      } catch (error) {
        if (!(error instanceof WxrError)) throw error
        throw new WxrError(`${name}: the archive ${error.message}. Nothing was imported.`, 0)
      }
    }

    async function work(lost: AbortSignal): Promise<ImportOutcome> {
      const unpacked = join(folder, `import-media-${id}`)
      const signal = AbortSignal.any([stop.signal, lost])
      const files: string[] = []
      try {
        for (const { uploadId } of order.files) files.push(await sessions.assembled(uploadId, signal))
        // An interrupted import may have unpacked only part of a file.
        await rm(unpacked, { recursive: true, force: true })
        const refused = order.uploads ? await unpack(order.uploads, unpacked, signal) : []
        const report = await importAlone(
          {
            ...parts,
            files,
            uploadsDir: order.uploads ? unpacked : undefined,
            download: order.download ? {} : undefined,
            dryRun: order.dryRun,
            signal,
            onProgress: ({ percent, message }) => at(Math.min(percent, IMPORTED), message),
          },
          lost,
        )
        for (const file of refused) note(report.files.refused, file)
        return { report, error: null, percent: 100 }
      } catch (error) {
        if (signal.aborted || !(error instanceof WxrError)) throw error
        const reason = readable(error, order, files)
        log.warn({ job: id, reason }, 'import failed')
        return { report: error.report ?? null, error: reason, percent: state.percent }
      } finally {
        await rm(unpacked, { recursive: true, force: true })
      }
    }

    async function attempt(): Promise<ImportOutcome | undefined> {
      const look = setInterval(() => void stopIfCancelled().catch(() => {}), LOOK)
      try {
        const held = await holdImport(parts, work)
        if (!held) state.waiting = 'waiting for another import to finish'
        return held?.result
      } catch (error) {
        if (stop.signal.aborted) return undefined
        if (isStorageUnavailable(error)) {
          state.waiting = NO_STORAGE
          return undefined
        }
        log.error({ err: error, job: id }, 'import failed')
        return { report: null, error: 'The import failed. See the server log.', percent: state.percent }
      } finally {
        clearInterval(look)
      }
    }

    async function run(): Promise<void> {
      const outcome = await attempt()
      if (outcome) await conclude(id, data, outcome)
      running.delete(id)
    }

    async function stopIfCancelled(): Promise<void> {
      if ((await jobs.get(id))?.state === 'cancelled') stop.abort()
    }
    const begun: Running = Object.assign(state, { stop, done: run() })
    running.set(id, begun)
    return begun
  }

  /** Records the outcome of an import; if that fails, the next tick retries. Never rejects. */
  async function conclude(id: string, { key, order }: JobData, outcome: ImportOutcome): Promise<boolean> {
    try {
      await record.change((stored) => (stored?.key === key ? { ...stored, outcome } : stored))
      unwritten.delete(id)
      // The files are no longer needed: importing them again would add nothing.
      if (outcome.error === null && !order.dryRun)
        for (const { uploadId } of uploadsOf(order)) await sessions.remove(uploadId)
      return true
    } catch (error) {
      if (!unwritten.has(id)) log.error({ err: error, job: id }, 'could not write import report')
      unwritten.set(id, outcome)
      return false
    }
  }

  async function advance({ id, data }: Tick<JobData>): Promise<TickResult<JobData>> {
    const outcome = unwritten.get(id)
    if (outcome && !(await conclude(id, data, outcome)))
      return { done: false, data, percent: outcome.percent, message: 'waiting for disk space', delayMs: BUSY }
    const known = await record.read()
    if (known?.key !== data.key) throw new Error('The import was interrupted. Start it again.')
    if (known.outcome) return { done: true }
    if (isClosed) return { done: false, data }
    if (data.node !== node) return { done: false, data: { ...data, node } }
    const import_ = running.get(id) ?? begin(id, data)
    await Promise.race([import_.done, wait(TICK, undefined, { ref: false })])
    if (import_.waiting) return { done: false, data, message: import_.waiting, delayMs: BUSY }
    return { done: false, data, percent: import_.percent, message: import_.message, delayMs: BETWEEN }
  }

  const { job } = jobs.define({
    type: TYPE,
    data: jobSchema,
    async tick(tick) {
      try {
        return await advance(tick)
      } catch (error) {
        if (!isStorageUnavailable(error)) throw error
        return { done: false, data: tick.data, message: NO_STORAGE, delayMs: BUSY }
      }
    },
    async runsHere(data, idle) {
      if (data.node === node || idle > (shared ? ABANDONED : LOST)) return true
      // A container that was created again has another hostname; jobs of earlier versions have no node.
      return (!shared || data.node === '') && (await record.read())?.key === data.key
    },
    async cancelled(_data, id) {
      running.get(id)?.stop.abort()
      await running.get(id)?.done
    },
  })
  jobs.schedule('tidy-import-uploads', '23 * * * *', () => sessions.sweep())

  async function current(): Promise<ImportState | undefined> {
    const stored = await record.read()
    // A process that was killed between the two steps has not recorded the job that it started.
    const [unnoted] = stored?.jobId === null ? await jobs.list({ type: TYPE, state: 'running' }) : []
    const report = stored?.jobId ? await jobs.get(stored.jobId) : unnoted
    if (!stored || !report) return undefined
    const { order, started, outcome } = stored
    const { id: jobId } = report
    const state = outcome === null ? report.state : outcome.error === null ? 'complete' : 'failed'
    return {
      ...{ jobId, order, started, state },
      percent: state === 'complete' ? 100 : (outcome?.percent ?? report.percent),
      message: state === 'running' ? report.message : '',
      report: outcome?.report ?? null,
      error: outcome?.error ?? report.error,
    }
  }

  async function requireUploads(order: ImportOrder): Promise<void> {
    for (const { uploadId } of uploadsOf(order)) {
      if ((await sessions.get(uploadId))?.isComplete) continue
      throw new RestError(
        'upload_not_found',
        'An uploaded file is incomplete or has expired. Uploads expire after 24 hours. Upload the file again.',
        {
          status: 404,
          uploadId,
        },
      )
    }
  }

  const isRunning = () =>
    new RestError('import_running', 'Another import is in progress. Wait until it is complete, or cancel it.', {
      status: 409,
    })

  return {
    sessions,
    current,
    async start(order) {
      await requireUploads(order)
      const started = await jobs.withLease('import:start', LEASE, async () => {
        // An import started by a command holds the lease.
        const isFree = (await current())?.state !== 'running' && (await holdImport({ database, log }, async () => true))
        if (!isFree) return false
        const key = randomUUID()
        await record.change(() => ({ key, jobId: null, order, started: new Date().toISOString(), outcome: null }))
        const { id } = await job.start({ key, order, node })
        await record.change((stored) => (stored?.key === key ? { ...stored, jobId: id } : stored))
        return true
      })
      const state = await current()
      if (!started || !state) throw isRunning()
      return state
    },
    async cancel() {
      for (const { id } of await jobs.list({ type: TYPE, state: 'running' })) {
        await jobs.cancel(id)
        // A tick in progress would clean up later.
        running.get(id)?.stop.abort()
        await running.get(id)?.done
      }
      return current()
    },
    async close() {
      isClosed = true
      for (const { stop } of running.values()) stop.abort()
      await Promise.allSettled([...running.values()].map(({ done }) => done))
    },
  }
}

/** The bucket of the site may be unavailable only for seconds. */
function isStorageUnavailable(error: unknown): boolean {
  return error instanceof RestError && error.code === 'storage_unavailable'
}

/** With the original names of the files, not those of the stored ones. */
function readable(error: WxrError, { files }: ImportOrder, paths: readonly string[]): string {
  return files.reduce(
    (message, { name }, at) => message.replaceAll(paths[at] ?? name, name || 'The file'),
    error.message,
  )
}
