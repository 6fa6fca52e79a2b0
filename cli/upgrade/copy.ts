import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { isDatabaseFree } from '../../app/replacement/database-free.ts'
import type { Config } from '../../core/config.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'
import { writeAtomically } from '../../core/files/atomic-write.ts'
import { flushFolder } from '../../core/files/flush-folder.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** Copies that remain after an upgrade. */
const RETAINED = 3
const NAME = /^before-upgrade-\d{4}-\d\d-\d\dT[\d-]+$/
const OPTIONS = 'options.json'
const POSTGRES_DUMP = 'database.sql'
const MANIFEST = 'copy.json'

const manifestSchema = z.object({ kind: z.enum(['sqlite', 'postgres']) })

type Place = Pick<Config, 'siteDir' | 'databaseUrl'>

/** The data of a site that an upgrade changes: the database and the options. In `backups/` of the site folder. */
export interface Copy {
  readonly name: string
  /** Absolute path. */
  readonly folder: string
}

/**
 * Copies the data of a stopped site. The copy has its name only once it is complete and on disk.
 * @throws Error if there is no space, or `pg_dump` fails; nothing of the site has changed
 */
export async function createCopy({ siteDir, databaseUrl }: Place): Promise<Copy> {
  const name = `before-upgrade-${new Date().toISOString().slice(0, 23).replaceAll(/[:.]/g, '-')}`
  const folder = join(siteDir, 'backups', name)
  const unfinished = `${folder}.part`
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  try {
    const to = (file: string) => join(unfinished, file)
    if (databaseUrl === undefined) await copyDatabase(join(siteDir, SITE_DATABASE), to(SITE_DATABASE))
    else await (await import('./postgres.ts')).dumpPostgres(databaseUrl, to(POSTGRES_DUMP))
    await writeAtomically(to(OPTIONS), (path) => copyFile(join(siteDir, OPTIONS), path), { flush: true })
    const manifest = { kind: databaseUrl === undefined ? 'sqlite' : 'postgres', upgradedTo: packageJson.version }
    await writeAtomically(to(MANIFEST), JSON.stringify(manifest), { flush: true })
    await flushFolder(unfinished)
    await rename(unfinished, folder)
    await flushFolder(join(siteDir, 'backups'))
    return { name, folder }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Complete copies, newest first. */
export async function listCopies(siteDir: string): Promise<Copy[]> {
  const folder = join(siteDir, 'backups')
  const names = await readdir(folder).catch(() => [])
  const copies = names.filter((name) => NAME.test(name)).sort()
  return copies.reverse().map((name) => ({ name, folder: join(folder, name) }))
}

/** Removes all but the newest three. */
export async function removeOldCopies(siteDir: string): Promise<void> {
  for (const { folder } of (await listCopies(siteDir)).slice(RETAINED)) await rm(folder, { recursive: true })
}

/**
 * Puts the data of a copy in place; the copy remains. If this is interrupted, repeat it.
 * @throws Error if the copy is from the other kind of database, or `psql` fails
 */
export async function restoreCopy({ siteDir, databaseUrl }: Place, folder: string): Promise<void> {
  const { kind } = manifestSchema.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  if (kind !== (databaseUrl === undefined ? 'sqlite' : 'postgres')) {
    throw new Error(
      `The copy is from ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, which the site does not currently use.`,
    )
  }
  if (databaseUrl === undefined) await restoreDatabase(join(folder, SITE_DATABASE), join(siteDir, SITE_DATABASE))
  else await (await import('./postgres.ts')).restorePostgres(databaseUrl, join(folder, POSTGRES_DUMP))
  await writeAtomically(join(siteDir, OPTIONS), (path) => copyFile(join(folder, OPTIONS), path), { flush: true })
  await flushFolder(siteDir)
  // Contains pages with the data that was discarded.
  await rm(join(siteDir, 'cache'), { recursive: true, force: true })
}

/** With SQLite's own backup, which includes what is only in the write-ahead log. */
async function copyDatabase(file: string, target: string): Promise<void> {
  const database = new DatabaseSync(file)
  try {
    await writeAtomically(target, (path) => backup(database, path), { flush: true })
  } finally {
    database.close()
  }
}

async function restoreDatabase(copy: string, file: string): Promise<void> {
  // Merges the write-ahead log of the database that is replaced, which would otherwise be applied to the copy.
  if (!isDatabaseFree(file)) throw new Error('Another process has the database of the site open.')
  await writeAtomically(file, (path) => copyFile(copy, path), { flush: true })
}
