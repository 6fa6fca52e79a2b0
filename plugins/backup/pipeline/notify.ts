import type { MailMessage, PageTexts } from 'pentad'
import { namesOf } from '../categories.ts'
import { formatBytes } from '../format-units.ts'
import type { BackupOutcome } from '../hooks.ts'
import type { BackupSettings } from '../settings.ts'

/** Maximum warnings in the email; the log has all of them. */
const MOST_WARNINGS = 20

/**
 * The notification email for a finished backup, or `null` if the settings disable it.
 *
 * @param site - Title and public address of the site.
 * @param to - The recipient; empty for none.
 * @param texts - In the language of the recipient. Reasons and warnings are in English, as in the log.
 */
export function notificationOf(
  { record, job, error, durationMs, warnings }: BackupOutcome,
  { notifications }: Pick<BackupSettings, 'notifications'>,
  site: { readonly title: string; readonly url: string },
  { to, texts }: { readonly to: string; readonly texts: PageTexts },
): MailMessage | null {
  const { __, language } = texts
  // A backup that did not reach its off-site location does not protect against the loss of this server, so it counts as
  // a failure.
  const wentWell = record?.location === job.location
  if (to === '' || notifications === 'off' || (notifications === 'failure' && wentWell)) return null
  const lines = [
    record
      ? __('The backup “%1$s” of %2$s is complete.', job.title, site.url)
      : __('The backup “%1$s” of %2$s failed.', job.title, site.url),
    '',
    ...(error ? [__('Reason: %s', error.message)] : []),
    ...(record
      ? [
          __('Contents: %s', namesOf(record.contents, __)),
          __('Size: %s', formatBytes(record.size, language)),
          __('Location: %s', record.location),
          __('File: %s', record.fileName),
          `SHA-256: ${record.sha256}`,
        ]
      : []),
    __('Duration: %s', formatDuration(durationMs, texts)),
    ...(warnings.length > 0 ? ['', __('Warnings (%s):', warnings.length), ...warnings.slice(0, MOST_WARNINGS)] : []),
    ...(warnings.length > MOST_WARNINGS ? ['…'] : []),
  ]
  const subject = record ? __('Backup complete: %s', job.title) : __('Backup failed: %s', job.title)
  return { to, subject: `[${site.title}] ${subject}`, text: `${lines.join('\n')}\n` }
}

function formatDuration(milliseconds: number, { __ }: PageTexts): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? __('%s s', seconds) : __('%1$s min %2$s s', minutes, seconds % 60)
}
