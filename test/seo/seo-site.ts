import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import { importWxr } from '../../core/content/import/index.ts'
import { createLog } from '../../core/log.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/site-folder.ts'

export const SEO = join(import.meta.dirname, '../../plugins/seo')
const FIXTURES = join(import.meta.dirname, '../fixtures')

/** A site with the SEO service, at the address that it believes to have. */
export async function openSeoSite({ config, extensions = [], ...options }: TestHostOptions = {}): Promise<TestHost> {
  const port = await freePort()
  return createTestHost({
    ...options,
    extensions: [SEO, ...extensions],
    config: { port, url: `http://127.0.0.1:${port}`, ...config },
  })
}

/** The WordPress export as such a site. */
export async function openImportedSite(options: TestHostOptions = {}): Promise<TestHost> {
  const site = await openSeoSite(options)
  const folder = temporaryFolder()
  execFileSync('tar', ['xzf', join(FIXTURES, 'wordpress-uploads.tar.gz'), '-C', folder])
  const { content, auth, options: records, database, config } = site.host
  await importWxr({
    file: join(FIXTURES, 'wordpress-export.xml'),
    uploadsDir: join(folder, 'uploads'),
    ...{ content, users: auth.users, options: records, database, config, log: createLog('silent') },
  })
  return site
}

/** Writes settings as the administrator does. */
export function putSettings(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<Response> {
  return site.request('/wp-json/seo/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
}

/** Writes settings that are valid. */
export async function set(site: TestHost, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await putSettings(site, settings)
  if (!answer.ok) throw new Error(await answer.text())
}
