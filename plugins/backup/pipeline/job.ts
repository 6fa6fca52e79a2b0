import { join } from 'node:path'
import { z } from 'zod'
import { storedCategory } from '../categories.ts'
import type { BackupJob } from '../hooks.ts'

export const STAGES = ['prepare', 'database', 'files', 'finish', 'upload', 'cleanup'] as const

/** State of a backup between ticks; everything else is in its work folder. */
export const jobSchema = z.object({
  title: z.string(),
  kind: z.enum(['manual', 'automatic']),
  contents: z.array(storedCategory),
  location: z.string(),
  createdBy: z.int().nullable(),
  /** Id of the backup that the site will be restored from, which retention does not delete this time. */
  neededBackup: z.string().optional(),
  fileName: z.string(),
  /** The node whose files it works with. Empty in jobs of earlier versions. */
  node: z.string().default(''),
  compression: z.enum(['gzip', 'zstd']),
  excludePatterns: z.array(z.string()),
  startedAt: z.string(),
  stage: z.enum(STAGES),
  /** Consecutive failed attempts. */
  failures: z.number(),
  /** The archive, once it is complete. */
  archive: z.object({ size: z.number(), sha256: z.string() }).optional(),
  /** The final error; only cleanup is left. */
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type JobData = z.output<typeof jobSchema>
export type Stage = JobData['stage']
export type Failure = NonNullable<JobData['failure']>

/** The job's work folder, removed when it ends. */
export function workFolderOf(siteDir: string, jobId: string): string {
  return join(siteDir, 'tmp', `backup-${jobId}`)
}

/** Path of the finished archive before it is uploaded. */
export function archivePathOf(siteDir: string, jobId: string, { fileName }: Pick<JobData, 'fileName'>): string {
  return join(workFolderOf(siteDir, jobId), 'archive', fileName)
}

/** The job as passed to hooks. */
export function publicJob(jobId: string, { title, kind, location }: JobData): BackupJob {
  return { jobId, title, kind, location }
}
