import { paginated, paginatedSchema, paginationSchema, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import { categoriesSchema, contentsWithout } from '../categories.ts'
import { unknownLocation } from '../locations/index.ts'
import type { BackupParts } from '../parts.ts'
import type { Pipeline } from '../pipeline/index.ts'
import { backupIdSchema, idSchema } from '../records.ts'
import { removeBackup } from '../retention/prune.ts'
import { type RestoreJobs, recordShape } from '../types.ts'
import { verifiedShape, verifyBackup } from '../verify.ts'

const access = 'manage_options'
const title = z.string().trim().max(200)

/** Routes to list, create, change and delete backups. */
export function registerBackupRoutes(parts: BackupParts, pipeline: Pipeline, restores: RestoreJobs): void {
  const { host, records, locations, connectionTests } = parts

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/fetch',
    access,
    summary: 'Lists backups, newest first.',
    input: paginationSchema.extend({
      kind: z.enum(['manual', 'automatic', 'uploaded']).optional().describe('Limits the list to backups of this kind.'),
      beforeRestore: z
        .boolean()
        .optional()
        .describe('Limits the list to backups that were created right before a restore, or to all others.'),
      location: z.string().max(64).optional().describe('Limits the list to backups at this location.'),
      backupId: idSchema.optional().describe('Limits the list to the backup with this ID.'),
      search: z
        .string()
        .trim()
        .max(200)
        .default('')
        .describe('Limits the list to backups whose titles contain this text.'),
    }),
    response: paginatedSchema(recordShape),
    async handler({ input }) {
      const { kind, beforeRestore, location, backupId, page, perPage } = input
      const search = input.search.toLowerCase()
      if (location !== undefined && !locations.find(location)) throw unknownLocation()
      const all = await records.list()
      const wanted = all.filter(
        (record) =>
          (!kind || record.kind === kind) &&
          (beforeRestore === undefined || record.beforeRestore === beforeRestore) &&
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
    summary: 'Starts a backup of everything that is not excluded.',
    input: z.object({
      title: title.optional(),
      exclusions: categoriesSchema.default([]).describe('Parts to exclude.'),
      location: z
        .string()
        .max(64)
        .optional()
        .describe('ID of the location for the archive. Defaults to the location in the settings.'),
      beforeRestoring: idSchema
        .optional()
        .describe(
          'ID of the backup that will be restored next. The retention limit does not delete it until then. Requires a recently confirmed password, as the restore does.',
        ),
    }),
    response: successSchema(z.object({ jobId: z.string() })),
    async handler({ input, user, identity }) {
      // As the restore does: it would ask only after the time that the backup takes.
      if (input.beforeRestoring !== undefined) await host.auth.requireConfirmation(identity)
      const { id } = await pipeline.start({
        ...{ title: input.title, location: input.location, contents: contentsWithout(input.exclusions) },
        ...{ kind: 'manual', createdBy: user?.id ?? null, neededBackup: input.beforeRestoring },
      })
      return new RestResponse(success({ jobId: id }, 'The backup was started.'), { status: 202 })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'DELETE',
    path: '/backup/remove',
    access,
    // No limit: archives are large, and locations have their own time limits.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Deletes a backup and its archive.',
    input: z.object({ backupId: backupIdSchema }),
    response: successSchema(z.object({ backupId: z.string() })),
    async handler({ input, signal }) {
      const record = await records.get(input.backupId)
      const jobId = await restores.restoring(record.id)
      if (jobId !== undefined) {
        throw new RestError(
          'job_running',
          'The site is being restored from this backup. Wait until the restore is complete.',
          { status: 409, jobId },
        )
      }
      await removeBackup(parts, record, signal)
      return success({ backupId: record.id })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/update',
    access,
    summary: 'Updates the title of a backup, or whether it is kept forever.',
    input: z.object({ backupId: backupIdSchema, title: title.min(1).optional(), keepForever: z.boolean().optional() }),
    response: successSchema(recordShape),
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
    summary: 'Tests a storage location by writing, reading, and deleting a small file.',
    input: z.object({ location: z.string().max(64) }),
    response: successSchema(z.object({ location: z.string() })),
    async handler({ input, signal }) {
      const location = locations.find(input.location)
      if (!location) throw unknownLocation()
      await connectionTests.run(location, signal)
      return success({ location: input.location })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'POST',
    path: '/backup/verify',
    access,
    // No limit: archives are large, and locations have their own time limits.
    timeLimit: Number.POSITIVE_INFINITY,
    summary: 'Verifies a backup by reading it completely and comparing every checksum.',
    input: z.object({ backupId: backupIdSchema }),
    response: successSchema(verifiedShape.extend({ backupId: z.string() })),
    async handler({ input, signal }) {
      const record = await records.get(input.backupId)
      return success({ backupId: record.id, ...(await verifyBackup(parts, record, signal)) })
    },
  })
}
