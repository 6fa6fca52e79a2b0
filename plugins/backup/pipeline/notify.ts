import type { MailMessage } from 'pentad'
import { namesOf } from '../categories.ts'
import { formatBytes } from '../format-units.ts'
import type { BackupOutcome } from '../hooks.ts'
import type { BackupSettings } from '../settings.ts'

/** Maximum warnings in the email; the log has all of them. */
const MOST_WARNINGS = 20

/**
 * The notification email for a finished backup, or `null` if the settings disable it.
 *
 * @param site - Title of the site, address of its administrator, public address.
 */
export function notificationOf(
  { record, job, error, durationMs, warnings }: BackupOutcome,
  settings: Pick<BackupSettings, 'notifications' | 'notificationEmail'>,
  site: { readonly title: string; readonly adminEmail: string; readonly url: string },
): MailMessage | null {
  const to = settings.notificationEmail || site.adminEmail
  // A backup that did not reach its off-site location does not protect against the loss of this server, so it counts as
  // a failure.
  const wentWell = record?.location === job.location
  if (to === '' || settings.notifications === 'off' || (settings.notifications === 'failure' && wentWell)) return null
  const lines = [
    record
      ? `The backup “${job.title}” of ${site.url} is complete.`
      : `The backup “${job.title}” of ${site.url} failed.`,
    '',
    ...(error ? [`Reason: ${error.message}`] : []),
    ...(record
      ? [
          `Contents: ${namesOf(record.contents)}`,
          `Size: ${formatBytes(record.size)}`,
          `Location: ${record.location}`,
          `File: ${record.fileName}`,
          `SHA-256: ${record.sha256}`,
        ]
      : []),
    `Duration: ${formatDuration(durationMs)}`,
    ...(warnings.length > 0 ? ['', `Warnings (${warnings.length}):`, ...warnings.slice(0, MOST_WARNINGS)] : []),
    ...(warnings.length > MOST_WARNINGS ? ['…'] : []),
  ]
  const subject = `[${site.title}] Backup ${record ? 'complete' : 'failed'}: ${job.title}`
  return { to, subject, text: `${lines.join('\n')}\n` }
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
}
