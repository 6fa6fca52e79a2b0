import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Replacement, RestError } from 'pentad'
import { CATEGORY_FOLDERS } from '../archive/format.ts'
import { categoryOf, isMachineLocal } from '../categories.ts'
import { writeJson } from '../json-file.ts'
import { namesIn, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'
import { mapStrings } from './site-address.ts'

/** Whether the operating system's usual file systems ignore case. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

/** Paths in an archive that belong to these categories. */
export function namesOf(parts: readonly Category[], topLevel: readonly string[]): string[] {
  return [
    ...(parts.includes('database') ? ['database'] : []),
    ...CATEGORY_FOLDERS.filter((folder) => parts.includes(folder)).map((folder) => `files/${folder}`),
    ...(parts.includes('others') ? topLevel.filter(isOther).map((name) => `files/${name}`) : []),
  ]
}

/** The paths of a restore. */
export interface RestorePlace {
  readonly id: string
  readonly siteDir: string
  /** Folder of the unpacked and loaded data, relative to the site folder. */
  readonly fresh: string
  /** Folder for replaced data, relative to the site folder. */
  readonly aside: string
  readonly isPostgres: boolean
  readonly schemas: { readonly from: string; readonly aside: string }
}

/** Plans which files and tables of the site are replaced. */
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
 * Replaces the site URL in the unpacked options, except in the list of its URLs, to which the new one is added: the
 * server may be configured differently from the command line that restores. The original stays at `from`, so that a
 * retry after a crash does not rewrite twice.
 *
 * @throws RestError `archive_corrupt` if they cannot be read, since the site would not start with them
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
    // Reported below.
  }
  throw new RestError('archive_corrupt', 'The options in the archive cannot be read.', { status: 400 })
}

/** The host does not start with options of these names. */
function rejectForbidden(name: string, value: unknown): unknown {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype') throw new Error('a forbidden name')
  return value
}

/**
 * Whether the name belongs to `others`. On case-insensitive file systems, `Config.json` or `Extensions` would replace
 * the lowercase ones.
 */
function isOther(name: string): boolean {
  const names = IGNORES_CASE ? [name, name.toLowerCase()] : [name]
  return names.every((one) => categoryOf(one) === 'others' && !isMachineLocal(one))
}
