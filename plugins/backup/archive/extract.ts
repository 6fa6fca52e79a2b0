import { access, chmod, mkdir, mkdtemp, readdir, rm, statfs, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RestError } from 'pentad'
import type { Catalog } from './catalog.ts'
import { quoted } from './errors.ts'
import type { StoredEntry } from './format.ts'
import type { ReadProgress } from './read-progress.ts'
import { createUnitReader } from './units.ts'

export interface ExtractTask {
  /** Target folder: missing or empty, inside the caller's work folder. After a failure it may be partly filled. */
  readonly folder: string
  /** Names of entries or folders (with everything below them). Default: everything. */
  readonly include?: readonly string[]
}

export interface Extraction {
  advance(signal: AbortSignal): Promise<ReadProgress>
}

interface Parts {
  readonly catalog: Catalog
  readonly concurrency: number
  /** Resolves to the number of content bytes read. */
  readUnit(unit: number, folder: string, wanted: readonly string[] | undefined): Promise<number>
}

/** Unpacks files first, then creates links, then sets folder times, so that nothing is ever written through a link. */
export function createExtraction(
  { folder, include }: ExtractTask,
  { catalog, readUnit, concurrency }: Parts,
): Extraction {
  const reader = createUnitReader<number>(concurrency)
  let started: { units: number[]; totalBytes: number } | undefined
  let done = { units: 0, bytes: 0 }

  return {
    async advance(signal) {
      started ??= await start(catalog, folder, include)
      const { units, totalBytes } = started
      const read = (unit: number) => {
        const number = units[unit] ?? 0
        const wanted = include && catalog.entriesOf(number).flatMap(({ name }) => (isWanted(name, include) ? name : []))
        return readUnit(number, folder, wanted)
      }
      const finished = await reader.advance({ from: done.units, count: units.length, read }, signal)
      done = { units: done.units + finished.length, bytes: finished.reduce((sum, bytes) => sum + bytes, done.bytes) }
      if (done.units < units.length) return { done: false, bytes: done.bytes, totalBytes }
      await finishFolders(catalog, folder, include)
      return { done: true, bytes: totalBytes, totalBytes }
    },
  }
}

async function start(catalog: Catalog, folder: string, include: readonly string[] | undefined) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new Error('The target folder is not empty.')
  const units = catalog.units(include)
  const wanted = (entry: StoredEntry) => include === undefined || isWanted(entry.name, include)
  let bytes = 0
  let totalBytes = 0
  for (const unit of units) {
    for (const entry of catalog.entriesOf(unit)) {
      totalBytes += entry.size
      if (wanted(entry)) bytes += entry.size
    }
  }
  const disk = await statfs(folder)
  if (bytes > disk.bavail * disk.bsize) {
    throw new RestError('archive_too_large', 'There is not enough free disk space to extract the archive.', {
      status: 400,
    })
  }
  const collision = (await foldsNames(folder)) ? catalog.collision() : undefined
  if (collision !== undefined) {
    const message = `The archive contains names that collide on this file system: ${quoted(collision)}.`
    throw new RestError('archive_unsafe', message, { status: 400 })
  }
  return { units, totalBytes }
}

/** Whether this file system ignores case or Unicode normalization in names, as on macOS and Windows. */
async function foldsNames(folder: string): Promise<boolean> {
  const probe = await mkdtemp(join(folder, 'probe-'))
  try {
    await writeFile(join(probe, 'a\u00e9'), '')
    const variants = ['A\u00e9', 'ae\u0301'].map((name) => access(join(probe, name)))
    return (await Promise.allSettled(variants)).some(({ status }) => status === 'fulfilled')
  } finally {
    await rm(probe, { recursive: true })
  }
}

/** Creates empty folders and links, then sets folder modes and times, which unpacking files would have changed. */
async function finishFolders(catalog: Catalog, folder: string, include: readonly string[] | undefined): Promise<void> {
  const passes: ((entry: StoredEntry, path: string) => Promise<void>)[] = [
    async ({ type }, path) => {
      if (type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
    },
    async ({ type, linkTarget }, path) => {
      if (type !== 'symlink' || linkTarget === undefined) return
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await symlink(linkTarget, path)
    },
    async ({ type, mode, mtimeMs }, path) => {
      if (type !== 'directory') return
      await chmod(path, (mode & 0o777) | 0o700)
      await utimes(path, mtimeMs / 1000, mtimeMs / 1000)
    },
  ]
  for (const pass of passes) {
    for (let after = 0, page = catalog.page(0, 500); page.length > 0; page = catalog.page(after, 500)) {
      for (const { id, entry } of page) {
        if (entry.name !== '.' && (!include || isWanted(entry.name, include)))
          await pass(entry, join(folder, entry.name))
        after = id
      }
    }
  }
}

function isWanted(name: string, include: readonly string[]): boolean {
  return include.some((wanted) => name === wanted || name.startsWith(`${wanted}/`))
}
