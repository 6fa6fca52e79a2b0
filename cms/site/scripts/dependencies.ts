import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Metafile } from 'esbuild'

/** By path the hash of a file, `folder` for a folder, `null` where there is nothing. */
export type Fingerprint = Readonly<Record<string, string | null>>

/** A package that some file imports. */
export interface AskedPackage {
  readonly specifier: string
  /** Folders from which the search went upwards. */
  readonly from: readonly string[]
  /** The file of it that is in the build; absent if the package stays outside, where only its location matters. */
  readonly found?: string | undefined
}

/** Files in the folder of a source file or its parents that determine how it and its imports are interpreted. */
const DECIDING = ['package.json', 'tsconfig.json', 'jsconfig.json']

/**
 * Milliseconds. A file younger than that when it was built may have been changed between the building and the look at
 * it; so Git does it too.
 */
const YOUNG = 2000

/**
 * The files on which a build depends, including those that were searched for but do not exist; `undefined` if that cannot be determined:
 * for imports resolved by pattern or extension, for TypeScript settings from other places, and for files that are being changed.
 * @param folder that the paths of `inputs` are relative to
 * @param since - When the build began, in milliseconds since the epoch.
 * @param others - Further files, such as those of packages and of the bundler.
 */
export function takeFingerprint(
  inputs: Metafile['inputs'],
  packages: readonly AskedPackage[],
  { folder, since, others = [] }: { folder: string; since: number; others?: readonly string[] },
): Fingerprint | undefined {
  const files = Object.keys(inputs).map((file) => resolve(folder, file))
  if (!Object.entries(inputs).every(([file, input]) => input.imports.every((asked) => isExact(asked, file, folder)))) {
    return undefined
  }
  const deciding = decidingFiles(files.map((file) => dirname(file)))
  const paths = new Set([...files, ...deciding, ...others])
  for (const { specifier, from, found } of packages) {
    const [name = specifier] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
    if (found !== undefined) paths.add(found)
    for (const above of foldersAbove(from)) {
      const modules = join(above, 'node_modules')
      paths.add(modules)
      if (existsSync(modules)) paths.add(join(modules, name, 'package.json'))
    }
  }
  const fingerprint = lookAt(paths)
  const isSure =
    files.every((file) => fingerprint[file] !== null) &&
    !deciding.some(extendsAnother) &&
    [...paths].every((path) => lastChange(path) < since - YOUNG)
  return isSure ? fingerprint : undefined
}

/** Possible locations of files that determine how the files of these folders are interpreted. */
export function decidingFiles(folders: readonly string[]): string[] {
  return foldersAbove(folders).flatMap((above) => DECIDING.map((name) => join(above, name)))
}

/** Whether all is still as it was. */
export function isUnchanged(fingerprint: Fingerprint): boolean {
  const now = lookAt(Object.keys(fingerprint))
  return Object.entries(fingerprint).every(([path, then]) => now[path] === then)
}

type Import = Metafile['inputs'][string]['imports'][number]

/** Whether an import names its file exactly; packages are resolved elsewhere. */
function isExact({ path, original = path, external }: Import, importer: string, folder: string): boolean {
  if (original.startsWith('#')) return false
  if (!/^\.{0,2}\//.test(original) && original !== '.' && original !== '..') return true
  return !external && resolve(folder, dirname(importer), original) === resolve(folder, path)
}

function foldersAbove(folders: readonly string[]): string[] {
  const found = new Set<string>()
  for (let folder of folders) {
    while (!found.has(folder)) {
      found.add(folder)
      folder = dirname(folder)
    }
  }
  return [...found]
}

/** Synchronous, because reading many small files is faster than scheduling asynchronous reads. */
function lookAt(paths: Iterable<string>): Fingerprint {
  return Object.fromEntries([...paths].map((path) => [path, hashOf(path)]))
}

/** Cached hashes of files that had been unchanged for a while; every change of a file updates its `ctime`. */
const hashes = new Map<string, { looks: string; hash: string }>()

/** SHA-256 of a file in base64url, `folder` for a folder, `null` if there is nothing that can be read. */
export function hashOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) return found?.isDirectory() ? 'folder' : null
    const { dev, ino, size, mtimeMs, ctimeMs } = found
    const looks = `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`
    const known = hashes.get(path)
    if (known?.looks === looks) return known.hash
    const isOld = ctimeMs < Date.now() - YOUNG
    const now = hash('sha256', readFileSync(path), 'base64url')
    if (isOld) hashes.set(path, { looks, hash: now })
    else hashes.delete(path)
    return now
  } catch {
    return null
  }
}

/** When a file was last written or created; 0 for a folder, whose files are checked individually. */
function lastChange(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? found.ctimeMs : 0
}

function extendsAnother(path: string): boolean {
  const isFile = /[jt]sconfig\.json$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile()
  return isFile === true && readFileSync(path, 'utf8').includes('"extends"')
}
