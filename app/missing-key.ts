import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../core/config.ts'
import { SITE_DATABASE } from '../core/database/site-file.ts'
import { SITE_KEY } from '../core/options/site-key.ts'

/** What cannot be used with another key. */
const LOST =
  'passwords and API keys in the settings, two-factor secrets, application passwords, and the key for push notifications'
/** Warning if the database of a site, on a PostgreSQL server, existed before its key. */
export const NEW_KEY = `secret.key was missing and has been created, but the database belongs to an existing site; without the former file, these are lost: ${LOST}`
const CREATE = `node -p "crypto.randomBytes(32).toString('base64url')"`

/**
 * Checks that a site with data has its `secret.key`, or a configured key. A new one would be created in its place, and the site would run with settings that it
 * cannot read.
 *
 * @returns whether the key will be created
 * @throws Error with what to do
 */
export function requireSiteKey({
  siteDir,
  secretKey,
  secretKeyFile,
}: Pick<Config, 'siteDir' | 'secretKey' | 'secretKeyFile'>): boolean {
  if ((secretKey ?? secretKeyFile) !== undefined) return false
  const key = join(siteDir, SITE_KEY)
  if (existsSync(key)) return false
  const database = join(siteDir, SITE_DATABASE)
  if (!existsSync(database)) return true
  throw new Error(
    `${key} is missing, but ${database} exists. Without it, the site would lose its ${LOST}. Copy the file from your backup. If you no longer have it, create another one, then enter the secrets again: ${CREATE} > ${key}`,
  )
}
