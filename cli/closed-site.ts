import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  beginReplacement,
  finishReplacement,
  lastReplacement,
  openStagingDatabase,
  removeStagingDatabase,
  siteTables,
} from '../app/replacement/index.ts'
import { noteSiteUrl } from '../cms/content/index.ts'
import { loadConfig } from '../core/config.ts'
import type { ExtensionHost } from '../core/extensions/types.ts'
import { createHooks } from '../core/hooks/index.ts'
import { createLog } from '../core/log.ts'
import { createOptions, openRecordFile } from '../core/options/index.ts'
import { loadSiteKey } from '../core/options/site-key.ts'

/** The part of `host.site` that is available for a site that is not open. */
export interface ClosedSite
  extends Pick<
    ExtensionHost['site'],
    | 'dir'
    | 'extensionsDir'
    | 'url'
    | 'key'
    | 'replace'
    | 'lastReplacement'
    | 'openStagingDatabase'
    | 'removeStagingDatabase'
  > {
  /** Completes or rolls back a replacement of the site that was started. */
  finishReplacement(): Promise<void>
  /** Records the configured URL as one of the site's. */
  noteUrl(): Promise<void>
}

/** The configured site, for commands that do not open it because it may be damaged or not exist. Creates its folder. */
export async function closedSite(plugin: string): Promise<ClosedSite> {
  const config = loadConfig()
  const { siteDir } = config
  await mkdir(siteDir, { recursive: true, mode: 0o700 })
  return {
    dir: siteDir,
    extensionsDir: config.extensionsDir,
    url: config.url,
    key: (purpose) => loadSiteKey(siteDir, config).derive(`extension ${plugin} ${purpose}`),
    replace: (replacement) => beginReplacement(siteDir, replacement),
    lastReplacement: () => lastReplacement(siteDir),
    openStagingDatabase: (place) => openStagingDatabase(config, place, siteTables),
    removeStagingDatabase: (place) => removeStagingDatabase(config, place),
    finishReplacement: () => finishReplacement(config),
    noteUrl: () => noteUrl(config),
  }
}

/**
 * Records the configured URL as one of the site's: restored content will contain it, and the server may be configured with another one.
 * Restored options get it from the restore.
 */
async function noteUrl({ siteDir, url }: ReturnType<typeof loadConfig>): Promise<void> {
  if (!existsSync(join(siteDir, 'options.json'))) return
  try {
    // On PostgreSQL, a restored database has no options, so the next start reads the file.
    const storage = await openRecordFile(join(siteDir, 'options.json'))
    const options = await createOptions({ storage, hooks: createHooks(), log: createLog('warn') })
    await noteSiteUrl(options, url).finally(() => options.close())
  } catch {
    // Broken options are replaced, or the start of the site says that they are.
  }
}
