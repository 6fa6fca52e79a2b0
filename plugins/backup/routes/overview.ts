import { type ResponseOf, success, successSchema } from 'pentad'
import { z } from 'zod'
import { actionItemShape, actionItems, type FailedBackup, failedBackupShape } from '../action-items.ts'
import { connectionTestShape } from '../locations/connection-tests.ts'
import type { BackupParts } from '../parts.ts'
import type { Pipeline } from '../pipeline/index.ts'
import { automaticPattern } from '../schedule.ts'
import { type BackupRecord, progressShape, type RestoreJobs, recordShape } from '../types.ts'

const access = 'manage_options'
/** Number of backups in the overview. */
const LATEST = 5
/** Number of finished jobs that are checked for a failure. */
const JOBS = 10

const overviewShape = z.object({
  running: progressShape.nullable(),
  latest: z.array(recordShape),
  total: z.int(),
  size: z.int().describe('Total size of all archives, in bytes.'),
  next: z.iso.datetime().nullable().describe('Time of the next scheduled backup.'),
  lastFailure: failedBackupShape.nullable(),
  actionItems: z.array(actionItemShape),
})
const locationShape = z.object({
  ...{ id: z.string(), title: z.string(), configured: z.boolean(), isDefault: z.boolean() },
  settings: z.array(z.string()).describe('Keys of the settings that it uses.'),
  backups: z.int(),
  size: z.int().describe('Total size of the archives at the location, in bytes.'),
  lastTest: connectionTestShape
    .nullable()
    .describe('The latest connection test with the current settings; `null` if there was none.'),
})

/** Routes for the status of all backups and locations. */
export function registerOverviewRoutes(parts: BackupParts, pipeline: Pipeline, restores: RestoreJobs): void {
  const { host, records, locations, connectionTests, settings, states } = parts

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/overview',
    access,
    summary:
      'Returns the backup status: the running job, the latest backups, the next scheduled backup, and recommendations.',
    response: successSchema(overviewShape),
    async handler({ user }) {
      const jobId = (await pipeline.running()) ?? (await restores.running())
      const running =
        jobId === undefined ? undefined : ((await pipeline.progress(jobId)) ?? (await restores.progress(jobId)))
      const all = await records.list()
      const [lastFailure, current] = [await failureAfter(all[0]), settings.get()]
      const pattern = automaticPattern(current)
      const next = pattern === undefined ? undefined : host.jobs.nextTime(pattern)
      return success<ResponseOf<typeof overviewShape>>({
        running: running?.state === 'running' ? running : null,
        latest: all.slice(0, LATEST),
        total: all.length,
        size: all.reduce((sum, { size }) => sum + size, 0),
        next: next === undefined ? null : new Date(next).toISOString(),
        lastFailure,
        actionItems: actionItems({
          texts: await host.textsFor(user),
          ...{ settings: current, records: all, lastFailure, now: Date.now() },
          usesBucket: locations.usesBucket,
        }),
      })
    },
  })

  host.rest.registerRoute('backup/v1', {
    method: 'GET',
    path: '/backup/locations',
    access,
    summary: 'Lists storage locations with the keys of their settings, and the number and total size of their backups.',
    response: successSchema(
      z.object({
        items: z.array(locationShape),
        usesBucket: z
          .boolean()
          .describe('Whether `local` is the bucket of the site instead of a folder on the server.'),
      }),
    ),
    async handler() {
      const all = await records.list()
      const { defaultLocation } = settings.get()
      const tests = connectionTests.latest()
      const items = locations.list().map((location): ResponseOf<typeof locationShape> => {
        const { id, title, settings: keys = [] } = location
        const here = all.filter((record) => record.location === id)
        return {
          ...{ id, title, configured: location.isConfigured(), isDefault: id === defaultLocation, settings: keys },
          backups: here.length,
          size: here.reduce((sum, { size }) => sum + size, 0),
          lastTest: tests[id] ?? null,
        }
      })
      return success({ items, usesBucket: locations.usesBucket })
    },
  })

  /** The last failed backup, if no backup succeeded after it. */
  async function failureAfter(newest: BackupRecord | undefined): Promise<FailedBackup | null> {
    for (const { id, state, updated } of (await host.jobs.list({ type: 'backup' })).slice(0, JOBS)) {
      if (newest && newest.kind !== 'uploaded' && Date.parse(newest.date) > Date.parse(updated)) return null
      const outcome = await states.outcome(id)
      // That a backup was given up may be missing in its outcome, because it could not be stored.
      if (outcome?.state === 'failed' || (state === 'failed' && newest?.id !== id)) {
        const { code, message } = outcome?.error ?? { code: 'backup_failed', message: 'The backup failed.' }
        return { jobId: id, date: updated, code, message }
      }
      if (outcome?.state === 'complete') return null
    }
    return null
  }
}
