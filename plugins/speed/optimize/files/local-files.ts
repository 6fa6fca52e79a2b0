import { AsyncLocalStorage } from 'node:async_hooks'
import { type Stats, statSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ExtensionHost } from 'pentad'

/** A file served by this site. */
export interface LocalFile {
  /** Changes whenever the content may have changed. */
  readonly identity: string
  /** Last part of its path, in lower case: `photo.jpg`. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Path on disk, if known. */
  readonly path: string | undefined
  read(): Promise<Buffer>
}

/** Finds the file at a URL of this site; `undefined` if there is none. */
export type FindLocalFile = (url: URL) => Promise<LocalFile | undefined>

/** Access to files served by this site. */
export interface LocalFiles {
  readonly find: FindLocalFile
  /** Runs work for one page, with a limit on internal requests by `find`. */
  forPage<Result>(work: () => Result): Result
  /** The files that the current page asked for; `undefined` if the limit was reached. */
  found(): FoundFiles | undefined
  /** Whether the same files are found again. */
  areSame(files: FoundFiles): Promise<boolean>
}

/** A file that a page asked for. */
interface FoundFile {
  readonly url: URL
  readonly identity: string | undefined
  /** What is memoized about it now. */
  latest(): Lookup | undefined
}

/** Files by path and query. */
export type FoundFiles = ReadonlyMap<string, FoundFile>

/** A memoized file. */
interface Lookup {
  readonly file: Promise<LocalFile | undefined>
  /** Once it is known: awaiting it for each page takes longer than the comparison. */
  result: { readonly identity: string | undefined } | undefined
}

/** Maximum internal requests per page, since a page can reference any number of missing files. */
const MOST_ASKED = 200
/** Lifetime of memoized files in ms: about the time of processing a page. */
const REMEMBERED_MS = 1000
/** Maximum number of memoized uploads. */
const MOST_UPLOADS = 1000
/** What the processing of a page may do. */
interface PageBudget {
  /** Remaining internal requests; none within an internal request. */
  left: number
  /** The files that the page asked for. */
  readonly found: Map<string, FoundFile>
}
/** Budget for pages rendered internally: a 404 page may reference the missing file itself. */
const NONE: PageBudget = { left: 0, found: new Map() }
const UPLOADS = '/wp-content/uploads/'
/** Executable types, for which the site's own rules decide whether they are served. */
const RUNS = /\.(?:css|m?js)$/i

/** Reads uploads from disk, and theme files, styles and scripts by internal requests. */
export function createLocalFiles(host: ExtensionHost): LocalFiles {
  const { folder: uploads, pull } = host.content.media.files
  const { origin } = new URL(host.site.url)

  /** A page needs the same upload several times, and so do the pages of a site. */
  const recentUploads = new LRUCache<string, Lookup>({
    max: MOST_UPLOADS,
    ttl: REMEMBERED_MS,
    ttlResolution: 50,
  })

  function findUpload(path: string): Promise<LocalFile | undefined> {
    const known = recentUploads.get(path)
    if (known) return known.file
    // A missing file is not memoized, because it may be uploaded at any moment.
    const found = lookUp(path)
      .catch(() => undefined)
      .then((file) => {
        if (!file) recentUploads.delete(path)
        return file
      })
    recentUploads.set(path, lookupOf(found))
    return found
  }

  async function lookUp(address: string): Promise<LocalFile | undefined> {
    const below = decoded(address.slice(UPLOADS.length))
    if (below === undefined || below.split('/').some((part) => part === '' || part.startsWith('.'))) return undefined
    if (!(await pull(below))) return undefined
    const path = join(uploads, below)
    // First, because a page without its images asks for each of them every time.
    const stats = statsOf(path)
    if (!stats?.isFile()) return undefined
    const [root, file] = await Promise.all([realpath(uploads), realpath(path)]).catch(() => [])
    if (!root || !file?.startsWith(root + sep)) return undefined
    const identity = `${address} ${stats.size} ${stats.mtimeMs}`
    return { identity, name: nameOf(address), size: stats.size, path: file, read: () => readFile(file) }
  }

  const budget = new AsyncLocalStorage<PageBudget>()
  /** A page often needs the same file several times. */
  const recent = new LRUCache<string, Lookup>({
    max: 50,
    ttl: REMEMBERED_MS,
    ttlResolution: 50,
  })

  // Pages that are rendered after a purge must not be made with files as they were before.
  host.hooks.addFilter('purge_urls', (urls, _purge, isPreview) => {
    if (!isPreview) {
      recentUploads.clear()
      recent.clear()
    }
    return urls
  })

  async function findRecent(path: string): Promise<LocalFile | undefined> {
    const known = recent.get(path)
    const mine = budget.getStore()
    if (known && mine !== NONE) return known.file
    if (mine && mine.left <= 0) return undefined
    if (mine) mine.left--
    const found = ask(path)
    recent.set(path, lookupOf(found))
    return found
  }

  async function ask(path: string): Promise<LocalFile | undefined> {
    const { status, headers, body } = await budget.run(NONE, () => host.front.render(path))
    if (status !== 200) return undefined
    const identity = `${path} ${headers.etag}`
    return { identity, name: nameOf(path), size: body.length, path: undefined, read: () => Promise.resolve(body) }
  }

  async function find(url: URL): Promise<LocalFile | undefined> {
    if (url.origin !== origin || !url.pathname.startsWith('/wp-content/')) return undefined
    const isPlain = url.pathname.startsWith(UPLOADS) && !RUNS.test(url.pathname)
    const address = url.pathname + url.search
    const file = await (isPlain ? findUpload(url.pathname) : findRecent(address))
    const mine = budget.getStore()
    if (mine && mine !== NONE) {
      const latest = () => (isPlain ? recentUploads.get(url.pathname) : recent.get(address))
      mine.found.set(address, { url, identity: file?.identity, latest })
    }
    return file
  }

  return {
    find,
    forPage: (work) => (budget.getStore() ? work() : budget.run({ left: MOST_ASKED, found: new Map() }, work)),
    found() {
      const mine = budget.getStore()
      return mine && mine.left > 0 ? mine.found : undefined
    },
    async areSame(files) {
      for (const { url, identity, latest } of files.values()) {
        const now = latest()?.result ?? (await find(url))
        if (now?.identity !== identity) return false
      }
      return true
    },
  }
}

function lookupOf(file: Promise<LocalFile | undefined>): Lookup {
  const lookup: Lookup = { file, result: undefined }
  const settle = (found: LocalFile | undefined) => {
    lookup.result = { identity: found?.identity }
  }
  file.then(settle, () => {})
  return lookup
}

/** The text of a style sheet or script (UTF-8), without a byte order mark. */
export async function readText(file: LocalFile): Promise<string> {
  return (await file.read()).toString('utf8').replace(/^\uFEFF/, '')
}

/** Synchronous, because handing it to a thread takes twenty times as long as the call. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function nameOf(path: string): string {
  return path.split(/[?#]/, 1)[0]?.split('/').at(-1)?.toLowerCase() ?? ''
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
