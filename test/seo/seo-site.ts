import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { importExport } from '../support/import-export.ts'

export const SEO = join(import.meta.dirname, '../../plugins/seo')

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
  await importExport(site)
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
