import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentMigrations } from '../../cms/content/migrations.ts'
import { createDatabase } from '../../core/database/index.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'

let made: Promise<Buffer> | undefined

/** Creates the tables of every site in an empty database. */
export async function makeTables(place: { siteDir: string; databaseUrl?: string }): Promise<void> {
  const database = await createDatabase(place)
  try {
    await database.migrate('content', contentMigrations(database.kind))
  } finally {
    await database.close()
  }
}

/**
 * Puts an SQLite database with the empty tables of every site into a new site folder. They are created once per process, which halves the
 * time for creating a test site.
 */
export async function placeTables(siteDir: string): Promise<void> {
  made ??= emptyDatabase()
  await writeFile(join(siteDir, SITE_DATABASE), await made, { mode: 0o600, flag: 'wx' })
}

async function emptyDatabase(): Promise<Buffer> {
  const siteDir = await mkdtemp(join(tmpdir(), 'pentad-test-'))
  try {
    await makeTables({ siteDir })
    return await readFile(join(siteDir, SITE_DATABASE))
  } finally {
    await rm(siteDir, { recursive: true, force: true })
  }
}
