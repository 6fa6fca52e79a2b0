import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCode } from '../errors.ts'

export const SITE_KEY = 'secret.key'
const KEY_BYTES = 32

/** The root secret of the site. Each purpose gets its own derived key, so that one cannot be used in place of another. */
export interface SiteKey {
  /** Derives a 32-byte key for one purpose; deterministic (HKDF with SHA-256, RFC 5869). */
  derive(purpose: string): Buffer
}

/**
 * Reads `secret.key` from the site folder, or creates it at the first start, readable by its owner only.
 *
 * @throws Error if the file is damaged. It is never replaced, because everything encrypted with it would be lost.
 */
export function loadSiteKey(siteDir: string): SiteKey {
  const path = join(siteDir, SITE_KEY)
  mkdirSync(siteDir, { recursive: true })
  const key = readKey(path) ?? createKey(path)
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', key, '', `pentad ${purpose}`, KEY_BYTES)) }
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
  const key = Buffer.from(text, 'base64url')
  if (key.length === KEY_BYTES && key.toString('base64url') === text) return key
  throw new Error(
    `${path} is damaged. Restore it from a backup. Without it, the secrets in the settings can't be decrypted: ` +
      'rename the file only if you can enter all secrets again.',
  )
}

function createKey(path: string): Buffer {
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
