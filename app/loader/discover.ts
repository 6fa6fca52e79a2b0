import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { readRegularFile } from '../../cms/site/files/regular-file.ts'
import { messageOf } from '../../core/errors.ts'
import { isExtensionId } from '../../core/extensions/definition.ts'
import type { BuildCache } from './build-cache.ts'
import { describeFailure } from './build-failure.ts'
import { type Manifest, readMetadata } from './metadata.ts'

/** An extension on disk. */
export interface Source extends Manifest {
  /** The entry file. */
  readonly entry: string
  /** Its own folder; `null` for a single file. */
  readonly folder: string | null
  /** Why it can't be read; `null` if it can. */
  readonly problem: string | null
  /** The `main` of its `package.json`, if there is no such file and another one is run. */
  readonly ignoredMain?: string
}

const ENTRIES = ['index.ts', 'index.tsx', 'index.mts', 'index.js', 'index.jsx', 'index.mjs', 'index.cjs']
const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/
const NO_EXTENSION = /^[._]|^node_modules$|\.(?:test|d)\.[cm]?tsx?$/

/**
 * Discovers extensions: in each folder, subfolders with an `index.ts` (or a `main` in `package.json`) and single `.ts` and `.js` files;
 * each of `paths` is an extension. Unreadable ones are listed with their problem. Of two with the same id, the later one applies.
 */
export async function discoverExtensions(
  places: { folders: Iterable<string>; paths: Iterable<string> },
  { builds, warnOfTwins }: { builds: BuildCache; warnOfTwins: (used: Source, ignored: Source) => void },
): Promise<Map<string, Source>> {
  const inFolders = await Promise.all([...places.folders].map(listFolder))
  const entries = await Promise.all([...inFolders.flat(), ...places.paths].map(entryOf))
  const sources = new Map<string, Source>()
  const found = entries.filter((entry) => entry !== undefined)
  for (const source of await Promise.all(found.map((entry) => readSource(entry, builds)))) {
    const other = sources.get(source.id)
    if (other && other.entry !== source.entry) warnOfTwins(source, other)
    sources.set(source.id, source)
  }
  return sources
}

/**
 * Reads the extension in a folder, without running it.
 *
 * @param builds - Where to cache the result; default: nowhere.
 * @throws Error if there is none
 */
export async function inspectExtension(folder: string, builds?: BuildCache): Promise<Source> {
  const entry = await entryOf(folder)
  if (!entry) throw new Error('The folder has no index.ts or index.js, and its package.json names no main file.')
  return readSource(entry, builds)
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter((name) => !NO_EXTENSION.test(name))
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

type Entry = Pick<Source, 'entry' | 'folder' | 'name'> & Partial<Pick<Source, 'problem' | 'ignoredMain'>>

/** The file to run of a folder or file, or `undefined` if it is not an extension. */
async function entryOf(path: string): Promise<Entry | undefined> {
  const kind = await stat(path).catch(() => undefined)
  if (!kind?.isDirectory()) {
    if (!kind || !SCRIPT.test(path)) return undefined
    return { entry: await realpath(path), folder: null, name: basename(path, extname(path)) }
  }
  const folder = await realpath(path)
  const name = basename(path)
  const names = await readdir(path)
  const usual = ENTRIES.find((candidate) => names.includes(candidate))
  const manifest = join(folder, 'package.json')
  if (!names.includes('package.json')) return usual ? { entry: join(folder, usual), folder, name } : undefined
  try {
    const main = await mainOf(manifest)
    const isThere = main !== undefined && (await isFile(join(folder, main)))
    // As in Node, a missing `main` is ignored: `npm init` names an index.js that may not exist.
    const ignoredMain = isThere ? undefined : main
    const used = isThere ? main : usual
    if (used === undefined) return undefined
    return {
      entry: await realpath(join(folder, used)),
      folder,
      name,
      ...(ignoredMain !== undefined && { ignoredMain }),
    }
  } catch (error) {
    // A folder that contains only a broken manifest may not be an extension.
    if (!usual) return undefined
    return { entry: join(folder, usual), folder, name, problem: `package.json: ${messageOf(error)}` }
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

/** Why an extension's folder contains no extension; `undefined` if the folder does not exist. */
export async function explainNoEntry(folders: Iterable<string>, id: string): Promise<string | undefined> {
  if (!isExtensionId(id)) return undefined
  for (const parent of folders) {
    const folder = join(parent, id)
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) continue
    const main = await mainOf(join(folder, 'package.json')).catch(() => undefined)
    const missing = main === undefined ? '' : `, and the main of its package.json, "${main}", is missing`
    return `The folder "${id}" has no index.ts${missing}.`
  }
  return undefined
}

const manifestSchema = z.object({ main: z.string().min(1).optional() })

async function mainOf(file: string): Promise<string | undefined> {
  const manifest = manifestSchema.safeParse(JSON.parse(await readRegularFile(file)))
  return manifest.success ? manifest.data.main : undefined
}

async function readSource(
  { entry, folder, name, problem: unreadable = null, ...rest }: Entry,
  builds: BuildCache | undefined,
): Promise<Source> {
  const fallback =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^[^a-z]+|-+$/g, '') || 'unnamed'
  try {
    const metadata = await readMetadata(entry, fallback, builds)
    if (!isExtensionId(metadata.id)) {
      const problem = `The ID "${metadata.id}" must consist of at most 60 lowercase letters, digits, and hyphens.`
      return { ...metadata, id: fallback, entry, folder, problem, ...rest }
    }
    return { ...metadata, entry, folder, problem: unreadable, ...rest }
  } catch (error) {
    const problem = describeFailure(error, dirname(entry))
    return {
      id: fallback,
      name,
      version: '',
      description: '',
      pro: false,
      isolation: 'process',
      entry,
      folder,
      problem,
      ...rest,
    }
  }
}
