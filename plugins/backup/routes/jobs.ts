import { type AccessRequest, RestError, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { entrySchema } from '../job-log.ts'
import type { BackupParts } from '../parts.ts'
import type { Pipeline } from '../pipeline/index.ts'
import { idSchema } from '../records.ts'
import { progressShape, type RestoreJobs } from '../types.ts'

/** How jobs stand, their logs, and how one is stopped. */
export function registerJobRoutes(parts: BackupParts, pipeline: Pipeline, restores: RestoreJobs): void {
  const { host, logs, records } = parts

  const tokenJob = async ({ headers }: Pick<AccessRequest, 'headers'>) => {
    const token = headers['x-restore-token']
    return typeof token === 'string' ? restores.jobOfToken(token) : undefined
  }

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/progress',
    // While a site is restored its accounts are replaced; the token of a restore then opens the progress of that job.
    access: async (request) => (await request.can('manage_options')) || (await tokenJob(request)) !== undefined,
    summary: 'How far a backup or a restore is; asking advances it.',
    input: z.object({ jobId: idSchema }),
    answer: successAnswer(progressShape),
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
    summary: 'Stops a backup, or a restore before it replaces the site, and removes what it has made.',
    input: z.object({ jobId: idSchema }),
    answer: successAnswer(z.object({ jobId: z.string(), state: z.literal('cancelled') })),
    async handler({ input }) {
      if (!(await restores.cancel(input.jobId))) await pipeline.cancel(input.jobId)
      return success({ jobId: input.jobId, state: 'cancelled' as const })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/logs',
    access: 'manage_options',
    summary: 'What happened while a backup was made or restored.',
    input: z.object({ backupId: idSchema.optional(), jobId: idSchema.optional() }),
    answer: successAnswer(z.object({ entries: z.array(entrySchema) })),
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
  return new RestError('job_not_found', 'There is no such job.', { status: 404 })
}
