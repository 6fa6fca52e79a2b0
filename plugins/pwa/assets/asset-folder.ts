import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'

/** Below `uploads/`. */
const FOLDER = 'pwa/assets'
const OF_A_SET = /^pwa\/assets\/[0-9a-f]{12}\//

/** Folder of the asset sets. Each has its own subfolder named by its version, so that URLs change with the content. */
export interface AssetFolder {
  /** Path on the site. */
  pathOf(version: string, name: string): string
  /** Which of the files do not exist. */
  missing(version: string, names: readonly string[]): Promise<string[]>
  /** Adds a set that `draw` creates in an empty folder. @returns the version that `draw` returned */
  add(draw: (folder: string) => Promise<string>): Promise<string>
  /** Number of files of the set that is being added, `undefined` if none is. */
  drawn(): Promise<number | undefined>
  /** Removes all other sets, including unfinished ones. */
  keepOnly(versions: readonly string[]): Promise<void>
}

export function createAssetFolder({ content, hooks }: Pick<ExtensionHost, 'content' | 'hooks'>): AssetFolder {
  const { files } = content.media
  const root = join(files.folder, FOLDER)
  const forEver = { 'Cache-Control': 'public, max-age=31536000, immutable' }
  hooks.addFilter('upload_headers', (headers, path) =>
    headers && OF_A_SET.test(path) ? { ...headers, ...forEver } : headers,
  )
  let drawing: string | undefined
  return {
    pathOf: (version, name) => `/wp-content/uploads/${FOLDER}/${version}/${name}`,
    async missing(version, names) {
      const isThere = async (name: string) =>
        (await files.pull(`${FOLDER}/${version}/${name}`)) &&
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
        for (const name of await readdir(beside)) await files.push(join(beside, name), `${FOLDER}/${version}/${name}`)
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

/** The same version has the same files, so they are replaced one by one without downtime. */
async function putInPlace(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name))
}
