import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { z } from 'zod'
import { RestError } from '../../../core/errors.ts'
import type { ExtensionHost } from '../../../core/extensions/types.ts'
import { writeAtomically } from '../../../core/files/atomic-write.ts'
import type { ResponseOf } from '../../../core/rest/response-schemas.ts'
import type { UploadFiles } from '../../content/media/upload-files.ts'
import { bundleScript } from './bundle.ts'
import { bundleCached } from './cached-bundle.ts'

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** Scripts that pages of this site load, below `/wp-content/uploads/`. */
export interface Scripts {
  /**
   * Publishes a file with a content hash in its name, so that browsers can cache it forever.
   * @param make returns the source; called once, when the path is first requested
   * @returns a function that resolves to the path; `undefined` if `make` failed, so that pages work without the file
   */
  publish(name: string, type: keyof typeof TYPES, make: () => Promise<string>): () => Promise<string | undefined>
  /**
   * Bundles like `bundleScript`, and caches the result in the site folder until a source file changes.
   * @param parts - Absolute paths, in order of execution.
   * @param constants - JSON values that replace these names in the source.
   */
  bundle(parts: readonly string[], constants?: Readonly<Record<string, unknown>>): Promise<string>
  /** The `serviceworker.js` file, with a stable name and the whole site as scope. */
  serviceWorker(): ServiceWorkerFile
}

/** The service worker of a plugin. */
export interface ServiceWorkerFile {
  /** Path on the site. */
  readonly path: string
  /**
   * Replaces the worker atomically. @throws RestError 500 `invalid_serviceworker` if it does not parse; the old one
   * stays
   */
  write(source: unknown): Promise<GeneratedWorker>
}

/** The current worker. */
export const generatedWorkerShape = z.object({
  url: z.string().describe('Absolute URL.'),
  version: z.string().describe('Hash of the content.'),
  size: z.int().describe('Size in bytes.'),
})

export type GeneratedWorker = ResponseOf<typeof generatedWorkerShape>

/**
 * Serves published scripts, which are otherwise not allowed in uploads. Previous versions are kept, because cached pages
 * reference them.
 * @param folder folder in the uploads, used by this extension only: `speed/scripts`
 *
 * @example
 * ```ts
 * import { createScripts, defineExtension } from 'pentad'
 *
 * export default defineExtension({
 *   id: 'greeting',
 *   name: 'Greeting',
 *   version: '1.0.0',
 *   setup(host) {
 *     const scripts = createScripts(host, 'greeting/scripts')
 *     const script = scripts.publish('greeting', 'js', () =>
 *       scripts.bundle([`${import.meta.dirname}/greeting.browser.js`]),
 *     )
 *     host.hooks.addAction('wp_footer', async (output) => {
 *       const src = await script()
 *       if (src !== undefined) output.print(`<script async src="${src}"></script>\n`)
 *     })
 *   },
 * })
 * ```
 */
export function createScripts(
  { content, hooks, log, site, onDispose }: Pick<ExtensionHost, 'content' | 'hooks' | 'log' | 'site' | 'onDispose'>,
  folder: string,
): Scripts {
  const uploads = content.media.files
  const cache = join(site.dir, 'cache', 'scripts')
  const pathOf = (file: string) => `/wp-content/uploads/${folder}/${file}`

  // A page being rendered may still request one; the site folder may be gone.
  const writing = new Set<Promise<unknown>>()
  let isClosed = false
  onDispose(async () => {
    isClosed = true
    await Promise.allSettled(writing)
  })

  /** Waited for before the site closes. */
  function tracked<Result>(work: Promise<Result>): Promise<Result> {
    writing.add(work)
    return work.finally(() => writing.delete(work))
  }

  async function write(file: string, source: string): Promise<void> {
    if (!isClosed) await tracked(writeIfOther(uploads, `${folder}/${file}`, source))
  }

  hooks.addFilter('upload_headers', (headers, path) => {
    const type = path.startsWith(`${folder}/`) ? HASHED.exec(path.slice(folder.length + 1))?.[1] : undefined
    if (type !== 'js' && type !== 'css') return headers
    return headersOf(type, { 'Cache-Control': 'public, max-age=31536000, immutable' })
  })

  return {
    publish(name, type, make) {
      async function publishNow(): Promise<string> {
        const source = await make()
        const file = `${name}.${hashOf(source)}.${type}`
        await write(file, source)
        return pathOf(file)
      }
      let published: Promise<string | undefined> | undefined
      return () => {
        published ??= publishNow().catch((error) => {
          log.error({ err: error, file: `${name}.${type}` }, 'script or style bundle failed')
          return undefined
        })
        return published
      }
    },
    bundle: (parts, constants = {}) =>
      isClosed ? bundleScript(parts, constants) : tracked(bundleCached(cache, parts, constants)),
    serviceWorker() {
      const path = pathOf(WORKER)
      const own = headersOf('js', { 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/' })
      hooks.addFilter('upload_headers', (headers, asked) => (asked === `${folder}/${WORKER}` ? own : headers))
      return {
        path,
        async write(source) {
          assertScript(source)
          await write(WORKER, source)
          return { url: site.url + path, version: hashOf(source), size: Buffer.byteLength(source) }
        },
      }
    },
  }
}

/** `frontend.0123456789ab.js` */
const HASHED = /^[a-z-]+\.[0-9a-f]{12}\.(js|css)$/

const WORKER = 'serviceworker.js'

function headersOf(type: keyof typeof TYPES, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'Content-Type': TYPES[type], 'X-Content-Type-Options': 'nosniff', ...more }
}

/** The first 12 hex digits of the SHA-256 hash. */
function hashOf(source: string): string {
  return hash('sha256', source, 'hex').slice(0, 12)
}

/** @throws RestError 500 `invalid_serviceworker` */
function assertScript(source: unknown): asserts source is string {
  try {
    if (typeof source !== 'string' || source.trim() === '') throw new SyntaxError('The script is empty or not text.')
    // Parses without running.
    new Script(source)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RestError('invalid_serviceworker', `The service worker is not valid JavaScript: ${why}`, { status: 500 })
  }
}

/** Atomic: browsers get the old or the new file, never a partial one. */
async function writeIfOther(uploads: UploadFiles, file: string, source: string): Promise<void> {
  const path = join(uploads.folder, file)
  const isThere = await uploads.pull(file)
  if (isThere && (await readFile(path, 'utf8').catch(() => undefined)) === source) return
  await mkdir(dirname(path), { recursive: true })
  await writeAtomically(
    path,
    async (part) => {
      await writeFile(part, source, { flag: 'wx' })
      // The file itself, because a copy with another modification time would be fetched again.
      await uploads.push(part, file)
    },
    { mode: 0o644 },
  )
}
