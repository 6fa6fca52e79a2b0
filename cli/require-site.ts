import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../core/config.ts'

/**
 * For every command that works on a site that is there: a slip in `--site` must not make another one.
 *
 * @throws Error if the configured folder holds no site
 */
export function requireSite(): void {
  if (hasSite()) return
  throw new Error(`There is no site in ${loadConfig().siteDir}. \`npm run pentad -- start\` creates one.`)
}

/** Whether the configured folder holds a site. */
export function hasSite(): boolean {
  const { siteDir, databaseUrl } = loadConfig()
  const isSite = ['options.json', 'site.db'].some((file) => existsSync(join(siteDir, file)))
  // With a database elsewhere the folder may still be as it was mounted.
  return isSite || (databaseUrl !== undefined && existsSync(siteDir))
}
