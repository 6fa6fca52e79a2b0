import type { AnswerOf } from 'pentad'
import { z } from 'zod'

/** The five kinds of things that a backup holds (contract 3), in the order in which records name them. */
export const CATEGORIES = ['database', 'uploads', 'themes', 'extensions', 'others'] as const

export type Category = (typeof CATEGORIES)[number]

export const recordShape = z.object({
  id: z.string().describe('That of the job that made it; of an uploaded one, of its own. URL-safe.'),
  title: z.string(),
  contents: z.array(z.enum(CATEGORIES)),
  size: z.int().describe('Bytes of the archive.'),
  location: z.string().describe('Id of the location that holds the archive.'),
  date: z.iso.datetime(),
  kind: z.enum(['manual', 'automatic', 'uploaded']),
  sha256: z.string().describe('Of the archive, hexadecimal.'),
  fileName: z.string().describe('Name under which the location finds the archive, and as which it is downloaded.'),
  createdBy: z
    .int()
    .nullable()
    .describe(
      'Id of the user who began it; `null` for the schedule, and for an archive that was found without its record.',
    ),
  keepForever: z.boolean().describe('Retention passes it over.'),
  signed: z
    .boolean()
    .describe(
      'Whether the key of this site signed the archive; its code runs after a restore only then, or where it is trusted.',
    ),
})

/** A backup as the list shows it (contract 3), with `keepForever` and `signed` of our own. */
export type BackupRecord = AnswerOf<typeof recordShape>

const amountShape = z.object({ files: z.int(), bytes: z.int() })

export type Amount = AnswerOf<typeof amountShape>

export const progressShape = z.object({
  ...{ jobId: z.string(), kind: z.enum(['backup', 'restore']) },
  state: z.enum(['running', 'complete', 'cancelled', 'failed']),
  stage: z.string(),
  percent: z.number().describe('0 to 100, never goes back.'),
  ...{ processed: amountShape, total: amountShape },
  ...{ message: z.string(), warnings: z.array(z.string()) },
  backupId: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  ...{ startedAt: z.string(), updatedAt: z.string() },
})

/** How far a job has come, as `GET /backup/progress` answers it (contract 3). */
export type Progress = AnswerOf<typeof progressShape>

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
