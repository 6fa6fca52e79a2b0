import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { CHEAPEST } from '../../core/auth/password-hash.ts'
import { createDatabase } from '../../core/database/index.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'
import { loadSiteKey } from '../../core/options/site-key.ts'
import { createSite } from '../create-site.ts'

/** SQLite databases with empty tables: with and without those of the services. */
const databases = new Map<boolean, Promise<Buffer>>()

/**
 * Creates the tables of a site in an empty database, with no rows except those of migrations.
 *
 * @param place.siteDir - An empty folder.
 * @param services - Whether the services create theirs, too.
 */
export async function makeTables(place: { siteDir: string; databaseUrl?: string }, services: boolean): Promise<void> {
  // A site with this record is not given its first content.
  await writeFile(join(place.siteDir, 'options.json'), JSON.stringify({ first_content: [] }), { mode: 0o600 })
  const site = await createSite({ ...place, logLevel: 'silent' }, { runServices: services, passwordCost: CHEAPEST })
  await site.close()
  const { db, kind, close } = await createDatabase(place)
  try {
    // The first user, and its event in the security log.
    for (const table of ['users', 'security_log']) await sql`delete from ${sql.table(table)}`.execute(db)
    if (kind === 'postgres') await sql`delete from site_options`.execute(db)
    if (kind === 'sqlite') await sql`delete from sqlite_sequence`.execute(db)
    else
      for (const table of ['users', 'security_log'])
        await sql`alter table ${sql.table(table)} alter id restart`.execute(db)
  } finally {
    await close()
  }
}

/**
 * Puts an SQLite database with the empty tables of a site into a new site folder. They are created once per process, as
 * migrating each site takes longer.
 */
export async function placeTables(siteDir: string, services: boolean): Promise<void> {
  const made = databases.get(services) ?? emptyDatabase(services)
  databases.set(services, made)
  loadSiteKey(siteDir)
  await writeFile(join(siteDir, SITE_DATABASE), await made, { mode: 0o600, flag: 'wx' })
}

async function emptyDatabase(services: boolean): Promise<Buffer> {
  const siteDir = await mkdtemp(join(tmpdir(), 'pentad-test-'))
  try {
    await makeTables({ siteDir }, services)
    return await readFile(join(siteDir, SITE_DATABASE))
  } finally {
    await rm(siteDir, { recursive: true, force: true })
  }
}
