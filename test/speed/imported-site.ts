import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { importWxr } from '../../core/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { siteWith } from './cached-site.ts'
import { SPEED } from './visits.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

/** The WordPress export as a site with the performance service, so set, at the address that it believes to have. */
export async function openImportedSite(settings: Readonly<Record<string, unknown>>): Promise<TestHost> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const site = await createTestHost({ extensions: [SPEED], config: { siteDir: siteWith(settings), port, url } })
  const folder = temporaryFolder()
  execFileSync('tar', ['xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', folder])
  const { content, auth, options, database, config } = site.host
  await importWxr({
    file: join(FIXTURES, 'wordpress-export.xml'),
    uploadsDir: join(folder, 'uploads'),
    ...{ content, users: auth.users, options, database, config, log: createLog('silent') },
  })
  return site
}
