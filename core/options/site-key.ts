import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { SITE_DATABASE } from '../database/site-file.ts'
import { isCode } from '../errors.ts'

export const SITE_KEY = 'secret.key'
const KEY_BYTES = 32
/** What cannot be used with another key. */
export const LOST_WITH_KEY =
  'passwords and API keys in the settings, two-factor secrets, application passwords, and the key for push notifications'

type KeyConfig = Partial<Pick<Config, 'secretKey' | 'secretKeyFile'>>

/** The root secret of the site. Each purpose gets its own derived key, so that one cannot be used in place of another. */
export interface SiteKey {
  /** Derives a 32-byte key for one purpose; deterministic (HKDF with SHA-256, RFC 5869). */
  derive(purpose: string): Buffer
  /** Whether the key was created just now. */
  readonly isNew: boolean
}

/**
 * The configured key, or `secret.key` from the site folder, which is created at the first start, readable by its owner only.
 *
 * @throws Error if the key is damaged or missing, or the site has another one. It is never replaced: everything encrypted with it would be lost.
 */
export function loadSiteKey(siteDir: string, { secretKey, secretKeyFile }: KeyConfig = {}): SiteKey {
  const path = join(siteDir, SITE_KEY)
  const given = secretKeyFile === undefined ? secretKey : readFileSync(secretKeyFile, 'utf8').trim()
  const own = readKey(path)
  const key = given === undefined ? (own ?? createKey(path)) : parseKey(given, secretKeyFile ?? 'PENTAD_SECRET_KEY')
  if (own && !own.equals(key)) throw new Error(`The configured key differs from ${path}. Use the content of this file.`)
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', key, '', `pentad ${purpose}`, KEY_BYTES)),
    isNew: (given ?? own) === undefined,
  }
}

function readKey(path: string): Buffer | undefined {
  let text: string
  try {
    // A copied or unpacked site may have other permissions.
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  return parseKey(text, path)
}

function parseKey(text: string, path: string): Buffer {
  const key = Buffer.from(text, 'base64url')
  if (key.length === KEY_BYTES && key.toString('base64url') === text) return key
  throw new Error(
    `${path} is damaged. Restore it from a backup. Without it, the secrets in the settings can't be decrypted: ` +
      'rename the file only if you can enter all secrets again.',
  )
}

function createKey(path: string): Buffer {
  const database = join(dirname(path), SITE_DATABASE)
  if (existsSync(database)) {
    throw new Error(
      `${path} is missing, but ${database} exists. Without it, the site would lose its ${LOST_WITH_KEY}. Copy the file from your backup. If you no longer have it, create another one, then enter the secrets again: node -p "crypto.randomBytes(32).toString('base64url')" > ${path}`,
    )
  }
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const text = `${randomBytes(KEY_BYTES).toString('base64url')}\n`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    // Unlike a rename, a link never replaces a key that another process has created in the meantime.
    linkSync(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const key = readKey(path)
  if (!key) throw new Error(`${path} could not be created.`)
  return key
}
