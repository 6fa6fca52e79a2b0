import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { chmod, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findDiskProblem } from '../../cms/operations/free-space.ts'
import { messageOf } from '../../core/errors.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, type FindingAction, ok, warning } from './types.ts'

/** Files that only the owner may read: the key, content with password hashes, settings. */
const PRIVATE_FILES = ['secret.key', 'site.db', 'site.db-wal', 'options.json', 'config.json']
/** Names of settings with passwords: a `config.json` without them may be readable by all. */
const SECRET_SETTING =
  /"(?:databaseUrl|storageUrl|rateLimitUrl|smtpUrl|adminPassword|licenseKey|metricsToken|secretKey)"/
const MEGABYTE = 1024 * 1024
/** Backups and imports need about as much as the site. */
const PLENTY = 1024 * MEGABYTE
/** `secret.key` has 32 bytes in base64url. */
const RESTRICT: FindingAction = {
  label: 'Restrict permissions',
  request: { method: 'POST', path: 'host/v1/site-health/permissions' },
}
const KEY = /^[\w-]{43}\n?$/

/** Owner and permissions of the site folder and the files with secrets. */
export const checkPermissions: DoctorCheck = async ({ config: { siteDir }, texts }) => {
  const { __ } = texts
  const folder = statSync(siteDir)
  const readable = PRIVATE_FILES.map((name) => join(siteDir, name)).flatMap((file) => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats ? inspectFile(file, stats, folder, texts) : []
  })
  const own =
    folder.mode & 0o022
      ? [
          error(
            'permissions',
            __('Other users may change files in %s.', siteDir),
            __('Run: %s', `chmod go-w ${siteDir}`),
            RESTRICT,
          ),
        ]
      : []
  const all = [...own, ...readable]
  return all.length > 0
    ? all
    : [ok('permissions', __('Only the owner of the site folder can change it and read its secrets.'))]
}

/** Fixes what `checkPermissions` finds, for files of the user that runs the site. */
export async function restrictPermissions(siteDir: string): Promise<void> {
  await chmod(siteDir, statSync(siteDir).mode & 0o755)
  for (const name of PRIVATE_FILES) {
    const file = join(siteDir, name)
    if (existsSync(file)) await chmod(file, 0o600)
  }
}

function inspectFile(file: string, stats: Stats, folder: Stats, { __ }: ExaminedSite['texts']): Finding[] {
  if (stats.uid !== folder.uid) {
    const message = __(
      '%s belongs to a different user than the site folder, so the site may be unable to change it.',
      file,
    )
    const command = `sudo chown -R --reference=${dirname(file)} ${dirname(file)}`
    return [error('permissions', message, __('Run: %s', command))]
  }
  const isSecret = !file.endsWith('config.json') || SECRET_SETTING.test(readFileSync(file, 'utf8'))
  if (!isSecret || (stats.mode & 0o077) === 0) return []
  const message = __('Other users may read %s, which contains secrets.', file)
  return [error('permissions', message, __('Run: %s', `chmod 600 ${file}`), RESTRICT)]
}

/** Whether files can be written. */
export const checkDisk: DoctorCheck = async ({ config: { siteDir }, texts: { __ } }) => {
  const problem = await findDiskProblem(siteDir)
  if (problem !== null) {
    const fix = __('Free up disk space, or make the folder writable for the user that runs the site: %s', siteDir)
    return [error('disk', problem, fix)]
  }
  const { bavail, bsize } = await statfs(siteDir)
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  if (bavail * bsize >= PLENTY)
    return [ok('disk', __('The site folder is writable, and its disk has %s MB left.', free))]
  const message = __('The disk that contains the site folder has only %s MB left; backups and uploads may fail.', free)
  return [warning('disk', message, __('Free up disk space: delete old backups, or store them off-site.'))]
}

/** The files without which a site does not start. */
export const checkFiles: DoctorCheck = async ({ config: { siteDir, secretKey, secretKeyFile }, texts }) => {
  const key = secretKey === undefined ? checkKey(secretKeyFile ?? join(siteDir, 'secret.key'), texts) : []
  const findings = [...checkOptions(join(siteDir, 'options.json'), texts), ...key]
  return findings.length > 0 ? findings : [ok('site folder', texts.__('The site’s options and key are intact.'))]
}

function checkOptions(file: string, { __ }: ExaminedSite['texts']): Finding[] {
  if (!existsSync(file)) return []
  try {
    readOptions(file)
    return []
  } catch (thrown) {
    const fix = __('Fix the file, or restore it from a backup; to start over with the default settings, rename it.')
    return [error('site folder', __('%1$s cannot be read: %2$s', file, messageOf(thrown)), fix)]
  }
}

function checkKey(file: string, { __ }: ExaminedSite['texts']): Finding[] {
  if (!existsSync(file)) {
    const message = __('%s is missing, so the encrypted secrets in the settings cannot be read.', file)
    return [error('site folder', message, __('Restore the file from your backup before you start the site.'))]
  }
  try {
    if (KEY.test(readFileSync(file, 'utf8'))) return []
    const fix = __('Restore the file from your backup; rename it only if you can enter all secrets again.')
    return [error('site folder', __('%s is damaged.', file), fix)]
  } catch (thrown) {
    return [
      error(
        'site folder',
        __('%1$s cannot be read: %2$s', file, messageOf(thrown)),
        __('Run: %s', `sudo chown --reference=${dirname(file)} ${file}`),
      ),
    ]
  }
}

/** @throws Error if the file is not a JSON object; a missing file has no records */
export function readOptions(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {}
  const records: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof records !== 'object' || records === null || Array.isArray(records))
    throw new Error('It is not a JSON object.')
  return { ...records }
}
