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
  return buffer.toString('latin1', 0, bytesRead).replace(/(?<=\r\n)\r\n[\s\S]*/, '')
}

/** Sends `PURGE` for each URL, `/*` for all. Answers what the module can't do: it knows no tags, `*` only from 2.4 on. */
export async function purgeByMethod(address: string, targets: Targets, host: string, signal: AbortSignal) {
  const all = targets.has('site') ? [new URL(`http://${host}/*`)] : []
  for (const { host, pathname, search } of [...urlsOf(targets), ...all]) {
    // Not by `fetch`, which always sends the `Host` of the address that it connects to.
    const options = { method: 'PURGE', path: pathname + search, headers: { Host: host }, signal, agent: false }
    const status = await new Promise<number>((resolve, reject) => {
      request(address, options, (response) => resolve(response.resume().statusCode ?? 0))
        .once('error', (error) => reject(new Error(`${address} can't be reached.`, { cause: error })))
        .end()
    })
    // 404 and 412, which depends on the version: the page was not there; an older module looks for one that is called `*`.
    if (![200, 404, 412].includes(status)) throw new Error(`${address} answered PURGE with ${status}.`)
    if (pathname.endsWith('/*') && status !== 200)
      return 'This nginx can’t purge all pages at once: its module cache-purge is older than 2.4. Set the folder instead.'
  }
}

function urlsOf(targets: Targets): URL[] {
  return [...targets].filter((target) => target.includes('/')).map((url) => new URL(url))
}
