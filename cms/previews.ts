import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../core/files/atomic-write.ts'
import type { JoiningHost } from '../core/types.ts'

/** Lifetime of unsaved values, in ms. */
const LIFETIME = 3_600_000
/** How often expired previews are removed, in ms. */
const CLEANUP = 600_000
/** Previews of a user; screens show only the last one. */
const ENTRIES = 5
const KEY = /^[\w-]{22}$/

/** A page, as far as it determines the preview. */
interface PreviewedPage {
  readonly request: { readonly query: URLSearchParams }
  readonly user: { readonly id: number } | null
}

/**
 * Unsaved values for previews, by a random key in the URL of a page. Only the user who stored them sees them: a key alone shows
 * nothing. Each user has the newest five. They are in `cache/`, because another process of the site may render the page.
 */
export interface Previews<Value> {
  /** Stores unsaved values. @returns the query parameter that shows them on pages: `appearance_preview=…` */
  add(userId: number, value: Value): Promise<string>
  /** The unsaved values that a page shows. */
  of(page: PreviewedPage): Value | undefined
}

const allPreviews = (siteDir: string) => join(siteDir, 'cache', 'previews')

/**
 * @param parameter query parameter of the previews, and the name of their folder
 * @param schema of the values; values of another version are ignored
 */
export function createPreviews<Value>(siteDir: string, parameter: string, schema: z.ZodType<Value>): Previews<Value> {
  const folderOf = (userId: number) => join(allPreviews(siteDir), parameter, String(userId))
  const storedSchema = z.object({ expires: z.number(), value: schema })
  /** The values on each page that is being rendered, which asks for them several times. */
  const values = new WeakMap<object, Value | undefined>()

  function read(userId: number, key: string): Value | undefined {
    try {
      const stored = storedSchema.parse(JSON.parse(readFileSync(join(folderOf(userId), key), 'utf8')))
      return stored.expires > Date.now() ? stored.value : undefined
    } catch {
      // It does not exist, or is from another version.
      return undefined
    }
  }

  return {
    async add(userId, value) {
      const key = randomBytes(16).toString('base64url')
      const folder = folderOf(userId)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(join(folder, key), JSON.stringify({ expires: Date.now() + LIFETIME, value }))
      await removeOld(folder)
      return `${parameter}=${key}`
    },
    of({ request, user }) {
      const key = user && request.query.get(parameter)
      if (!user || !key || !KEY.test(key)) return undefined
      if (!values.has(request)) values.set(request, read(user.id, key))
      return values.get(request)
    },
  }
}

/** Removes all but the newest; a parallel request may have removed some. */
async function removeOld(folder: string): Promise<void> {
  const keys = (await readdir(folder)).filter((name) => KEY.test(name))
  const dated = await Promise.all(
    keys.map(async (key) => ({ key, storedAt: (await stat(join(folder, key)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const old = dated.sort((one, other) => other.storedAt - one.storedAt).slice(ENTRIES)
  await Promise.all(old.map(({ key }) => rm(join(folder, key), { force: true })))
}

/** Removes the expired previews of all users when the site starts, and while it runs: they may contain the password of a post. */
export function joinPreviewCleanup(host: Pick<JoiningHost, 'config' | 'log' | 'onListen' | 'onClose'>): void {
  const { config, log, onListen, onClose } = host
  const clean = () =>
    removeExpired(allPreviews(config.siteDir)).catch((error: unknown) =>
      log.error({ err: error }, 'could not remove expired previews'),
    )
  let timer: NodeJS.Timeout | undefined
  onListen(() => {
    timer = setInterval(clean, CLEANUP).unref()
    return clean()
  })
  onClose(() => clearInterval(timer))
}

/** Removes old files, of other versions too; another process of the site may have removed some. */
async function removeExpired(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  const before = Date.now() - LIFETIME
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const found = await stat(file).catch(() => undefined)
    if (found && found.mtimeMs < before) await rm(file, { force: true })
  }
}
