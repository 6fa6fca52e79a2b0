import { pageAnswer, paginated, paginationSchema, RestError, RestResponse, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { categoriesSchema, contentsWithout } from '../categories.ts'
import { locationError } from '../locations/failure.ts'
import { unknownLocation } from '../locations/index.ts'
import type { BackupParts } from '../parts.ts'
import type { Pipeline } from '../pipeline/index.ts'
import { removeBackup } from '../pipeline/prune.ts'
import { idSchema } from '../records.ts'
import { type RestoreJobs, recordShape } from '../types.ts'
import { verifiedShape, verifyBackup } from '../verify.ts'

const access = 'manage_options'
/** Milliseconds that a location gets to show that it works. */
const TEST = 60_000
const title = z.string().trim().max(200)

/** The list of backups and what is done to one of them. */
export function registerBackupRoutes(parts: BackupParts, pipeline: Pipeline, restores: RestoreJobs): void {
  const { host, records, locations } = parts

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/fetch',
    access,
    summary: 'The backups, the newest first.',
    input: paginationSchema.extend({
      kind: z.enum(['manual', 'automatic', 'uploaded']).optional(),
      location: z.string().max(64).optional(),
      backupId: idSchema.optional().describe('Only this one.'),
      search: z.string().trim().max(200).default('').describe('Only those whose title contains this.'),
    }),
    answer: pageAnswer(recordShape),
    async handler({ input }) {
      const { kind, location, backupId, page, perPage } = input
      const search = input.search.toLowerCase()
      if (location !== undefined && !locations.find(location)) throw unknownLocation()
      const all = await records.list()
      const wanted = all.filter(
        (record) =>
          (!kind || record.kind === kind) &&
          (!location || record.location === location) &&
          (!backupId || record.id === backupId) &&
          record.title.toLowerCase().includes(search),
      )
      return paginated(wanted.slice((page - 1) * perPage, page * perPage), wanted.length, input)
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/create',
    access,
    summary: 'Begins a backup of all that is not excluded.',
    input: z.object({
      title: title.optional(),
      exclusions: categoriesSchema.default([]).describe('Categories to leave out.'),
      location: z.string().max(64).optional().describe('Where the archive is kept; default: as the settings say.'),
    }),
    answer: successAnswer(z.object({ jobId: z.string() })),
    async handler({ input, user }) {
      const { id } = await pipeline.start({
        ...{ title: input.title, location: input.location, contents: contentsWithout(input.exclusions) },
        ...{ kind: 'manual', createdBy: user?.id ?? null },
      })
      return new RestResponse(success({ jobId: id }, 'The backup has begun.'), { status: 202 })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'DELETE',
    path: '/backup/remove',
    access,
    // As long as it takes; archives are large, and locations have limits of their own.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Removes a backup and its archive, wherever it lies.',
    input: z.object({ backupId: idSchema }),
    answer: successAnswer(z.object({ backupId: z.string() })),
    async handler({ input, signal }) {
      const record = await records.get(input.backupId)
      const jobId = await restores.restoring(record.id)
      if (jobId !== undefined) {
        throw new RestError('job_running', 'The site is being restored from this backup.', { status: 409, jobId })
      }
      await removeBackup(parts, record, signal)
      return success({ backupId: record.id })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/update',
    access,
    summary: 'Changes the title of a backup, or whether it is kept for ever.',
    input: z.object({ backupId: idSchema, title: title.min(1).optional(), keepForever: z.boolean().optional() }),
    answer: successAnswer(recordShape),
    async handler({ input }) {
      const record = await records.get(input.backupId)
      const { title: newTitle = record.title, keepForever = record.keepForever } = input
      const changed = { ...record, title: newTitle, keepForever }
      await records.put(changed)
      return success(changed)
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/test',
    access,
    summary: 'Tries whether backups can be kept at a location: writes, reads and removes a small file there.',
    input: z.object({ location: z.string().max(64) }),
    answer: successAnswer(z.object({ location: z.string() })),
    async handler({ input, signal }) {
      if (!locations.find(input.location)) throw unknownLocation()
      const location = await locations.open(input.location)
      try {
        await location.test(AbortSignal.any([signal, AbortSignal.timeout(TEST)]))
      } catch (error) {
        // The time-out; on the caller's leaving nobody hears it.
        if (error instanceof RestError) throw error
        throw locationError(location.title, { reason: 'The server does not answer.', temporary: true })
      } finally {
        await location.close()
      }
      return success({ location: input.location })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/verify',
    access,
    // As long as it takes; archives are large, and locations have limits of their own.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Reads a backup to its end and checks every sum.',
    input: z.object({ backupId: idSchema }),
    answer: successAnswer(verifiedShape.extend({ backupId: z.string() })),
    async handler({ input, signal }) {
      const record = await records.get(input.backupId)
      return success({ backupId: record.id, ...(await verifyBackup(parts, record, signal)) })
    },
  })
}
