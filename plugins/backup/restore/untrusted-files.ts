import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { categoryOf } from '../categories.ts'
import { pathExists } from '../missing-files.ts'
import { removeTree } from './remove-tree.ts'

/**
 * Names of what Node or the bundler of extensions would run or resolve imports by, wherever it lies in the site folder:
 * extensions may import it (https://nodejs.org/api/packages.html#imports, https://www.typescriptlang.org/tsconfig/#paths).
 */
const CODE = /^(?:node_modules|package\.json|[jt]sconfig\.json)$|\.(?:[cm]?[jt]sx?|node|wasm|eta)$/i

/** Its secrets are removed one by one. */
const OPTIONS = 'options.json'
/** Files with a secret in them are small; larger ones are not looked at. Bytes. */
const LARGEST_SEALED = 64 * 1024

/**
 * Keeps code that lies outside of the folders for extensions and themes as it is: nobody switches it off there. Files with
 * secrets that only the site of the archive can open stay too, such as the keys of push messages.
 */
export interface UntrustedFiles {
  /** Whether the site's own file or folder stays, with all that is in it. After `remove`. */
  keeps(path: string): boolean
  /** Removes these, and links that could lead to code, from what was unpacked. */
  remove(files: string): Promise<RemovedFiles>
}

export interface RemovedFiles {
  readonly code: readonly string[]
  /** Files with encrypted secrets. */
  readonly sealed: readonly string[]
}

/** @param extensionsDir - The further folder of extensions that the configuration names. */
export async function createUntrustedFiles(
  siteDir: string,
  extensionsDir: string | undefined,
): Promise<UntrustedFiles> {
  const configured = extensionsDir === undefined ? [] : await pathsInside(siteDir, extensionsDir)
  const isCode = (path: string) =>
    configured.includes(path) || (categoryOf(path) === 'others' && CODE.test(path.split('/').at(-1) ?? ''))

  const sealed = new Set<string>()

  async function* unwantedBelow(files: string, folder: string): AsyncGenerator<string> {
    for (const entry of await readdir(join(files, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const isOther = categoryOf(path) === 'others'
      if (isCode(path) || (isOther && entry.isSymbolicLink())) yield path
      else if (isOther && path !== OPTIONS && entry.isFile() && (await isSealed(join(files, path)))) {
        sealed.add(path)
        yield path
      } else if (entry.isDirectory() && (isOther || configured.some((one) => one.startsWith(`${path}/`)))) {
        yield* unwantedBelow(files, path)
      }
    }
  }

  return {
    keeps: (path) => isCode(path) || sealed.has(path),
    async remove(files) {
      const removed: string[] = []
      if (await pathExists(files)) {
        for await (const path of unwantedBelow(files, '')) {
          await removeTree(join(files, path))
          removed.push(path)
        }
      }
      return { code: removed.filter((path) => !sealed.has(path)).sort(), sealed: [...sealed].sort() }
    },
  }
}

/** Whether a JSON file holds a secret that was encrypted with the key of its site. */
async function isSealed(file: string): Promise<boolean> {
  if (!file.endsWith('.json') || (await stat(file)).size > LARGEST_SEALED) return false
  return (await readFile(file, 'utf8')).includes('"$sealed"')
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
