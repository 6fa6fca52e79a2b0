import { readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { categoryOf } from '../categories.ts'
import { isThere } from '../presence.ts'
import { removeTree } from './tree.ts'

/**
 * Names of what Node or the bundler of extensions would run or resolve imports by, wherever it lies in the site folder:
 * extensions may import it (https://nodejs.org/api/packages.html#imports, https://www.typescriptlang.org/tsconfig/#paths).
 */
const CODE = /^(?:node_modules|package\.json|[jt]sconfig\.json)$|\.(?:[cm]?[jt]sx?|node|wasm|eta)$/i

/** Keeps code that lies outside of the folders for extensions and themes as it is: nobody switches it off there. */
export interface ForeignFiles {
  /** Whether the site's own file or folder stays, with all that is in it. */
  keeps(path: string): boolean
  /** Removes such code, and links that could lead to some, from what was unpacked. @returns what was removed */
  remove(files: string): Promise<string[]>
}

/** @param extensionsDir - The further folder of extensions that the configuration names. */
export async function createForeignFiles(siteDir: string, extensionsDir: string | undefined): Promise<ForeignFiles> {
  const configured = extensionsDir === undefined ? [] : await pathsInside(siteDir, extensionsDir)
  const isCode = (path: string) =>
    configured.includes(path) || (categoryOf(path) === 'others' && CODE.test(path.split('/').at(-1) ?? ''))

  async function* codeBelow(files: string, folder: string): AsyncGenerator<string> {
    for (const entry of await readdir(join(files, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const isOther = categoryOf(path) === 'others'
      if (isCode(path) || (isOther && entry.isSymbolicLink())) yield path
      else if (entry.isDirectory() && (isOther || configured.some((one) => one.startsWith(`${path}/`)))) {
        yield* codeBelow(files, path)
      }
    }
  }

  return {
    keeps: isCode,
    async remove(files) {
      const removed: string[] = []
      if (!(await isThere(files))) return removed
      for await (const path of codeBelow(files, '')) {
        await removeTree(join(files, path))
        removed.push(path)
      }
      return removed.sort()
    },
  }
}

/** The folder as it is named and as it lies on the disk, relative to the site folder, if it is inside of it. */
async function pathsInside(siteDir: string, folder: string): Promise<string[]> {
  const named = [resolve(siteDir), resolve(folder)] as const
  const onDisk = [await realpath(siteDir), await realpath(folder).catch(() => resolve(folder))] as const
  const paths = [named, onDisk].map(([from, to]) => relative(from, to))
  const inside = paths.filter(
    (path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path),
  )
  // What is inside of the site's own folder of extensions is switched off by itself.
  return inside.map((path) => path.split(sep).join('/')).filter((path) => categoryOf(path) !== 'extensions')
}
