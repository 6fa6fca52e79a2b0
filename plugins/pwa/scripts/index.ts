import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'

/** Below the uploads; the worker's path in it is fixed by services.md 2.3. */
const FOLDER = 'pwa/scripts'

/** `pwa/scripts/frontend.0123456789ab.js` */
const HASHED = /^pwa\/scripts\/[a-z-]+\.[0-9a-f]{12}\.(js|css)$/

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** The files that this site's pages load from itself, below `/wp-content/uploads/pwa/scripts/`. */
export interface Scripts {
  /** Puts a file there under a name with its content's hash, so that browsers may keep it for ever. @returns its path */
  publish(name: string, type: keyof typeof TYPES, source: string): Promise<string>
  /** Writes a script under a name that stays, in one stroke. */
  replace(file: string, source: string): Promise<void>
  /** Lets browsers have a script that stays at one name. @returns its path */
  serve(file: string, headers: Readonly<Record<string, string>>): string
}

/** Serves what is published here: core refuses scripts among the uploads. Older files stay: cached pages name them. */
export function createScripts({
  hooks,
  site,
  onDispose,
}: Pick<ExtensionHost, 'hooks' | 'site' | 'onDispose'>): Scripts {
  const folder = join(site.dir, 'uploads', FOLDER)
  const pathOf = (file: string) => `/wp-content/uploads/${FOLDER}/${file}`

  // A page that is still being rendered then may want one; the folder of the site may be gone.
  const writing = new Set<Promise<void>>()
  let isClosed = false
  onDispose(async () => {
    isClosed = true
    await Promise.allSettled(writing)
  })

  async function write(file: string, source: string): Promise<void> {
    if (isClosed) return
    const written = writeIfOther(folder, file, source)
    writing.add(written)
    await written.finally(() => writing.delete(written))
  }

  hooks.addFilter('upload_headers', (headers, path) => {
    const type = HASHED.exec(path)?.[1]
    if (type !== 'js' && type !== 'css') return headers
    return headersOf(type, { 'Cache-Control': 'public, max-age=31536000, immutable' })
  })

  return {
    async publish(name, type, source) {
      const file = `${name}.${hashOf(source)}.${type}`
      await write(file, source)
      return pathOf(file)
    },
    replace: write,
    serve(file, headers) {
      const own = headersOf('js', headers)
      hooks.addFilter('upload_headers', (others, path) => (path === `${FOLDER}/${file}` ? own : others))
      return pathOf(file)
    },
  }
}

/** The first 12 hex digits of SHA-256. */
export function hashOf(source: string): string {
  return hash('sha256', source, 'hex').slice(0, 12)
}

function headersOf(type: keyof typeof TYPES, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'Content-Type': TYPES[type], 'X-Content-Type-Options': 'nosniff', ...more }
}

/** A browser that asks meanwhile gets the old file or the new one, never half of one. */
async function writeIfOther(folder: string, file: string, source: string): Promise<void> {
  const path = join(folder, file)
  if ((await readFile(path, 'utf8').catch(() => undefined)) === source) return
  await mkdir(folder, { recursive: true })
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    await writeFile(temporary, source)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
