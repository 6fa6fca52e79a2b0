import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { describeFailure } from './build-failure.ts'
import { isExtensionId } from './definition.ts'
import type { KeptBuilds } from './kept-builds.ts'
import { type Metadata, readMetadata } from './metadata.ts'

/** An extension as it lies on the disk. */
export interface Source extends Metadata {
  /** The file that is run first. */
  readonly entry: string
  /** Its own folder; `null` for a single file. */
  readonly folder: string | null
  /** Why it can't be read; `null` if it can. */
  readonly problem: string | null
}

const ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs']
const SCRIPT = /\.[cm]?[jt]s$/
const NO_EXTENSION = /^[._]|^node_modules$|\.(?:test|d)\.[cm]?ts$/

/**
 * Finds every extension: in each folder the subfolders with an `index.ts` (or a `main` in `package.json`) and the single
 * `.ts` and `.js` files; `paths` are extensions themselves. One that can't be read is there with its problem. Of two with the
 * same id the one found later counts.
 */
export async function discoverExtensions(
  places: { folders: Iterable<string>; paths: Iterable<string> },
  { keptBuilds, warnOfTwins }: { keptBuilds: KeptBuilds; warnOfTwins: (used: Source, ignored: Source) => void },
): Promise<Map<string, Source>> {
  const inFolders = await Promise.all([...places.folders].map(listFolder))
  const entries = await Promise.all([...inFolders.flat(), ...places.paths].map(entryOf))
  const sources = new Map<string, Source>()
  const found = entries.filter((entry) => entry !== undefined)
  for (const source of await Promise.all(found.map((entry) => readSource(entry, keptBuilds)))) {
    const other = sources.get(source.id)
    if (other && other.entry !== source.entry) warnOfTwins(source, other)
    sources.set(source.id, source)
  }
  return sources
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

type Entry = Pick<Source, 'entry' | 'folder' | 'name'> & Partial<Pick<Source, 'problem'>>

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
    const main = (await mainOf(manifest)) ?? usual
    return main === undefined ? undefined : { entry: await realpath(join(folder, main)), folder, name }
  } catch (error) {
    // A folder with a broken manifest alone may be anything.
    if (!usual) return undefined
    return { entry: join(folder, usual), folder, name, problem: `package.json: ${messageOf(error)}` }
  }
}

const manifestSchema = z.object({ main: z.string().min(1).optional() })

async function mainOf(file: string): Promise<string | undefined> {
  const manifest = manifestSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  return manifest.success ? manifest.data.main : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function readSource(
  { entry, folder, name, problem: unreadable = null }: Entry,
  keptBuilds: KeptBuilds,
): Promise<Source> {
  const fallback =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^[^a-z]+|-+$/g, '') || 'unnamed'
  try {
    const metadata = await readMetadata(await readFile(entry, 'utf8'), entry, fallback, keptBuilds)
    if (!isExtensionId(metadata.id)) {
      const problem = `The id "${metadata.id}" must be lower-case letters, digits and hyphens, at most 60.`
      return { ...metadata, id: fallback, entry, folder, problem }
    }
    return { ...metadata, entry, folder, problem: unreadable }
  } catch (error) {
    const problem = describeFailure(error, dirname(entry))
    return { id: fallback, name, version: '', description: '', pro: false, entry, folder, problem }
  }
}
