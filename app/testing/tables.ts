import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentMigrations } from '../../cms/content/migrations.ts'
import { createDatabase } from '../../core/database/index.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'

let made: Promise<Buffer> | undefined

/** Makes the tables that every site has in a database without any. */
export async function makeTables(place: { siteDir: string; databaseUrl?: string }): Promise<void> {
  const database = await createDatabase(place)
  try {
    await database.migrate('content', contentMigrations(database.kind))
  } finally {
    await database.close()
  }
}

/**
 * Puts a SQLite database with the tables that every site has, and nothing in them, into a new site folder. They are made
 * once in a process: that takes half of what a site for a test takes.
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
