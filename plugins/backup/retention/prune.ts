import type { ExtensionHost } from 'pentad'
import { dispatchSafely } from '../dispatch-safely.ts'
import type { JobLogs } from '../job-log.ts'
import type { Locations } from '../locations/index.ts'
import type { Records } from '../records.ts'
import type { BackupRecord } from '../types.ts'
import { backupsToRemove } from './select.ts'

export interface Removal {
  readonly records: Records
  readonly locations: Locations
  readonly logs: JobLogs
  readonly host: Pick<ExtensionHost, 'hooks' | 'log'>
}

/**
 * Deletes a backup: first its archive, then its record, so that a failed deletion can be repeated.
 * @throws RestError 502 `backup_location_failed`; the record still exists then
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
 * Deletes backups beyond the retention limit.
 * @param keep - The `keepLatestBackupsCount` setting.
 * @returns log entries; a backup that cannot be deleted now is deleted the next time
 */
export async function pruneBackups(
  parts: Removal,
  { keep, justMade, needed }: { keep: unknown; justMade: string; needed?: string | undefined },
  signal: AbortSignal,
): Promise<{ readonly level: 'info' | 'warning'; readonly message: string }[]> {
  const entries: { level: 'info' | 'warning'; message: string }[] = []
  for (const record of backupsToRemove(await parts.records.list(), keep, { justMade, needed })) {
    try {
      await removeBackup(parts, record, signal)
      entries.push({ level: 'info', message: `Older backup “${record.title}” deleted.` })
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Error && 'data' in error ? error.message : 'Unexpected error.'
      entries.push({ level: 'warning', message: `Older backup “${record.title}” could not be deleted: ${reason}` })
    }
  }
  return entries
}
