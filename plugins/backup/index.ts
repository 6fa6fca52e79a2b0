import { createUploadSessions, defineExtension, settingsRoute } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { filterShapes } from './hooks.ts'
import { filterShapes as locationFilters } from './locations/hooks.ts'
import { registerOrphanedArchives } from './orphaned-archives.ts'
import { createParts } from './parts.ts'
import { createPipeline } from './pipeline/index.ts'
import { registerRestore } from './restore/index.ts'
import { registerBackupRoutes } from './routes/backups.ts'
import { registerDownloadRoute } from './routes/download.ts'
import { registerJobRoutes } from './routes/jobs.ts'
import { registerOverviewRoutes } from './routes/overview.ts'
import { registerUploadRoutes } from './routes/upload.ts'
import { scheduleBackups } from './schedule.ts'
import { recordRestores } from './security-log.ts'
import { backupSettings, rejectUnknownLocation } from './settings.ts'
import { sweepTempFolders } from './temp-folder.ts'

const HOUR = 3_600_000
/** Milliseconds after which expired uploads are removed, which commands do not need to wait for. */
const AFTER_START = 5000

/** The backup service: creates, stores, and restores backups (`backup/v1`). */
export default defineExtension({
  id: 'backup',
  name: 'Backup',
  version: '1.0.0-beta.1',
  description: 'Creates, stores, and restores backups of the site.',
  async setup(host) {
    host.hooks.declareFilters({ ...filterShapes, ...locationFilters })
    const settings = host.settings.register(backupSettings)
    const parts = createParts(host, settings)
    rejectUnknownLocation(host.hooks, parts.locations)
    host.hooks.addFilter('wp_add_privacy_policy_content', async (sections) => {
      const { __ } = await host.textsFor()
      return [
        ...sections,
        {
          title: __('Backups'),
          paragraphs: [
            __(
              'Backups of the site contain all of this data, and may be stored with another provider. Erased data remains in them until they expire.',
            ),
          ],
        },
      ]
    })
    recordRestores(host)
    const restores = await registerRestore(host, { ...parts, begin: (work) => pipeline.alone(work) })
    const pipeline = createPipeline(parts, restores.running)
    const uploads = createUploadSessions(host.site.dir, 'archive-upload', host.bucket?.tmp)

    host.rest.registerRoute('backup/v1', settingsRoute(settings))
    registerBackupRoutes(parts, pipeline, restores)
    registerJobRoutes(parts, pipeline, restores)
    registerOverviewRoutes(parts, pipeline, restores)
    registerDownloadRoute(parts)
    registerUploadRoutes(parts, uploads)
    registerAbilities(host)

    scheduleBackups(parts, pipeline)
    if (host.bucket) {
      const sweep = () =>
        void uploads.sweep().catch((error) => host.log.warn({ err: error }, 'could not remove expired uploads'))
      // A schedule runs on one node only, but each has copies of chunks.
      host.setTimeout(sweep, AFTER_START)
      host.setInterval(sweep, HOUR)
    }
    host.jobs.schedule('tidy', '41 * * * *', async (signal) => {
      await pipeline.sweep()
      await uploads.sweep()
      await restores.sweep()
      await sweepTempFolders(host.site.dir)
      await parts.leftovers.sweep(signal)
      if ((await pipeline.running()) === undefined) await registerOrphanedArchives(parts, signal)
    })
  },
})
