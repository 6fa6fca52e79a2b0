/** The five kinds of things that a backup holds (contract 3). */
export type Category = 'database' | 'uploads' | 'themes' | 'extensions' | 'others'

/** A backup as the list shows it (contract 3), with `keepForever` and `signed` of our own. */
export interface BackupRecord {
  /** That of the job that made it; of an uploaded one, of its own. URL-safe. */
  readonly id: string
  readonly title: string
  readonly contents: readonly Category[]
  /** Bytes of the archive. */
  readonly size: number
  /** Id of the location that holds the archive. */
  readonly location: string
  /** ISO 8601, UTC. */
  readonly date: string
  readonly kind: 'manual' | 'automatic' | 'uploaded'
  /** Of the archive, hexadecimal. */
  readonly sha256: string
  /** Name under which the location finds the archive, and as which it is downloaded. */
  readonly fileName: string
  /** Id of the user who began it; `null` for the schedule, and for an archive that was found without its record. */
  readonly createdBy: number | null
  /** Retention passes it over. */
  readonly keepForever: boolean
  /** Whether the key of this site signed the archive; its code runs after a restore only then, or where it is trusted. */
  readonly signed: boolean
}

export interface Amount {
  readonly files: number
  readonly bytes: number
}

/** How far a job has come, as `GET /backup/progress` answers it (contract 3). */
export interface Progress {
  readonly jobId: string
  readonly kind: 'backup' | 'restore'
  readonly state: 'running' | 'complete' | 'cancelled' | 'failed'
  readonly stage: string
  /** 0 to 100, never goes back. */
  readonly percent: number
  readonly processed: Amount
  readonly total: Amount
  readonly message: string
  readonly warnings: readonly string[]
  readonly backupId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly startedAt: string
  readonly updatedAt: string
}

/** What the routes and the making of backups need to know of restores; `restore/` provides it. */
export interface RestoreJobs {
  /** Advances the job and says where it stands; `undefined` if it is no restore. */
  progress(jobId: string): Promise<Progress | undefined>
  /**
   * Cancels a restore: the site stays as it is.
   * @returns `false` if it is no restore
   * @throws RestError 409 `job_not_running`, also where the site is being replaced already
   */
  cancel(jobId: string): Promise<boolean>
  /** Id of the restore under way: nothing else begins meanwhile. */
  running(): Promise<string | undefined>
  /** Id of the restore under way if it reads this backup. */
  restoring(backupId: string): Promise<string | undefined>
  /** Forgets restores that ended a while ago. */
  sweep(): Promise<void>
  /** Id of the job that a progress token opens, as it came in `X-Restore-Token`. */
  jobOfToken(token: string): Promise<string | undefined>
}

/** How the segments of an archive are compressed. */
export type Compression = 'gzip' | 'zstd'

/** One thing that goes into an archive, as the scan of the site found it. */
export interface SourceEntry {
  /** Name in the archive, `/` between its parts: `files/uploads/2026/01/map.png`. */
  readonly name: string
  /** Absolute path to read. */
  readonly path: string
  readonly category: Category
  readonly type: 'file' | 'directory' | 'symlink'
  /** Bytes, as the scan saw them; 0 for what is no file. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly mtimeMs: number
  /** Where a link points, as it stands in the link. */
  readonly linkTarget?: string | undefined
}

/** Something odd that did not stop the job. */
export interface Warning {
  readonly name: string
  readonly message: string
}

/**
 * Where archives are kept. What goes wrong there is a `RestError` with code `backup_location_failed`, status 502 and a
 * message for people that holds no secret; `data.temporary` says whether a later try may succeed. An abort rejects with
 * the signal's reason.
 */
export interface BackupLocation {
  /** `s3` */
  readonly id: string
  readonly title: string
  /** Tries to write, read and remove a small file. */
  test(signal: AbortSignal): Promise<void>
  /**
   * Sends an archive. What has to survive a crash is given to `keep` as it changes and comes back in `state`; then the
   * upload goes on where it was. Resolves to the name under which it can be found again.
   */
  upload(file: UploadedFile, progress: UploadProgress): Promise<string>
  /** Takes away what an upload that will not go on has left there; `state` as `keep` got it last. Harmless if nothing is. */
  discard(file: UploadedFile, state: unknown, signal: AbortSignal): Promise<void>
  /** The bytes of an archive, or of a part of it. `end` is inclusive. */
  download(
    name: string,
    range: { start: number; end: number } | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer>>
  /** Removes an archive; harmless if it is gone. */
  remove(name: string, signal: AbortSignal): Promise<void>
  /** Whole archives only, nothing half sent. Sizes in bytes. */
  list(signal: AbortSignal): Promise<readonly StoredArchive[]>
  close(): Promise<void>
}

export interface StoredArchive {
  readonly name: string
  readonly size: number
}

/** A location as the filter `backup_locations` gives it. */
export interface LocationDefinition {
  /** `s3`; what `POST /backup/create` takes as `location`. */
  readonly id: string
  readonly title: string
  /** Keys of `backup_settings` that it reads, in the order of its form. An extension has settings of its own. */
  readonly settings?: readonly string[]
  /** Whether the owner has entered all that it needs. */
  isConfigured(): boolean
  /** Loads what it needs. Called only when the location is used; the caller closes it. */
  open(): Promise<BackupLocation>
}

export interface UploadedFile {
  readonly path: string
  /** File name at the location: `example.org-2026-11-21-0300-x7f….tar.gz`. */
  readonly name: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface UploadProgress {
  /** As `keep` got it last; `undefined` at the first try. JSON; may hold a secret, so no log and no answer shows it. */
  readonly state: unknown
  /** Resolves when the state is stored. */
  keep(state: unknown): Promise<void>
  /** Bytes that have arrived; goes back where an upload begins anew. */
  sent(bytes: number): void
  readonly signal: AbortSignal
}
