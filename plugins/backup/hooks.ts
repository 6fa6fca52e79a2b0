import { type FilterShapes, type MailMessage, mailMessageShape, orNull } from 'pentad'
import type { BackupRecord } from './types.ts'

/** A backup that has begun. */
export interface BackupJob {
  readonly jobId: string
  readonly title: string
  readonly kind: 'manual' | 'automatic'
  readonly location: string
}

/** How a backup ended, for the mail about it. */
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
     * A backup has begun. A `RestError` ends it as failed, with its code and message.
     *
     * @param job - What is made.
     * @since 0.1.0
     */
    backup_started: [job: BackupJob]

    /**
     * A backup is complete and in the list.
     *
     * @param record - The backup.
     * @since 0.1.0
     */
    backup_completed: [record: BackupRecord]

    /**
     * A backup failed for good; what it had made is removed.
     *
     * @param job - What should have been made.
     * @param error - Code and message; no secret in them.
     * @since 0.1.0
     */
    backup_failed: [job: BackupJob, error: { readonly code: string; readonly message: string }]

    /**
     * A backup was cancelled; what it had made is removed.
     *
     * @param job - What should have been made.
     * @since 0.1.0
     */
    backup_cancelled: [job: BackupJob]

    /**
     * A backup was removed, with its archive: by somebody, or because newer ones took its place.
     *
     * @param record - What it was.
     * @since 0.1.0
     */
    backup_removed: [record: BackupRecord]
  }

  interface Filters {
    /**
     * Filters whether a file or a folder, with all that is in it, is left out of a backup. Asked for each one that is
     * not left out already.
     *
     * @param exclude - Whether it is left out.
     * @param path - Below the site folder, `/` between its parts: `uploads/2026/map.png`.
     * @since 0.1.0
     */
    backup_exclude_path: [exclude: boolean, path: string]

    /**
     * Filters the name of the archive that a backup makes. One that is no plain file name, has lost its ending or
     * is that of another backup is passed over. A `RestError` refuses the backup.
     *
     * @param name - `example.org-2026-11-21-0300-<random part>.tar.gz`. The random part keeps it from being guessed.
     * @param job - What is made; it has no id yet.
     * @since 0.1.0
     */
    backup_file_name: [name: string, job: Omit<BackupJob, 'jobId'>]

    /**
     * Filters the mail about a backup that has ended; `null` sends none.
     *
     * @param message - The mail, or `null` where the settings want none.
     * @param outcome - What it tells about.
     * @since 0.1.0
     */
    backup_notification: [message: MailMessage | null, outcome: BackupOutcome]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  backup_exclude_path: 'boolean',
  backup_file_name: 'string',
  backup_notification: orNull(mailMessageShape),
} satisfies FilterShapes
