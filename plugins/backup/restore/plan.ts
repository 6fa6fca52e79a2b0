import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Replacement, RestError } from 'pentad'
import { CATEGORY_FOLDERS } from '../archive/format.ts'
import { categoryOf, isMachineLocal } from '../categories.ts'
import { writeJson } from '../json-file.ts'
import { namesIn, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'
import { mapStrings } from './site-address.ts'

/** The file systems that these systems usually have. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

/** Names in an archive of what belongs to these categories. */
export function namesOf(parts: readonly Category[], topLevel: readonly string[]): string[] {
  return [
    ...(parts.includes('database') ? ['database'] : []),
    ...CATEGORY_FOLDERS.filter((folder) => parts.includes(folder)).map((folder) => `files/${folder}`),
    ...(parts.includes('others') ? topLevel.filter(isOther).map((name) => `files/${name}`) : []),
  ]
}

/** Where a restore lies. */
export interface RestorePlace {
  readonly id: string
  readonly siteDir: string
  /** Folder of what was unpacked and loaded, below the site folder. */
  readonly fresh: string
  /** Folder for what is replaced, below the site folder. */
  readonly aside: string
  readonly isPostgres: boolean
  readonly schemas: { readonly from: string; readonly aside: string }
}

/** What of the site makes place for what was unpacked beside it. */
export async function planReplacement(place: RestorePlace, parts: readonly Category[]): Promise<Replacement> {
  const { id, siteDir, fresh, isPostgres, schemas } = place
  const files = `${fresh}/files`
  const unpacked = await namesIn(join(siteDir, files))
  const there = await namesIn(siteDir)
  const wanted = (name: string) => parts.includes(categoryOf(name)) && (categoryOf(name) !== 'others' || isOther(name))
  const names = [...new Set([...unpacked, ...there])].filter(wanted).sort()
  const move = (to: string, from?: string) => ({
    to,
    aside: `${place.aside}/${to}`,
    ...(from !== undefined && { from }),
  })
  return {
    id,
    moves: [
      ...names.map((name) => move(name, unpacked.includes(name) ? `${files}/${name}` : undefined)),
      ...(parts.includes('database') && !isPostgres
        ? [move('site.db-wal'), move('site.db-shm'), move('site.db', `${fresh}/site.db`)]
        : []),
    ],
    ...(parts.includes('database') && isPostgres && { tables: schemas }),
  }
}

/**
 * Brings the site's address in the unpacked options to its new one, all but the list of its addresses, which gets the
 * new one too: whoever serves the site may be configured otherwise than who restores it, as the command line is. What the
 * archive held stays at `from`, so that a second try after a crash does not rewrite what is rewritten already.
 *
 * @throws RestError `archive_corrupt` where they can't be read: with them the site would not start
 */
export async function rewriteOptions(
  { from, to }: { readonly from: string; readonly to: string },
  {
    rewrite,
    url,
    change,
  }: {
    readonly rewrite: (text: string) => string
    readonly url: string
    readonly change: (records: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  },
): Promise<void> {
  if (!(await pathExists(from))) {
    if (!(await pathExists(to))) return
    await rename(to, from)
  }
  const text = await readFile(from, 'utf8')
  const { site_urls: urls, ...records }: Record<string, unknown> = { ...parseRecords(text) }
  const next = Object.entries(change(records)).map(([name, value]) => [name, mapStrings(value, rewrite)])
  const others = Array.isArray(urls) ? urls.filter((other) => other !== url) : []
  await writeJson(to, { ...Object.fromEntries(next), site_urls: [...others, url] })
}

function parseRecords(text: string): object {
  try {
    const records: unknown = JSON.parse(text, rejectForbidden)
    if (typeof records === 'object' && records !== null && !Array.isArray(records)) return records
  } catch {
    // Said below.
  }
  throw new RestError('archive_corrupt', 'The options in the archive cannot be read.', { status: 400 })
}

/** The host refuses options with these names, and then does not start. */
function rejectForbidden(name: string, value: unknown): unknown {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype') throw new Error('a forbidden name')
  return value
}

/** What `Config.json` and `Extensions` are to the file system: there they would take the place of the lower-case ones. */
function isOther(name: string): boolean {
  const names = IGNORES_CASE ? [name, name.toLowerCase()] : [name]
  return names.every((one) => categoryOf(one) === 'others' && !isMachineLocal(one))
}
