import type { ExtensionHost } from 'pentad'
import { dispatchSafely } from '../dispatch-safely.ts'
import type { JobLogs } from '../job-log.ts'
import type { Locations } from '../locations/index.ts'
import type { Records } from '../records.ts'
import { backupsToRemove } from '../retention.ts'
import type { BackupRecord } from '../types.ts'

export interface Removal {
  readonly records: Records
  readonly locations: Locations
  readonly logs: JobLogs
  readonly host: Pick<ExtensionHost, 'hooks' | 'log'>
}

/**
 * Removes a backup: its archive wherever it lies, then its record, so that a failure leaves what can be removed again.
 * @throws RestError 502 `backup_location_failed`; the record is still there then
 */
export async function removeBackup(
  { records, locations, logs, host }: Removal,
  record: BackupRecord,
  signal: AbortSignal,
): Promise<void> {
  const location = await locations.open(record.location)
  try {
    await location.remove(record.fileName, signal)
  } finally {
    await location.close()
  }
  await records.remove(record.id)
  await logs.remove(record.id)
  await dispatchSafely(host.log, () => host.hooks.doActionAsync('backup_removed', record))
}

/**
 * Removes the backups that newer ones have taken the place of.
 * @param keep - The setting `keepLatestBackupsCount`.
 * @returns what is to be said about it, a line for each; a backup that cannot be removed now goes the next time
 */
export async function pruneBackups(
  parts: Removal,
  { keep, justMade }: { keep: unknown; justMade: string },
  signal: AbortSignal,
): Promise<{ readonly level: 'info' | 'warning'; readonly message: string }[]> {
  const told: { level: 'info' | 'warning'; message: string }[] = []
  for (const record of backupsToRemove(await parts.records.list(), keep, justMade)) {
    try {
      await removeBackup(parts, record, signal)
      told.push({ level: 'info', message: `The older backup “${record.title}” was removed.` })
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Error && 'data' in error ? error.message : 'It cannot be removed now.'
      told.push({ level: 'warning', message: `The older backup “${record.title}” stays: ${reason}` })
    }
  }
  return told
}
