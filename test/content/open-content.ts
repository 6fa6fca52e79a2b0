import { join } from 'node:path'
import { createContent } from '../../cms/content/index.ts'
import type { Content } from '../../cms/content/types.ts'
import { CHEAPEST, createAuth } from '../../core/auth/index.ts'
import { createDatabase, type SiteDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, loadSiteKey, openRecordFile } from '../../core/options/index.ts'
import type { OptionsStore } from '../../core/options/types.ts'
import { temporaryFolder } from '../support/site-folder.ts'

export interface OpenContent {
  readonly siteDir: string
  readonly config: { siteDir: string; url: string; adminEmail: string; databaseUrl: string | undefined }
  readonly database: SiteDatabase
  readonly hooks: HookRegistry
  readonly options: OptionsStore
  readonly content: Content
  close(): Promise<void>
}

/** The content of a site in a folder of its own, with the real parts below it. */
export async function openContent(
  databaseUrl: string | undefined,
  { siteDir = temporaryFolder(), url = 'http://127.0.0.1:8080' }: { siteDir?: string; url?: string } = {},
): Promise<OpenContent> {
  const config = { siteDir, url, adminEmail: 'admin@example.org', databaseUrl }
  const log = createLog('silent')
  const hooks = createHooks()
  // Before the database: a site with data is given no new key.
  const siteKey = loadSiteKey(siteDir)
  const database = await createDatabase(config)
  const options = await createOptions({ storage: await openRecordFile(join(siteDir, 'options.json')), hooks, log })
  const auth = createAuth({
    database,
    hooks,
    siteKey,
    config,
    log,
    passwordCost: CHEAPEST,
  })
  const content = await createContent({ database, hooks, options, auth, config, log })
  async function close(): Promise<void> {
    await options.close()
    await database.close()
  }
  return { siteDir, config, database, hooks, options, content, close }
}

/** The content of one site, opened twice, as by two processes, such as a server and a command. */
export async function openContentTwice(databaseUrl: string | undefined): Promise<[OpenContent, OpenContent]> {
  const site = await openContent(databaseUrl)
  return [site, await openContent(databaseUrl, { siteDir: site.siteDir })]
}
