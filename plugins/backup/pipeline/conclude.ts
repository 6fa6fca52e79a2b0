import { rm } from 'node:fs/promises'
import { dispatchSafely } from '../dispatch-safely.ts'
import type { JobState, Outcome } from '../job-states.ts'
import type { BackupParts } from '../parts.ts'
import { pruneBackups } from '../retention/prune.ts'
import type { BackupRecord } from '../types.ts'
import { type JobData, publicJob, workFolderOf } from './job.ts'
import { notificationOf } from './notify.ts'
import type { Session } from './session.ts'
import { uploadedFileOf } from './stages.ts'
import { leftoverOf, readStored } from './upload.ts'

export interface Ending {
  readonly jobId: string
  readonly data: JobData
  readonly session: Session
}

/** Lists a finished backup, prunes older ones and notifies. Idempotent: after a crash it only does what is left. */
export async function completeBackup(
  parts: BackupParts,
  { jobId, data, session }: Ending,
  signal: AbortSignal,
): Promise<void> {
  const { host, records, logs, settings } = parts
  const stored = await readStored(session.folder)
  const listed = await records.find(jobId)
  // A paused node may have listed the archive that this one has replaced. Users may have changed the rest of the record.
  const { title = data.title, keepForever = false } = listed ?? {}
  const record = stored ? { ...recordOf(jobId, data, stored), title, keepForever } : listed
  if (!record) throw new Error('The archive of a finished backup no longer exists.')
  await records.put(record)
  const { keepLatestBackupsCount: keep } = settings.get()
  const entries = await pruneBackups(parts, { keep, justMade: jobId, needed: data.neededBackup }, signal)
  await logs.add(
    jobId,
    [...entries, { level: 'info' as const, message: 'Backup complete.' }].map((entry) => ({
      ...entry,
      stage: 'cleanup',
    })),
  )
  await clearWork(parts, { jobId, session })
  if (await parts.states.once(jobId, 'told')) {
    await dispatchSafely(host.log, () => host.hooks.doActionAsync('backup_completed', record))
  }
  await notify(parts, { jobId, data }, { record, error: undefined })
}

/** Cleans up after a failed backup and notifies. */
export async function failBackup(
  parts: BackupParts,
  { jobId, data, session }: Ending,
  error: NonNullable<Outcome['error']>,
): Promise<void> {
  const { host, logs, states } = parts
  await clearWork(parts, { jobId, session })
  if ((await states.outcome(jobId))?.state === 'complete') await states.fail(jobId, error)
  await logs.add(jobId, [{ level: 'error', stage: data.stage, message: error.message }])
  if (await states.once(jobId, 'told')) {
    await dispatchSafely(host.log, () => host.hooks.doActionAsync('backup_failed', publicJob(jobId, data), error))
  }
  await notify(parts, { jobId, data }, { record: undefined, error })
}

/** Cleans up after a canceled backup, which sends no email. */
export async function cancelBackup(parts: BackupParts, { jobId, data, session }: Ending): Promise<void> {
  const { host, logs, states } = parts
  await discardUpload(parts, { jobId, data, session })
  await clearWork(parts, { jobId, session })
  if (!(await states.once(jobId, 'told'))) return
  await logs.add(jobId, [{ level: 'info', stage: data.stage, message: 'Backup canceled.' }])
  await dispatchSafely(host.log, () => host.hooks.doActionAsync('backup_cancelled', publicJob(jobId, data)))
}

function recordOf(jobId: string, data: JobData, stored: { location: string; name: string }): BackupRecord {
  const { title, contents, startedAt: date, kind, createdBy } = data
  const { size = 0, sha256 = '' } = data.archive ?? {}
  const { location, name: fileName } = stored
  return {
    ...{ id: jobId, title, contents, size, location, date, kind, sha256, fileName, createdBy },
    beforeRestore: data.neededBackup !== undefined,
    keepForever: false,
    signed: true,
  }
}

/**
 * Removes what an upload left at its location.
 * @param isStored - Whether the archive is there also if this node knows of no upload: the node that stored it has stopped.
 */
export async function discardUpload(
  { host, leftovers }: BackupParts,
  { jobId, data, session }: Ending,
  isStored = false,
): Promise<void> {
  const file = uploadedFileOf({ host, jobId, data })
  const known = await leftoverOf({ folder: session.folder, file, vault: host.vault })
  const stored = isStored && data.archive ? { location: data.location, name: data.fileName, file } : undefined
  const leftover = known ?? stored
  if (leftover) await leftovers.remove(leftover, new AbortController().signal)
}

async function clearWork({ host }: BackupParts, { jobId, session }: Pick<Ending, 'jobId' | 'session'>): Promise<void> {
  await session.close(new Error('The job has ended.'))
  await session.snapshots.drop()
  await rm(workFolderOf(host.site.dir, jobId), { recursive: true, force: true })
}

/** Sends the notification email, at most once across crashes. Failures are logged. */
async function notify(
  { host, settings, states }: BackupParts,
  { jobId, data }: Pick<Ending, 'jobId' | 'data'>,
  { record, error }: { record: BackupRecord | undefined; error: NonNullable<Outcome['error']> | undefined },
): Promise<void> {
  if (!(await states.once(jobId, 'notified'))) return
  const state: JobState | undefined = await states.read(jobId)
  const outcome = {
    job: publicJob(jobId, data),
    ...{ record, error },
    durationMs: Date.now() - Date.parse(data.startedAt),
    warnings: state?.warnings ?? [],
  }
  const { title, adminEmail } = host.content.siteSettings()
  const to = settings.get().notificationEmail || adminEmail
  const texts = await host.textsFor(await host.auth.users.getByEmail(to))
  const message = notificationOf(outcome, settings.get(), { title, url: host.site.url }, { to, texts })
  let filtered = message
  await dispatchSafely(host.log, async () => {
    filtered = host.hooks.applyFilters('backup_notification', message, outcome)
  })
  if (filtered) {
    await host.mail.send(filtered, { language: texts.language }).catch((failure) => {
      host.log.error({ job: jobId, err: failure }, 'backup notification email failed')
    })
  }
}
