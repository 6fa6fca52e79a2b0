import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { categoryOf } from '../categories.ts'
import { pathExists } from '../missing-files.ts'
import { removeTree } from './remove-tree.ts'

/**
 * Names of files that Node or the extension bundler would run, or use to resolve imports, anywhere in the site folder:
 * extensions may import them (https://nodejs.org/api/packages.html#imports,
 * https://www.typescriptlang.org/tsconfig/#paths).
 */
const CODE = /^(?:node_modules|package\.json|[jt]sconfig\.json)$|\.(?:[cm]?[jt]sx?|node|wasm|eta)$/i

/** Its secrets are removed individually. */
const OPTIONS = 'options.json'
/** Largest file checked for secrets, in bytes. */
const LARGEST_SEALED = 64 * 1024

/**
 * Removes code outside the extension and theme folders from an untrusted archive, where it could not be deactivated,
 * and keeps the site's own. The same for files with secrets that only the original site can decrypt, such as push keys.
 */
export interface UntrustedFiles {
  /** Whether the site's own file or folder is kept. Call after `remove`. */
  keeps(path: string): boolean
  /** Removes such files, and links that could point to code, from the unpacked files. */
  remove(files: string): Promise<RemovedFiles>
}

export interface RemovedFiles {
  readonly code: readonly string[]
  /** Files with encrypted secrets. */
  readonly sealed: readonly string[]
}

/** @param extensionsDir - The additional extension folder from the configuration. */
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

/** Whether a JSON file contains a secret encrypted with a site's key. */
async function isSealed(file: string): Promise<boolean> {
  if (!file.endsWith('.json') || (await stat(file)).size > LARGEST_SEALED) return false
  return (await readFile(file, 'utf8')).includes('"$sealed"')
}

/** The configured and the real path of the folder, relative to the site folder, if it is inside. */
async function pathsInside(siteDir: string, folder: string): Promise<string[]> {
  const named = [resolve(siteDir), resolve(folder)] as const
  const onDisk = [await realpath(siteDir), await realpath(folder).catch(() => resolve(folder))] as const
  const paths = [named, onDisk].map(([from, to]) => relative(from, to))
  const inside = paths.filter(
    (path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path),
  )
  // Extensions in the site's own extension folder are deactivated anyway.
  return inside.map((path) => path.split(sep).join('/')).filter((path) => categoryOf(path) !== 'extensions')
}
