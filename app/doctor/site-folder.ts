import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { chmod, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findDiskProblem } from '../../cms/operations/free-space.ts'
import { messageOf } from '../../core/errors.ts'
import { type DoctorCheck, error, type Finding, type FindingAction, ok, warning } from './types.ts'

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
export const checkPermissions: DoctorCheck = async ({ config: { siteDir } }) => {
  const folder = statSync(siteDir)
  const readable = PRIVATE_FILES.map((name) => join(siteDir, name)).flatMap((file) => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats ? inspectFile(file, stats, folder) : []
  })
  const own =
    folder.mode & 0o022
      ? [error('permissions', `Other users may change files in ${siteDir}.`, `Run: chmod go-w ${siteDir}`, RESTRICT)]
      : []
  const all = [...own, ...readable]
  return all.length > 0
    ? all
    : [ok('permissions', 'Only the owner of the site folder can change it and read its secrets.')]
}

/** Fixes what `checkPermissions` finds, for files of the user that runs the site. */
export async function restrictPermissions(siteDir: string): Promise<void> {
  await chmod(siteDir, statSync(siteDir).mode & 0o755)
  for (const name of PRIVATE_FILES) {
    const file = join(siteDir, name)
    if (existsSync(file)) await chmod(file, 0o600)
  }
}

function inspectFile(file: string, stats: Stats, folder: Stats): Finding[] {
  if (stats.uid !== folder.uid) {
    const message = `${file} belongs to a different user than the site folder, so the site may be unable to change it.`
    return [error('permissions', message, `Run: sudo chown -R --reference=${dirname(file)} ${dirname(file)}`)]
  }
  const isSecret = !file.endsWith('config.json') || SECRET_SETTING.test(readFileSync(file, 'utf8'))
  if (!isSecret || (stats.mode & 0o077) === 0) return []
  return [
    error('permissions', `Other users may read ${file}, which contains secrets.`, `Run: chmod 600 ${file}`, RESTRICT),
  ]
}

/** Whether files can be written. */
export const checkDisk: DoctorCheck = async ({ config: { siteDir } }) => {
  const problem = await findDiskProblem(siteDir)
  if (problem !== null) {
    const fix = `Free up disk space, or make the folder writable for the user that runs the site: ${siteDir}`
    return [error('disk', problem, fix)]
  }
  const { bavail, bsize } = await statfs(siteDir)
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  if (bavail * bsize >= PLENTY) return [ok('disk', `The site folder is writable, and its disk has ${free} MB left.`)]
  const message = `The disk that contains the site folder has only ${free} MB left; backups and uploads may fail.`
  return [warning('disk', message, 'Free up disk space: delete old backups, or store them off-site.')]
}

/** The files without which a site does not start. */
export const checkFiles: DoctorCheck = async ({ config: { siteDir, secretKey, secretKeyFile } }) => {
  const key = secretKey === undefined ? checkKey(secretKeyFile ?? join(siteDir, 'secret.key')) : []
  const findings = [...checkOptions(join(siteDir, 'options.json')), ...key]
  return findings.length > 0 ? findings : [ok('site folder', 'The site’s options and key are intact.')]
}

function checkOptions(file: string): Finding[] {
  if (!existsSync(file)) return []
  try {
    readOptions(file)
    return []
  } catch (thrown) {
    const fix = 'Fix the file, or restore it from a backup; to start over with the default settings, rename it.'
    return [error('site folder', `${file} cannot be read: ${messageOf(thrown)}`, fix)]
  }
}

function checkKey(file: string): Finding[] {
  if (!existsSync(file)) {
    const message = `${file} is missing, so the encrypted secrets in the settings cannot be read.`
    return [error('site folder', message, 'Restore the file from your backup before you start the site.')]
  }
  try {
    if (KEY.test(readFileSync(file, 'utf8'))) return []
    const fix = 'Restore the file from your backup; rename it only if you can enter all secrets again.'
    return [error('site folder', `${file} is damaged.`, fix)]
  } catch (thrown) {
    return [
      error(
        'site folder',
        `${file} cannot be read: ${messageOf(thrown)}`,
        `Run: sudo chown --reference=${dirname(file)} ${file}`,
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
