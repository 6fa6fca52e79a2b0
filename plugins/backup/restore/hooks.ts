import type { Category } from '../types.ts'

/** A restore that has begun. */
export interface RestoreJob {
  readonly jobId: string
  /** `null` for an archive that the command line was given. */
  readonly backupId: string | null
  /** What of the site it replaces. */
  readonly parts: readonly Category[]
}

declare module 'pentad' {
  interface AsyncActions {
    /**
     * A restore begins. The site is not touched yet; a `RestError` refuses the restore. Not heard of one of the command line, which opens no site.
     *
     * @param job - What is restored.
     * @since 0.1.0
     */
    restore_started: [job: RestoreJob]

    /**
     * A restore is complete. The site that hears of it is the restored one, about to be served.
     *
     * @param job - What was restored.
     * @since 0.1.0
     */
    restore_completed: [job: RestoreJob]

    /**
     * A restore failed; the site is as it was. Of one of the command line this is heard when the site is opened next.
     *
     * @param job - What should have been restored.
     * @param error - Code and message; no secret in them.
     * @since 0.1.0
     */
    restore_failed: [job: RestoreJob, error: { readonly code: string; readonly message: string }]
  }
}
