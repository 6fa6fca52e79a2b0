import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError } from 'pentad'
import { quoted } from '../archive/errors.ts'
import { readFinished } from '../archive/finish.ts'
import { signingKeyOf } from '../archive/signature.ts'
import { LIST } from '../archive/work-folder.ts'
import { namesOf } from '../categories.ts'
import { dumpedEntries, dumpTables } from '../database/dump.ts'
import { createExclusion } from '../exclusion.ts'
import { formatBytes, formatCount } from '../format-units.ts'
import type { LogEntry } from '../job-log.ts'
import { pathExists } from '../missing-files.ts'
import type { BackupParts } from '../parts.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { Amount } from '../types.ts'
import { archivePathOf, type JobData, publicJob } from './job.ts'
import { scanSite } from './scan.ts'
import type { Session } from './session.ts'
import { readFallBack, readStored, uploadArchive } from './upload.ts'
import { readListed, readScan, saveList, saveScan } from './work-list.ts'

/** The result of a stage's work in a tick. */
export interface StageResult {
  /** Whether the stage is finished. */
  readonly done: boolean
  readonly data?: JobData
  /** Progress within the stage, 0 to 1. */
  readonly share?: number
  readonly message: string
  readonly processed?: Amount
  readonly log?: readonly Pick<LogEntry, 'level' | 'message'>[]
  /** Whether another process is working on it, so that this one should wait. */
  readonly wait?: boolean
}

/** Input of a stage: the job, its session in this process, and the time limit. */
export interface StageTask extends BackupParts {
  readonly jobId: string
  readonly data: JobData
  readonly session: Session
  readonly until: AbortSignal
}

const NO_FILES: Amount = { files: 0, bytes: 0 }

/**
 * Takes the database snapshot, then scans files. Files added after the snapshot have no row; a row lacks its file only if the file was
 * deleted in between.
 */
export async function prepare({ host, states, jobId, data, session, until }: StageTask): Promise<StageResult> {
  if (await states.once(jobId, 'started')) {
    await host.hooks.doActionAsync('backup_started', publicJob(jobId, data))
    return {
      done: false,
      message: 'Starting the backup',
      log: [{ level: 'info', message: `Backup “${data.title}” started: ${namesOf(data.contents)}.` }],
    }
  }
  const { folder, snapshots, work } = session
  if (data.contents.includes('database') && !(await snapshots.taken())) {
    await work.run('snapshot', () => snapshots.take(), until)
    if (!(await snapshots.taken())) return { done: false, message: 'Taking a database snapshot', wait: !until.aborted }
  }
  if (!(await readScan(folder))) {
    const isExcluded = createExclusion(data.excludePatterns, (exclude, path) =>
      host.hooks.applyFilters('backup_exclude_path', exclude, path),
    )
    const { contents } = data
    await work.run(
      'scan',
      async (signal) => {
        if (contents.includes('uploads')) await host.content.media.files.pullAll(signal)
        await saveScan(folder, scanSite({ siteDir: host.site.dir, contents, isExcluded, signal }), signal)
      },
      until,
    )
  }
  const scanned = await readScan(folder)
  if (!scanned) return { done: false, message: 'Scanning files', share: 0.5, wait: !until.aborted }
  const { bavail, bsize } = await statfs(folder)
  const log: Pick<LogEntry, 'level' | 'message'>[] = [
    { level: 'info', message: `Files to back up: ${formatCount(scanned.files)} (${formatBytes(scanned.bytes)}).` },
    ...scanned.warnings.map(({ name, message }) => ({
      level: 'warning' as const,
      message: `${quoted(name)}: ${message}`,
    })),
  ]
  if (scanned.omitted > 0)
    log.push({ level: 'warning', message: `Further warnings omitted: ${formatCount(scanned.omitted)}.` })
  if (bavail * bsize < scanned.bytes) {
    log.push({ level: 'warning', message: 'There may not be enough free disk space for the archive.' })
  }
  return { done: true, message: 'Files scanned', log }
}

/** Exports the tables to files, then writes the work list of the archive. */
export async function database({ data, session, until }: StageTask): Promise<StageResult> {
  const { folder } = session
  if (!data.contents.includes('database')) {
    await saveList(folder, [], data.contents, until)
    return { done: true, message: 'Database excluded' }
  }
  const snapshot = await session.snapshot()
  const { done, tables, rows } = await dumpTables(snapshot, folder, until)
  if (!done)
    return {
      done,
      share: tables.made / Math.max(1, tables.total),
      message: `Exporting the database: ${formatCount(rows)} rows`,
    }
  if (!(await pathExists(join(folder, LIST)))) {
    // The rest of the tick may be too short to write the list of a large site, which must be written in one step.
    await saveList(folder, await dumpedEntries(snapshot, folder), data.contents, AbortSignal.timeout(60_000))
  }
  return {
    done,
    message: 'Database exported',
    log: [
      {
        level: 'info',
        message: `Database exported: ${formatCount(tables.total)} tables with ${formatCount(rows)} rows.`,
      },
      ...snapshot.excluded.map(({ kind, name }) => ({
        level: 'warning' as const,
        message: `The ${kind} ${quoted(name)} was skipped: only ordinary tables are backed up.`,
      })),
    ],
  }
}

