import { createTestHost, type TestHost } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { importExport } from '../support/import-export.ts'
import { siteWith } from './cached-site.ts'
import { SPEED } from './visits.ts'

/** The WordPress export as a site with the performance service, so set, at the address that it believes to have. */
export async function openImportedSite(settings: Readonly<Record<string, unknown>>): Promise<TestHost> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const site = await createTestHost({ extensions: [SPEED], config: { siteDir: siteWith(settings), port, url } })
  await importExport(site)
  return site
}
