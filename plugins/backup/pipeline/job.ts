import { join } from 'node:path'
import { z } from 'zod'
import { storedCategory } from '../categories.ts'
import type { BackupJob } from '../hooks.ts'

export const STAGES = ['prepare', 'database', 'files', 'finish', 'upload', 'cleanup'] as const

/** What a backup keeps between its ticks; all else is in its work folder. */
export const jobSchema = z.object({
  title: z.string(),
  kind: z.enum(['manual', 'automatic']),
  contents: z.array(storedCategory),
  location: z.string(),
  createdBy: z.int().nullable(),
  fileName: z.string(),
  compression: z.enum(['gzip', 'zstd']),
  excludePatterns: z.array(z.string()),
  startedAt: z.string(),
  stage: z.enum(STAGES),
  /** Failed tries in a row. */
  failures: z.number(),
  /** The archive, once it is made. */
  archive: z.object({ size: z.number(), sha256: z.string() }).optional(),
  /** Why it failed for good; only the clearing up is left. */
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type JobData = z.output<typeof jobSchema>
export type Stage = JobData['stage']
export type Failure = NonNullable<JobData['failure']>

/** Where a job works; gone when it has ended. */
export function workFolderOf(siteDir: string, jobId: string): string {
  return join(siteDir, 'tmp', `backup-${jobId}`)
}

/** The finished archive before it is at its location. */
export function archivePathOf(siteDir: string, jobId: string, { fileName }: Pick<JobData, 'fileName'>): string {
  return join(workFolderOf(siteDir, jobId), 'archive', fileName)
}

/** The job as hooks see it. */
export function publicJob(jobId: string, { title, kind, location }: JobData): BackupJob {
  return { jobId, title, kind, location }
}
