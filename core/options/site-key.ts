import { hkdfSync, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

const KEY_BYTES = 32

/** The site's one root secret. Every purpose gets a key of its own, so that none can stand in for another. */
export interface SiteKey {
  /** 32 bytes for one purpose, always the same (HKDF with SHA-256, RFC 5869). */
  derive(purpose: string): Buffer
}

/**
 * Reads `secret.key` of the site folder and makes it at the first start, readable by its owner only.
 *
 * @throws Error if the file is damaged. It is never replaced: what it encrypted would be lost.
 */
export function loadSiteKey(siteDir: string): SiteKey {
  const path = join(siteDir, 'secret.key')
  mkdirSync(siteDir, { recursive: true })
  const key = readKey(path) ?? createKey(path)
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', key, '', `pentad ${purpose}`, KEY_BYTES)) }
}

function readKey(path: string): Buffer | undefined {
  let text: string
  try {
    // A copied or unpacked site may have lost the permission.
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
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
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`)
    fsyncSync(file)
    // Unlike a rename, a link never replaces the key that another process made at the same moment.
    linkSync(temporary, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    closeSync(file)
    rmSync(temporary, { force: true })
  }
  const key = readKey(path)
  if (!key) throw new Error(`${path} could not be created.`)
  return key
}
