import { join } from 'node:path'
import { installCommand } from 'pentad'
import { type DoctorCheck, error, ok, warning } from 'pentad/cli'
import { actionItems } from '../action-items.ts'
import { PACKAGES } from '../locations/packages.ts'
import { createRecords } from '../records.ts'
import { backupSettings } from '../settings.ts'

const CHECK = 'backups'
const HOUR = 3_600_000

const scheduleSchema = backupSettings.pick({
  automaticBackups: true,
  automaticBackupsFrequency: true,
  automaticBackupsExclusions: true,
  defaultLocation: true,
})

/** Whether there are recent backups that survive a failure of the server. */
export const checkBackups: DoctorCheck = async ({ config, options }) => {
  const stored = scheduleSchema.safeParse(options.backup_settings ?? {})
  const settings = stored.data ?? scheduleSchema.parse({})
  // Only dates and locations matter here, not who signed an archive.
  const records = await createRecords(join(config.siteDir, 'backups'), Buffer.alloc(0)).list()
  const items = actionItems({ settings, records, lastFailure: null, now: Date.now() })
    // Off-site storage comes after the first backup.
    .filter(({ id }) => records.length > 0 || id !== 'elsewhere')
  const [newest] = records
  const hours = newest && Math.floor((Date.now() - Date.parse(newest.date)) / HOUR)
  const packages = Object.entries(PACKAGES).find(([location]) => location === settings.defaultLocation)?.[1] ?? []
  const install = installCommand(packages)
  return [
    ...(install
      ? [error(CHECK, 'Packages for the default backup location are not installed.', `Run: ${install}`)]
      : []),
    ...items.map(({ description, title }) => warning(CHECK, description, `${title}, in the admin under Backups.`)),
    ...(hours === undefined ? [] : [ok(CHECK, `The newest backup is ${hours} ${hours === 1 ? 'hour' : 'hours'} old.`)]),
  ]
}
