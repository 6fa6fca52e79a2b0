import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestHost } from 'pentad/testing'
import { importWxr } from '../../cms/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { temporaryFolder } from './site-folder.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

/** Brings the WordPress export and its uploads into a site. */
export async function importExport({ host }: TestHost): Promise<void> {
  const folder = temporaryFolder()
  execFileSync('tar', ['xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', folder])
  const { content, auth, options, database, hooks, config } = host
  await importWxr({
    files: [join(FIXTURES, 'wordpress-export.xml')],
    uploadsDir: join(folder, 'uploads'),
    ...{ content, users: auth.users, options, database, hooks, config, log: createLog('silent') },
  })
}
