import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'

/** Below the uploads. */
const FOLDER = 'pwa/assets'
const OF_A_SET = /^pwa\/assets\/[0-9a-f]{12}\//

/** The folder of the sets: each in one of its own, named by its version, so that addresses change with what is there. */
export interface AssetFolder {
  /** Path on the site. */
  pathOf(version: string, name: string): string
  /** Those of the files that are not there. */
  missing(version: string, names: readonly string[]): Promise<string[]>
  /** Adds a set that `draw` makes in an empty folder beside the others. @returns what `draw` answers, its version */
  add(draw: (folder: string) => Promise<string>): Promise<string>
  /** Files of the set that is being added; `undefined` while none is. */
  drawn(): Promise<number | undefined>
  /** Removes all sets but these, and what was left of sets that were never finished. */
  keepOnly(versions: readonly string[]): Promise<void>
}

export function createAssetFolder({ hooks, site }: Pick<ExtensionHost, 'hooks' | 'site'>): AssetFolder {
  const root = join(site.dir, 'uploads', FOLDER)
  const forEver = { 'Cache-Control': 'public, max-age=31536000, immutable' }
  hooks.addFilter('upload_headers', (headers, path) =>
    headers && OF_A_SET.test(path) ? { ...headers, ...forEver } : headers,
  )
  let drawing: string | undefined
  return {
    pathOf: (version, name) => `/wp-content/uploads/${FOLDER}/${version}/${name}`,
    async missing(version, names) {
      const isThere = (name: string) =>
        access(join(root, version, name)).then(
          () => true,
          () => false,
        )
      const there = await Promise.all(names.map(isThere))
      return names.filter((_, index) => !there[index])
    },
    async add(draw) {
      const beside = join(root, `.${randomBytes(8).toString('hex')}`)
      await mkdir(beside, { recursive: true })
      drawing = beside
      try {
        const version = await draw(beside)
        await putInPlace(beside, join(root, version))
        return version
      } finally {
        drawing = undefined
        await rm(beside, { recursive: true, force: true })
      }
    },
    drawn: async () =>
      drawing === undefined
        ? undefined
        : readdir(drawing).then(
            (names) => names.length,
            () => undefined,
          ),
    async keepOnly(versions) {
      const others = (await readdir(root)).filter((name) => !versions.includes(name))
      await Promise.all(others.map((name) => rm(join(root, name), { recursive: true, force: true })))
    },
  }
}

/** The same version has the same files: what is damaged or gone of them is replaced one by one, without a gap. */
async function putInPlace(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name))
}
