import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ownCommand } from '../app/own-command.ts'
import { loadConfig } from '../core/config.ts'

/**
 * Check for commands that work on an existing site: a typo in `--site` must not create another one.
 * @throws Error if the configured folder contains no site
 */
export function requireSite(): void {
  if (hasSite()) return
  throw new Error(`There is no site in ${loadConfig().siteDir}. \`${ownCommand('start')}\` creates one.`)
}

/** Whether the configured folder contains a site. */
export function hasSite(): boolean {
  const { siteDir, databaseUrl } = loadConfig()
  const isSite = ['options.json', 'site.db'].some((file) => existsSync(join(siteDir, file)))
  // With a database elsewhere the folder may still be as it was mounted.
  return isSite || (databaseUrl !== undefined && existsSync(siteDir))
}
