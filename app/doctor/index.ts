import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ENGLISH_TEXTS } from '../../cms/site/theme/texts.ts'
import { type Config, type ConfigInput, readConfig } from '../../core/config.ts'
import { messageOf } from '../../core/errors.ts'
import { ownCommand } from '../own-command.ts'
import { checkServer, checkUrl } from './address.ts'
import { checkAdvisories } from './advisories.ts'
import { checkCaches } from './caches.ts'
import { checkNames, invalidValues } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { checkExtensions } from './extensions.ts'
import { checkMail } from './mail.ts'
import { checkNodes } from './nodes.ts'
import { checkClock, checkNode } from './process.ts'
import { checkRateLimits } from './rate-limits.ts'
import { openReadOnly } from './read-only-database.ts'
import { checkSecurity } from './security.ts'
import { addressHere, listServers } from './servers.ts'
import { serviceChecks } from './service-checks.ts'
import { checkDisk, checkFiles, checkPermissions, readOptions } from './site-folder.ts'
import { checkStorage } from './storage.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding } from './types.ts'

const OWN: readonly DoctorCheck[] = [
  ...[
    checkNames,
    checkNode,
    checkFiles,
    checkPermissions,
    checkDisk,
    checkClock,
    checkDatabase,
    checkNodes,
    checkStorage,
    checkRateLimits,
  ],
  ...[checkServer, checkUrl, checkMail, checkExtensions, checkAdvisories, checkCaches, checkSecurity],
]

/**
 * Runs all checks on the configured site, which may be running, stopped or broken. Changes nothing.
 *
 * @param given - Configuration that code passed to the site, which takes precedence over the environment.
 * @param texts - Those of the reader. Default: English.
 */
export async function examineSite(
  environment: NodeJS.ProcessEnv = process.env,
  given: ConfigInput = {},
  texts: ExaminedSite['texts'] = ENGLISH_TEXTS,
): Promise<Finding[]> {
  const { config: configured, problems } = readConfig(given, environment)
  const { siteDir } = configured
  const invalid = invalidValues(problems, texts)
  if (!existsSync(join(siteDir, 'options.json')) && !existsSync(join(siteDir, 'site.db'))) {
    const message = texts.__('There is no site in %s.', siteDir)
    const fix = texts.__('Set PENTAD_SITE_DIR, or create a site: %s', ownCommand('start'))
    return [...invalid, error('site folder', message, fix)]
  }
  const database = await openReadOnly(configured).catch((thrown) => new Error(messageOf(thrown)))
  try {
    const servers = await listServers(database)
    const address = addressHere(servers, configured)
    const config = address ? readConfig({ ...given, ...address }, environment).config : configured
    const site = {
      config,
      options: optionsOf(config),
      database,
      processes: servers.length,
      servers,
      environment,
      texts,
    }
    const checks = [...OWN, ...(await serviceChecks(site.options))]
    const findings = await Promise.all(checks.map((check) => run(check, site)))
    return [...invalid, ...findings.flat()]
  } finally {
    if (!(database instanceof Error)) await database.close()
  }
}

/** A check that fails must not hide the findings of the others. */
async function run(check: DoctorCheck, site: ExaminedSite): Promise<readonly Finding[]> {
  try {
    return await check(site)
  } catch (thrown) {
    const { __ } = site.texts
    const message = __('The %1$s check failed: %2$s', check.name, messageOf(thrown))
    return [error('doctor', message, __('Fix the other errors first, then run the checks again.'))]
  }
}

/** Damage is a finding of `checkFiles`. */
function optionsOf({ siteDir }: Config): ExaminedSite['options'] {
  try {
    return readOptions(join(siteDir, 'options.json'))
  } catch {
    return {}
  }
}
