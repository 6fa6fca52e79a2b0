import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../../core/files/atomic-write.ts'
import type { PageContext } from '../types.ts'
import { type AppearanceSettings, appearanceSettings } from './settings.ts'

/** Query parameter of a preview. */
export const PREVIEW_PARAMETER = 'appearance_preview'
/** Lifetime of unsaved values, in ms. */
const LIFETIME = 3_600_000
/** Previews of a user; the screen shows only the last one. */
const ENTRIES = 5
const KEY = /^[\w-]{22}$/

/** The look of a page: the stored settings and the active theme, or those of a preview. */
export interface Look {
  readonly settings: AppearanceSettings
  /** IDs of unsaved images; `undefined` for the stored ones. */
  readonly siteLogo?: number | undefined
  readonly siteIcon?: number | undefined
  /** Name of a theme that is not active; `undefined` for the active one. */
  readonly theme?: string | undefined
}

const storedSchema = z.object({
  expires: z.number(),
  look: z.object({
    ...{ settings: appearanceSettings, siteLogo: z.int().optional(), siteIcon: z.int().optional() },
    theme: z.string().optional(),
  }),
})

/**
 * Unsaved values for previews, by a random key. Only the user who stored them sees them: a key alone shows nothing. Each
 * user has the newest five. They are in `cache/`, because another process of the site may render the page; a screen that shows a
 * preview stores them again with every change.
 */
export interface Previews {
  /** Stores unsaved values. @returns the key */
  add(userId: number, look: Look): Promise<string>
  /** The unsaved values that a page shows. */
  of(page: Pick<PageContext, 'request' | 'user'>): Look | undefined
}

export function createPreviews(siteDir: string): Previews {
  const folderOf = (userId: number) => join(siteDir, 'cache', 'previews', String(userId))
  /** The values on each page that is being rendered, which asks for them several times. */
  const looks = new WeakMap<object, Look | undefined>()

  function read(userId: number, key: string): Look | undefined {
    try {
      const stored = storedSchema.parse(JSON.parse(readFileSync(join(folderOf(userId), key), 'utf8')))
      return stored.expires > Date.now() ? stored.look : undefined
    } catch {
      // It does not exist, or is from another version.
      return undefined
    }
  }

  return {
    async add(userId, look) {
      const key = randomBytes(16).toString('base64url')
      const folder = folderOf(userId)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(join(folder, key), JSON.stringify({ expires: Date.now() + LIFETIME, look }))
      await removeOld(folder)
      return key
    },
    of({ request, user }) {
      const key = user && request.query.get(PREVIEW_PARAMETER)
      if (!user || !key || !KEY.test(key)) return undefined
      if (!looks.has(request)) looks.set(request, read(user.id, key))
      return looks.get(request)
    },
  }
}

/** Removes all but the newest; a parallel request may have removed some. */
async function removeOld(folder: string): Promise<void> {
  const keys = (await readdir(folder)).filter((name) => KEY.test(name))
  if (keys.length <= ENTRIES) return
  const dated = await Promise.all(
    keys.map(async (key) => ({ key, age: (await stat(join(folder, key)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const old = dated.sort((one, other) => other.age - one.age).slice(ENTRIES)
  await Promise.all(old.map(({ key }) => rm(join(folder, key), { force: true })))
}
