import { createHmac } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack as packTar } from 'tar-stream'
import { createPackageLimits } from '../packages/unpack.ts'

/** Bytes of a file in the archive besides its content, at most. */
const HEADERS = 2048

/** An extension or theme as a file. */
export interface PackedEntry {
  /** HMAC with SHA-256: the same for the same files, and only nodes of the site can create it. */
  readonly hash: string
  /** A tar.gz file. */
  archive(): Buffer
}

/**
 * Packs an entry of a folder: a folder, or a single file. Links and the history of the author are left out.
 *
 * @returns `undefined` if there is no such entry, or it contains no files
 * @throws RestError `package_invalid` if it exceeds the limits of packages
 */
export async function packEntry(folder: string, name: string, key: Buffer): Promise<PackedEntry | undefined> {
  const kind = await stat(join(folder, name)).catch(() => undefined)
  if (!kind) return undefined
  const limits = createPackageLimits()
  const tar = packTar()
  const files = kind.isDirectory() ? await filesIn(folder, name) : [name]
  if (files.length === 0) return undefined
  for (const file of files) {
    limits.countFile(file)
    limits.count((await stat(join(folder, file))).size + HEADERS)
    tar.entry({ name: file, mode: 0o644, mtime: new Date(0) }, await readFile(join(folder, file)))
  }
  tar.finalize()
  const content = await buffer(tar)
  return { hash: createHmac('sha256', key).update(content).digest('hex'), archive: () => gzipSync(content) }
}

/** Paths of the files below an entry, in a fixed order. */
async function filesIn(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  for (const entry of entries) {
    const path = `${below}/${entry.name}`
    if (entry.isDirectory() && entry.name !== '.git') found.push(...(await filesIn(folder, path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}