export async function files({ session, until }: StageTask): Promise<StageResult> {
  const { done, segments, files: count, bytes } = await session.writer().makeSegments(until)
  return {
    done,
    share: segments.made / Math.max(1, segments.total),
    message: `Archiving files: ${formatCount(count)} (${formatBytes(bytes)})`,
    processed: { files: count, bytes },
    ...(done && { log: await packingLog(session) }),
  }
}

async function packingLog(session: Session): Promise<Pick<LogEntry, 'level' | 'message'>[]> {
  const log: Pick<LogEntry, 'level' | 'message'>[] = [{ level: 'info', message: 'All files archived.' }]
  for await (const { name, message } of session.writer().warnings()) {
    log.push({ level: 'warning', message: `${quoted(name)}: ${message}` })
  }
  return log
}

/**
 * Assembles and verifies the archive and publishes it in the work folder. One process does all of it, since
 * verification would restart whenever another one took over.
 */
export async function finish(task: StageTask): Promise<StageResult> {
  const { host, jobId, data, session, until, hostVersion } = task
  const facts = {
    hostVersion,
    siteUrl: host.site.url,
    created: data.startedAt,
    title: data.title,
    contents: data.contents,
  }
  const path = archivePathOf(host.site.dir, jobId, data)
  const assemble = async (signal: AbortSignal) => {
    for (;;) {
      const result = await session
        .writer()
        .finish({ path, facts, signingKey: signingKeyOf(host.site) }, withTimeLimit(signal, 1000))
      if (result.done) return
      session.checked = result.checkedBytes
      signal.throwIfAborted()
    }
  }
  // A process that was paused and lost the job may have published it since; its parts are gone then.
  if (!(await readFinished(session.folder, path))) await session.work.run('finish', assemble, until)
  const finished = await readFinished(session.folder, path)
  if (!finished) {
    const total = (await readScan(session.folder))?.bytes ?? 0
    return {
      done: false,
      share: Math.min(1, session.checked / Math.max(1, total)),
      message: 'Assembling and verifying the archive',
      wait: !until.aborted,
    }
  }
  const { size, sha256 } = finished
  return {
    done: true,
    data: { ...data, archive: { size, sha256 } },
    message: 'Archive verified',
    log: [
      { level: 'info', message: `Archive verified: ${formatBytes(size)}, all checksums match. SHA-256: ${sha256}` },
    ],
  }
}

export async function upload(task: StageTask): Promise<StageResult> {
  const { host, locations, leftovers, jobId, data, session, until } = task
  const file = uploadedFileOf(task)
  await session.work.run(
    'upload',
    (signal) =>
      uploadArchive(
        { host, locations, leftovers },
        { folder: session.folder, location: data.location, file, failures: data.failures },
        {
          sent: (bytes) => {
            session.sent = bytes
          },
          fellBack(error) {
            host.log.warn({ job: jobId, err: error }, 'storage location failed, archive stored locally')
            return error instanceof RestError
              ? error.message
              : 'The upload to the storage location failed. See the server log for details.'
          },
        },
        signal,
      ),
    until,
  )
  const stored = await readStored(session.folder)
  if (!stored) {
    return {
      done: false,
      share: session.sent / Math.max(1, file.size),
      message: `Uploading the archive: ${formatBytes(session.sent)} of ${formatBytes(file.size)}`,
      wait: !until.aborted,
    }
  }
  const title = locations.find(stored.location)?.title ?? stored.location
  const fellBack = stored.location === data.location ? undefined : await readFallBack(session.folder)
  const place = locations.usesBucket ? 'in the bucket of the site' : 'on this server'
  host.log.info({ job: jobId, location: stored.location }, 'backup stored')
  return {
    done: true,
    message: 'Archive stored',
    log: [
      ...(fellBack === undefined
        ? []
        : [{ level: 'warning' as const, message: `${fellBack} The archive was stored ${place} instead.` }]),
      { level: 'info', message: `Archive stored: ${title}.` },
    ],
  }
}

/** The archive of the job as passed to locations. */
export function uploadedFileOf({ host, jobId, data }: Pick<StageTask, 'host' | 'jobId' | 'data'>) {
  const { size = 0, sha256 = '' } = data.archive ?? {}
  return { path: archivePathOf(host.site.dir, jobId, data), name: data.fileName, size, sha256 }
}

/** Total amount to back up, as far as it is known. */
export async function totalOf(folder: string): Promise<Amount> {
  const known = (await readListed(folder)) ?? (await readScan(folder))
  return known ? { files: known.files, bytes: known.bytes } : NO_FILES
}
