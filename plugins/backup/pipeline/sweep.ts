import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSnapshots } from '../database/snapshot.ts'
import { namesIn } from '../missing-files.ts'
import type { BackupParts } from '../parts.ts'
import { workFolderOf } from './job.ts'
import type { Sessions } from './session.ts'

const FOLDER = /^backup-([\w-]{1,64})$/

/** Removes leftovers of jobs that the host no longer knows, for example after a restore, and old job states. */
export function createSweep({ host, states }: BackupParts, sessions: Sessions): () => Promise<void> {
  return async () => {
    for (const name of await namesIn(join(host.site.dir, 'tmp'))) {
      const jobId = FOLDER.exec(name)?.[1]
      const report = jobId === undefined ? undefined : await host.jobs.get(jobId)
      // A canceled job cleans up after itself.
      if (jobId === undefined || report?.state === 'running' || report?.state === 'cancelled') continue
      await sessions.end(jobId, new Error('The job no longer exists.'))
      const folder = workFolderOf(host.site.dir, jobId)
      await createSnapshots({ database: host.database, siteDir: host.site.dir, folder, jobId }).drop()
      await rm(folder, { recursive: true, force: true })
    }
    await states.prune()
  }
}
