import { open, readdir, unlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

/** URLs and tags to purge; the tag `site` purges everything. */
export type Targets = ReadonlySet<string>
/** Maximum bytes of nginx's header, the key and the response headers of a cache file. */
const HEAD_SIZE = 32 * 1024
/** Version of the format of cache files that is known here: nginx since 1.11.10, on a 64-bit machine. */
const FORMAT = 5n

/**
 * Deletes files of nginx's cache, which nginx treats as a cache miss. A file contains its key and response headers, so
 * pages are found by tag and in all variants, whatever the key format. Other files are not touched, and links are not
 * followed. A soft purge lets the file expire instead, so that nginx may serve it once more (`proxy_cache_use_stale updating`).
 */
export async function purgeFolder(
  folder: string,
  targets: Targets,
  { soft, signal }: { soft: boolean; signal: AbortSignal },
): Promise<void> {
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
      if (!targets.has('site') && !paths.has(path) && !tags.some((tag) => targets.has(tag))) continue
      if (!soft || !(await expire(file))) await unlink(file)
    } catch (error) {
      // nginx may have deleted the file.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

/** Sets the time until which nginx may serve a file, the second number in it. @returns whether the format is known */
async function expire(path: string): Promise<boolean> {
  // If nginx replaces the file meanwhile, the replaced one expires.
  await using file = await open(path, 'r+')
  const { buffer } = await file.read({ buffer: Buffer.alloc(8), position: 0 })
  if (buffer.readBigUInt64LE() !== FORMAT) return false
  buffer.writeBigUInt64LE(1n)
  await file.write(buffer, 0, 8, 8)
  return true
}

async function readHead(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_SIZE), position: 0 })
  return buffer.toString('latin1', 0, bytesRead).replace(/(?<=\r\n)\r\n[\s\S]*/, '')
}

/**
 * Sends `PURGE` for each URL, or `/*` for all. Returns an error text if the module does not support it (before 2.4).
 */
export async function purgeByMethod(address: string, targets: Targets, host: string, signal: AbortSignal) {
  const all = targets.has('site') ? [new URL(`http://${host}/*`)] : []
  for (const { host, pathname, search } of [...urlsOf(targets), ...all]) {
    // `fetch` does not allow setting the `Host` header.
    const options = { method: 'PURGE', path: pathname + search, headers: { Host: host }, signal, agent: false }
    const status = await new Promise<number>((resolve, reject) => {
      request(address, options, (response) => resolve(response.resume().statusCode ?? 0))
        .once('error', (error) => reject(new Error(`${address} could not be reached.`, { cause: error })))
        .end()
    })
    // 404 or 412, depending on the version: the page was not cached. Older modules take `*` literally.
    if (![200, 404, 412].includes(status)) throw new Error(`${address} responded to PURGE with ${status}.`)
    if (pathname.endsWith('/*') && status !== 200)
      return 'This nginx cannot purge all pages at once because its cache-purge module is older than 2.4. Enter the cache folder instead.'
  }
}

function urlsOf(targets: Targets): URL[] {
  return [...targets].filter((target) => target.includes('/')).map((url) => new URL(url))
}
