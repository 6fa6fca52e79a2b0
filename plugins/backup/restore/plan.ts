import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Replacement, RestError } from 'pentad'
import { isMissing, writeJson } from '../json-file.ts'
import type { Category } from '../types.ts'
import { mapStrings } from './site-address.ts'

/** Folders of the site folder that are categories of their own. */
const FOLDERS = ['uploads', 'themes', 'extensions'] as const
/**
 * What no restore takes away, and no archive brings: keys and configuration of this machine, work under way, the
 * backups, what can be made again. The database has its own step.
 */
const KEPT =
  /^(?:backups|tmp|cache|mail|logs|secret\.key|config\.json|replacement\.json|site\.db(?:-.*)?|[^/]*\.(?:tmp|lock|part))$/

/** Names in an archive of what belongs to these categories. */
export function namesOf(parts: readonly Category[], topLevel: readonly string[]): string[] {
  return [
    ...(parts.includes('database') ? ['database'] : []),
    ...FOLDERS.filter((folder) => parts.includes(folder)).map((folder) => `files/${folder}`),
    ...(parts.includes('others') ? topLevel.filter(isOther).map((name) => `files/${name}`) : []),
  ]
}

/** Where a restore lies, below the site folder. */
export interface RestorePlace {
  readonly id: string
  readonly siteDir: string
  /** `tmp/restore-<id>` */
  readonly folder: string
  readonly isPostgres: boolean
  readonly schemas: { readonly from: string; readonly aside: string }
}

/** What of the site makes place for what was unpacked beside it. */
export async function planReplacement(place: RestorePlace, parts: readonly Category[]): Promise<Replacement> {
  const { id, siteDir, folder, isPostgres, schemas } = place
  const files = `${folder}/new/files`
  const unpacked = await namesIn(join(siteDir, files))
  const there = await namesIn(siteDir)
  const wanted = (name: string) =>
    isFolder(name) ? parts.some((part) => part === name) : parts.includes('others') && isOther(name)
  const names = [...new Set([...unpacked, ...there])].filter(wanted).sort()
  const move = (to: string, from?: string) => ({
    to,
    aside: `${folder}/old/${to}`,
    ...(from !== undefined && { from }),
  })
  return {
    id,
    moves: [
      ...names.map((name) => move(name, unpacked.includes(name) ? `${files}/${name}` : undefined)),
      ...(parts.includes('database') && !isPostgres
        ? [move('site.db-wal'), move('site.db-shm'), move('site.db', `${folder}/new/site.db`)]
        : []),
    ],
    ...(parts.includes('database') && isPostgres && { tables: schemas }),
  }
}

/**
 * Brings the site's address in the unpacked options to its new one, all but the list of former addresses.
 * @throws RestError `archive_corrupt` where they can't be read: with them the site would not start
 */
export async function rewriteOptions(path: string, rewrite: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (text === undefined) return
  const records = parseRecords(text)
  const next = Object.entries(records).map(([name, value]) => [
    name,
    name === 'site_urls' ? value : mapStrings(value, rewrite),
  ])
  await writeJson(path, Object.fromEntries(next))
}

function parseRecords(text: string): object {
  try {
    const records: unknown = JSON.parse(text, refuseForbidden)
    if (typeof records === 'object' && records !== null && !Array.isArray(records)) return records
  } catch {
    // Said below.
  }
  throw new RestError('archive_corrupt', 'The options in the archive cannot be read.', { status: 400 })
}

/** The host refuses options with these names, and then does not start. */
function refuseForbidden(name: string, value: unknown): unknown {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype') throw new Error('a forbidden name')
  return value
}

function isFolder(name: string): boolean {
  return FOLDERS.some((folder) => folder === name)
}

function isOther(name: string): boolean {
  return !isFolder(name) && !KEPT.test(name)
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    if (isMissing(error)) return []
    throw error
  })
}
