import { join } from 'node:path'
import { type DoctorCheck, doctor, type FindingAction } from 'pentad'
import { actionItems } from './action-items.ts'
import { createRecords } from './records.ts'
import { backupSettings } from './settings.ts'

const CHECK = 'backups'
const HOUR = 3_600_000

const scheduleSchema = backupSettings.pick({
  automaticBackups: true,
  automaticBackupsFrequency: true,
  automaticBackupsExclusions: true,
  defaultLocation: true,
})

/** Whether there are recent backups that survive a failure of the server. */
const checkBackups: DoctorCheck = async ({ config, options, texts }) => {
  const stored = scheduleSchema.safeParse(options.backup_settings ?? {})
  const settings = stored.data ?? scheduleSchema.parse({})
  const usesBucket = config.storageUrl !== undefined
  // Only dates and locations matter here, not who signed an archive.
  const records = await createRecords(join(config.siteDir, 'backups'), Buffer.alloc(0)).list()
  const items = actionItems({ texts, settings, records, usesBucket, lastFailure: null, now: Date.now() })
    // Off-site storage comes after the first backup.
    .filter(({ id }) => records.length > 0 || id !== 'elsewhere')
    // The list in the bucket may have more than the copy on this machine.
    .filter(({ id }) => !usesBucket || !['first-backup', 'old'].includes(id))
  const [newest] = records
  const hours = newest && Math.floor((Date.now() - Date.parse(newest.date)) / HOUR)
  return [
    ...items.map(({ id, description, title }) =>
      doctor.warning(CHECK, description, texts.__('%s in the admin under Backup.', title), actionOf(id)),
    ),
    ...(hours === undefined
      ? []
      : [doctor.ok(CHECK, texts._n('The newest backup is %s hour old.', 'The newest backup is %s hours old.', hours))]),
  ]
}

export const checks = [checkBackups]

function actionOf(id: string): FindingAction {
  if (id === 'automatic') {
    const data = { settings: { automaticBackups: 'on' } }
    return { label: 'Schedule backups', request: { method: 'PUT', path: 'backup/v1/settings', data } }
  }
  if (id === 'first-backup' || id === 'old') return { label: 'Open backups', screen: 'backup' }
  return { label: 'Backup settings', screen: 'backup/settings' }
}
