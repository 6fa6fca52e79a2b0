import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSnapshots } from '../database/snapshot.ts'
import { namesIn } from '../missing-files.ts'
import type { BackupParts } from '../parts.ts'
import { workFolderOf } from './job.ts'
import type { Sessions } from './session.ts'

const FOLDER = /^backup-([\w-]{1,64})$/

/** Removes what jobs have left that the host knows nothing of any more, as after a restore, and states of long ago. */
export function createSweep({ host, states }: BackupParts, sessions: Sessions): () => Promise<void> {
  return async () => {
    for (const name of await namesIn(join(host.site.dir, 'tmp'))) {
      const jobId = FOLDER.exec(name)?.[1]
      const report = jobId === undefined ? undefined : await host.jobs.get(jobId)
      // A cancelled one clears up after itself.
      if (jobId === undefined || report?.state === 'running' || report?.state === 'cancelled') continue
      await sessions.end(jobId, new Error('The job is no more.'))
      const folder = workFolderOf(host.site.dir, jobId)
      await createSnapshots({ database: host.database, siteDir: host.site.dir, folder, jobId }).drop()
      await rm(folder, { recursive: true, force: true })
    }
    await states.prune()
  }
}
