import { RestError, type Undo } from 'pentad'
import { contentsWithout } from './categories.ts'
import type { BackupParts } from './parts.ts'
import type { Pipeline } from './pipeline/index.ts'
import type { BackupSettings } from './settings.ts'

/** Cron expression of automatic backups in the site's time zone; `undefined` if they are off. */
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
 * Schedules automatic backups: weekly ones on Mondays, monthly ones on the first. After a downtime, one backup runs,
 * however many were missed.
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
    // Another process may have changed the settings; its hooks do not fire in this process.
    const isDue = automaticPattern(settings.get()) === registered
    follow()
    if (!isDue) return
    const contents = contentsWithout(settings.get().automaticBackupsExclusions)
    try {
      await pipeline.start({ kind: 'automatic', contents, createdBy: null })
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'job_running')) throw error
      host.log.warn('automatic backup skipped, another backup or restore in progress')
    }
  }

  follow()
  host.hooks.addAction('backup_settings_update:after', follow)
}
