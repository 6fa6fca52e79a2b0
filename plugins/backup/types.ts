import type { ResponseOf } from 'pentad'
import { z } from 'zod'

/** The five categories of a backup, in canonical order. */
export const CATEGORIES = ['database', 'uploads', 'themes', 'extensions', 'others'] as const

export type Category = (typeof CATEGORIES)[number]

export const recordShape = z.object({
  id: z.string().describe('URL-safe ID of the backup: that of its job, or a separate one for an uploaded archive.'),
  title: z.string(),
  contents: z.array(z.enum(CATEGORIES)),
  size: z.int().describe('Size of the archive, in bytes.'),
  location: z.string().describe('ID of the location where the archive is stored.'),
  date: z.iso.datetime(),
  kind: z.enum(['manual', 'automatic', 'uploaded']),
  beforeRestore: z
    .boolean()
    .describe('Whether the backup was created manually right before a restore, so that the restore can be undone.'),
  sha256: z.string().describe('SHA-256 checksum of the archive, hexadecimal.'),
  fileName: z.string().describe('File name at the location and for downloads.'),
  createdBy: z
    .int()
    .nullable()
    .describe('ID of the user who started it; `null` for scheduled backups and for archives found without a record.'),
  keepForever: z.boolean().describe('Whether the backup is exempt from the retention limit.'),
  signed: z
    .boolean()
    .describe(
      'Whether this site signed the archive. After a restore, its code only runs if it is signed or explicitly trusted.',
    ),
})

/** A backup in the list. */
export type BackupRecord = ResponseOf<typeof recordShape>

const amountShape = z.object({ files: z.int(), bytes: z.int() })

export type Amount = ResponseOf<typeof amountShape>

export const progressShape = z.object({
  ...{ jobId: z.string(), kind: z.enum(['backup', 'restore']) },
  state: z.enum(['running', 'complete', 'cancelled', 'failed']),
  stage: z.string(),
  percent: z.number().describe('0 to 100, never decreases.'),
  ...{ processed: amountShape, total: amountShape },
  ...{ message: z.string(), warnings: z.array(z.string()) },
  backupId: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  ...{ startedAt: z.string(), updatedAt: z.string() },
})

/** Progress of a job, as returned by `GET /backup/progress`. */
export type Progress = ResponseOf<typeof progressShape>

/** What routes and pipeline need to know about restores; implemented in `restore/`. */
export interface RestoreJobs {
  /** Advances the job and returns its progress; `undefined` if it is not a restore. */
  progress(jobId: string): Promise<Progress | undefined>
  /**
   * Cancels a restore: the site stays as it is.
   * @returns `false` if it is not a restore
   * @throws RestError 409 `job_not_running`, even if the site is already being replaced
   */
  cancel(jobId: string): Promise<boolean>
  /** Id of the running restore. No other job can start meanwhile. */
  running(): Promise<string | undefined>
  /** Id of the running restore if it reads this backup. */
  restoring(backupId: string): Promise<string | undefined>
  /** Removes old restores. */
  sweep(): Promise<void>
  /** Id of the job for a progress token from the `X-Restore-Token` header. */
  jobOfToken(token: string): Promise<string | undefined>
}

/** How the segments of an archive are compressed. */
export type Compression = 'gzip' | 'zstd'

/** An entry to archive, as found by the scan. */
export interface SourceEntry {
  /** Path in the archive, with `/` separators: `files/uploads/2026/01/map.png`. */
  readonly name: string
  /** Absolute path to read. */
  readonly path: string
  readonly category: Category
  readonly type: 'file' | 'directory' | 'symlink'
  /** Size in bytes at the time of the scan; 0 for anything but files. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Modification time in ms since 1970. */
  readonly mtimeMs: number
  /** Target of a link, unresolved. */
  readonly linkTarget?: string | undefined
}

/** A problem that did not stop the job. */
export interface Warning {
  readonly name: string
  readonly message: string
}

/**
 * A storage location for archives. Errors are `RestError`s with code `backup_location_failed`, status 502 and a
 * user-facing message without secrets; `data.temporary` tells whether a retry may succeed. An abort rejects with the
 * signal's reason.
 */
export interface BackupLocation {
  /** `s3` */
  readonly id: string
  readonly title: string
  /** Tests the location by writing, reading and deleting a small file. */
  test(signal: AbortSignal): Promise<void>
  /**
   * Uploads an archive. State that must survive a crash is passed to `keep` and comes back in `state`, so that the
   * upload can resume. Resolves to the name of the stored archive.
   */
  upload(file: UploadedFile, progress: UploadProgress): Promise<string>
  /**
   * Removes the leftovers of an abandoned upload. `state` is the last one passed to `keep`. Harmless if there are none.
   */
  discard(file: UploadedFile, state: unknown, signal: AbortSignal): Promise<void>
  /** Downloads an archive or a range of it. `end` is inclusive. */
  download(
    name: string,
    range: { start: number; end: number } | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer>>
  /** Deletes an archive; harmless if it does not exist. */
  remove(name: string, signal: AbortSignal): Promise<void>
  /** Lists complete archives, without partial uploads. Sizes in bytes. */
  list(signal: AbortSignal): Promise<readonly StoredArchive[]>
  close(): Promise<void>
}

export interface StoredArchive {
  readonly name: string
  readonly size: number
}

/** A location as registered with the `backup_locations` filter. */
export interface LocationDefinition {
  /** `s3`; what `POST /backup/create` takes as `location`. */
  readonly id: string
  readonly title: string
  /** Keys of `backup_settings` that it uses, in the order of its form. Extensions have their own settings. */
  readonly settings?: readonly string[]
  /** Whether all required settings are entered. */
  isConfigured(): boolean
  /** Opens the location. Called only when it is used; the caller closes it. */
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
  /**
   * The last state passed to `keep`; `undefined` on the first attempt. JSON. May contain secrets, so it is never logged
   * or sent.
   */
  readonly state: unknown
  /** Saves state; resolves when it is stored. */
  keep(state: unknown): Promise<void>
  /** Reports the bytes uploaded so far; decreases if an upload restarts. */
  sent(bytes: number): void
  readonly signal: AbortSignal
}
