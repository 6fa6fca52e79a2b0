import { open, readdir, unlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

/** What is to go: URLs and tags; the tag `site` is everything. */
export type Targets = ReadonlySet<string>

/** Bytes in which the header of nginx, the key and the header of the answer surely end. */
const HEAD_SIZE = 32 * 1024

/**
 * Deletes files of nginx's cache, which nginx takes for a miss. A file names its key and the header of its answer: pages
 * are found by tag and in all variants, whatever pattern the key has. Nothing else is touched, and no link is followed.
 */
export async function purgeFolder(folder: string, targets: Targets, signal: AbortSignal): Promise<void> {
  const paths = new Set(urlsOf(targets).map(({ pathname }) => pathname))
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    signal.throwIfAborted()
    if (!entry.isFile() || !/^[0-9a-f]{32}$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    try {
      const head = await readHead(file)
      // `httpsexample.org/path?query`, `https://example.org/path`
      const path = /\nKEY: (?:\w+:\/\/)?[^/\n]*([^?\n]*)/.exec(head)?.[1]
      const tags = /\r\nSurrogate-Key: (.*)\r\n/i.exec(head)?.[1]?.split(' ') ?? []
      if (path === undefined) continue
      if (targets.has('site') || paths.has(path) || tags.some((tag) => targets.has(tag))) await unlink(file)
    } catch (error) {
      // nginx deletes files too.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

async function readHead(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_SIZE), position: 0 })
  const text = buffer.toString('latin1', 0, bytesRead)
  return text.slice(0, text.indexOf('\r\n\r\n') + 2)
}

/** Sends `PURGE` for each URL. The module knows no tags, and everything (`/*`) only from version 2.4 on. */
export async function purgeByMethod(address: string, targets: Targets, host: string, signal: AbortSignal) {
  const all = { host, pathname: '/*', search: '' }
  for (const { host, pathname, search } of targets.has('site') ? [all] : urlsOf(targets)) {
    // Not by `fetch`, which always sends the `Host` of the address that it connects to.
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const options = { method: 'PURGE', path: pathname + search, headers: { Host: host }, signal, agent: false }
    request(address, options, (response) => resolve(response.resume().statusCode))
      .once('error', (error) => reject(new Error(`${address} can't be reached.`, { cause: error })))
      .end()
    const status = await promise
    // 404 and 412, which depends on the version: the page was not there.
    if (![200, 404, 412].includes(status ?? 0)) throw new Error(`${address} answered PURGE with ${status}.`)
  }
}

function urlsOf(targets: Targets): URL[] {
  return [...targets].filter((target) => target.includes('/')).map((url) => new URL(url))
}
