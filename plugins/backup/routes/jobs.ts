import { type AccessRequest, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { entrySchema } from '../job-log.ts'
import type { BackupParts } from '../parts.ts'
import type { Pipeline } from '../pipeline/index.ts'
import { backupIdSchema, jobIdSchema } from '../records.ts'
import { progressShape, type RestoreJobs } from '../types.ts'

/** Routes for progress, logs and cancellation of jobs. */
export function registerJobRoutes(parts: BackupParts, pipeline: Pipeline, restores: RestoreJobs): void {
  const { host, logs, records } = parts

  const tokenJob = async ({ headers }: Pick<AccessRequest, 'headers'>) => {
    const token = headers['x-restore-token']
    return typeof token === 'string' ? restores.jobOfToken(token) : undefined
  }

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/progress',
    // A restore replaces user accounts; its token then grants access to the progress of that job.
    access: async (request) => (await request.can('manage_options')) || (await tokenJob(request)) !== undefined,
    summary: 'Returns the progress of a backup or restore. Each request also advances the job.',
    input: z.object({ jobId: jobIdSchema }),
    response: successSchema(progressShape),
    async handler(request) {
      const { jobId } = request.input
      if (!(await request.can('manage_options')) && (await tokenJob(request)) !== jobId) throw jobNotFound()
      const progress = (await pipeline.progress(jobId)) ?? (await restores.progress(jobId))
      if (!progress) throw jobNotFound()
      return success(progress)
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/cancel',
    access: 'manage_options',
    summary: 'Cancels a backup, or a restore before it replaces the site, and removes its files.',
    input: z.object({ jobId: jobIdSchema }),
    response: successSchema(z.object({ jobId: z.string(), state: z.literal('cancelled') })),
    async handler({ input }) {
      if (!(await restores.cancel(input.jobId))) await pipeline.cancel(input.jobId)
      return success({ jobId: input.jobId, state: 'cancelled' as const })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/logs',
    access: 'manage_options',
    summary: 'Returns the log of a backup or restore.',
    input: z.object({ backupId: backupIdSchema.optional(), jobId: jobIdSchema.optional() }),
    response: successSchema(z.object({ entries: z.array(entrySchema) })),
    async handler({ input }) {
      const { jobId, backupId } = input
      const id = backupId ?? jobId
      if (id === undefined) {
        throw new RestError('rest_missing_callback_param', 'Missing parameter(s): backupId or jobId', {
          status: 400,
          params: ['backupId'],
        })
      }
      const entries = await logs.read(id)
      if (entries) return success({ entries })
      if (backupId !== undefined) {
        await records.get(backupId)
        return success({ entries: [] })
      }
      if (await host.jobs.get(id)) return success({ entries: [] })
      throw jobNotFound()
    },
  })
}

function jobNotFound(): RestError {
  return new RestError('job_not_found', 'The job does not exist.', { status: 404 })
}
