import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'

/** Folder of our scripts below the uploads. */
const FOLDER = 'speed/scripts'

/** `speed/scripts/vitals.0123456789ab.js` */
const HASHED = /^speed\/scripts\/[a-z-]+\.[0-9a-f]{12}\.js$/

/** The scripts that this site's pages load from itself, below `/wp-content/uploads/speed/scripts/`. */
export interface Scripts {
  /**
   * A program of ours under a name with its content's hash, so that browsers may keep it for ever.
   * @param make answers its source; called when the path is first asked for, and once
   * @returns asks for its path on the site; `undefined` if it can't be made, so that pages go on without it
   */
  publish(name: string, make: () => Promise<string>): () => Promise<string | undefined>
  /** Writes a script under a name that stays, in one stroke; who has the path says by `serve` how it is answered. */
  replace(file: string, source: string): Promise<void>
  /**
   * Lets browsers have a script that stays at one name.
   * @param headers besides the usual ones
   * @returns its path on the site
   */
  serve(file: string, headers: Readonly<Record<string, string>>): string
}

/**
 * Serves what is published here: core refuses scripts among the uploads. Older versions stay, because cached pages
 * name them.
 */
export function createScripts({
  hooks,
  log,
  site,
  onDispose,
}: Pick<ExtensionHost, 'hooks' | 'log' | 'site' | 'onDispose'>): Scripts {
  const folder = join(site.dir, 'uploads', FOLDER)
  const pathOf = (file: string) => `/wp-content/uploads/${FOLDER}/${file}`
  const script = { 'Content-Type': 'text/javascript; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  const immutable = { ...script, 'Cache-Control': 'public, max-age=31536000, immutable' }

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

  hooks.addFilter('upload_headers', (headers, path) => (HASHED.test(path) ? immutable : headers))

  return {
    publish(name, make) {
      async function publishNow(): Promise<string> {
        const source = await make()
        const file = `${name}.${hashOf(source)}.js`
        await write(file, source)
        return pathOf(file)
      }
      let published: Promise<string | undefined> | undefined
      return () => {
        published ??= publishNow().catch((error) => {
          log.error({ err: error, script: name }, 'a script of the pages could not be made')
          return undefined
        })
        return published
      }
    },
    replace: write,
    serve(file, headers) {
      const own = { ...script, ...headers }
      hooks.addFilter('upload_headers', (others, path) => (path === `${FOLDER}/${file}` ? own : others))
      return pathOf(file)
    },
  }
}

/** The first 12 hex digits of SHA-256. */
export function hashOf(source: string): string {
  return hash('sha256', source, 'hex').slice(0, 12)
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
