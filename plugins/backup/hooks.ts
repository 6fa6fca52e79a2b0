import { type FilterShapes, type MailMessage, mailMessageShape, orNull } from 'pentad'
import type { BackupRecord } from './types.ts'

/** A backup job. */
export interface BackupJob {
  readonly jobId: string
  readonly title: string
  readonly kind: 'manual' | 'automatic'
  readonly location: string
}

/** How a backup ended, for the notification email. */
export interface BackupOutcome {
  readonly job: BackupJob
  /** `undefined` if it failed. */
  readonly record: BackupRecord | undefined
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly durationMs: number
  readonly warnings: readonly string[]
}

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires when a backup starts. Throwing a `RestError` fails the backup with its code and message.
     *
     * @param job - The backup job.
     * @since 0.1.0
     */
    backup_started: [job: BackupJob]

    /**
     * Fires when a backup is complete and listed.
     *
     * @param record - The backup.
     * @since 0.1.0
     */
    backup_completed: [record: BackupRecord]

    /**
     * Fires after a backup fails and its partial files are removed.
     *
     * @param job - The backup job.
     * @param error - Code and message, without secrets.
     * @since 0.1.0
     */
    backup_failed: [job: BackupJob, error: { readonly code: string; readonly message: string }]

    /**
     * Fires after a backup is canceled and its partial files are removed.
     *
     * @param job - The backup job.
     * @since 0.1.0
     */
    backup_cancelled: [job: BackupJob]

    /**
     * Fires after a backup and its archive are deleted, by a user or by the retention limit.
     *
     * @param record - The deleted backup.
     * @since 0.1.0
     */
    backup_removed: [record: BackupRecord]
  }

  interface Filters {
    /**
     * Filters whether a backup excludes a file or a folder with its contents. Called for each path that is not in an
     * excluded folder.
     *
     * @param exclude - Whether the path is excluded.
     * @param path - Path relative to the site folder, with `/` separators: `uploads/2026/map.png`.
     * @since 0.1.0
     */
    backup_exclude_path: [exclude: boolean, path: string]

    /**
     * Filters the file name of a backup's archive. A value is ignored if it is not a plain file name, lacks the archive's file name extension, or is already used by a different backup. Throwing a `RestError` rejects the backup.
     *
     * @param name - `example.org-2026-11-21-0300-<random part>.tar.gz`. The random part makes it unguessable.
     * @param job - The backup job, which has no ID yet.
     * @since 0.1.0
     */
    backup_file_name: [name: string, job: Omit<BackupJob, 'jobId'>]

    /**
     * Filters the notification email about a finished backup. Return `null` to send none.
     *
     * @param message - The email, or `null` if the settings disable it.
     * @param outcome - How the backup ended.
     * @since 0.1.0
     */
    backup_notification: [message: MailMessage | null, outcome: BackupOutcome]
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  backup_exclude_path: 'boolean',
  backup_file_name: 'string',
  backup_notification: orNull(mailMessageShape),
} satisfies FilterShapes
