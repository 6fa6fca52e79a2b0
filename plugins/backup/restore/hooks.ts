import type { Category } from '../types.ts'

/** A restore job. */
export interface RestoreJob {
  readonly jobId: string
  /** `null` for an archive restored from the command line. */
  readonly backupId: string | null
  /** The categories to restore. */
  readonly parts: readonly Category[]
}

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires when a restore starts, before the site is changed. Throwing a `RestError` rejects it. Does not fire for
     * restores from the command line, which do not start the site.
     *
     * @param job - The restore job.
     * @since 0.1.0
     */
    restore_started: [job: RestoreJob]

    /**
     * Fires on the restored site when a restore is complete, before the site is served.
     *
     * @param job - The restore job.
     * @since 0.1.0
     */
    restore_completed: [job: RestoreJob]

    /**
     * Fires after a restore fails; the site is unchanged. For restores from the command line, it fires the next time
     * the site starts.
     *
     * @param job - The restore job.
     * @param error - Code and message, without secrets.
     * @since 0.1.0
     */
    restore_failed: [job: RestoreJob, error: { readonly code: string; readonly message: string }]
  }
}
