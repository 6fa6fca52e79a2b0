import { RestError, type Undo } from 'pentad'
import { contentsWithout } from './categories.ts'
import type { BackupParts } from './parts.ts'
import type { Pipeline } from './pipeline/index.ts'
import type { BackupSettings } from './settings.ts'

/** When automatic backups are due, as a cron pattern in the site's time zone; `undefined` while they are off. */
export function automaticPattern(
  settings: Pick<BackupSettings, 'automaticBackups' | 'automaticBackupsFrequency' | 'automaticBackupsTime'>,
): string | undefined {
  if (settings.automaticBackups === 'off') return undefined
  const [hour, minute] = settings.automaticBackupsTime.split(':').map(Number)
  switch (settings.automaticBackupsFrequency) {
    case 'hourly':
      return `${minute} * * * *`
    case 'daily':
      return `${minute} ${hour} * * *`
    case 'weekly':
      return `${minute} ${hour} * * 1`
    case 'monthly':
      return `${minute} ${hour} 1 * *`
  }
}

/**
 * Backups by the schedule of the settings: weekly ones on Mondays, monthly ones on the first. After a time in which no
 * process ran there is one, however many were missed.
 */
export function scheduleBackups(parts: BackupParts, pipeline: Pipeline): void {
  const { host, settings } = parts
  let undo: Undo | undefined
  let registered: string | undefined

  function follow(): void {
    const pattern = automaticPattern(settings.get())
    if (pattern === registered) return
    undo?.()
    registered = pattern
    undo = pattern === undefined ? undefined : host.jobs.schedule('automatic', pattern, run)
  }

  async function run(): Promise<void> {
    // Another process may have stored a new time, of which only that one heard.
    const isDue = automaticPattern(settings.get()) === registered
    follow()
    if (!isDue) return
    const contents = contentsWithout(settings.get().automaticBackupsExclusions)
    try {
      await pipeline.start({ kind: 'automatic', contents, createdBy: null })
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'job_running')) throw error
      host.log.warn('an automatic backup was left out: another backup or restore is under way')
    }
  }

  follow()
  host.hooks.addAction('backup_settings_update:after', follow)
}
