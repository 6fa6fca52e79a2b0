import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { siteTables } from '../../app/replacement/index.ts'
import { contentMigrations } from '../../cms/content/migrations.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** Dumps of databases that core made with all tables of content in its first migration. */
const BEFORE = join(import.meta.dirname, '../fixtures/site-before-content-tables')

type Place = { readonly siteDir: string; readonly databaseUrl: string | undefined }

onEachDatabase(
  'the tables of content',
  (databaseUrl) => {
    const newPlace = async (): Promise<Place> => ({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })

    async function placeOf(dump: string): Promise<Place> {
      const place = await newPlace()
      const text = readFileSync(join(BEFORE, `${dump}.${place.databaseUrl ? 'postgres' : 'sqlite'}.sql`), 'utf8')
      if (place.databaseUrl) {
        const client = new Client({ connectionString: place.databaseUrl })
        await client.connect()
        await client.query(text)
        await client.end()
      } else {
        const file = new DatabaseSync(join(place.siteDir, 'site.db'))
        file.exec(text)
        file.close()
      }
      return place
    }

    /** What there is once the host with its content has opened the database. */
    async function opened(place: Place) {
      const database = await createDatabase(place)
      try {
        for (const { owner, migrations } of siteTables) await database.migrate(owner, migrations(database.kind))
        return { schema: await schemaOf(database), migrations: await migrationsOf(database.db) }
      } finally {
        await database.close()
      }
    }

    it('are made by content, not by the host', async () => {
      const database = await createDatabase(await newPlace())
      const names = await namesOf(database)
      await database.migrate('content', contentMigrations(database.kind))
      const withContent = await namesOf(database)
      await database.close()
      const own = ['posts', 'postmeta', 'terms', 'termmeta', 'term_relationships', 'comments', 'commentmeta']
      expect(names).to.include.members(['users', 'usermeta', 'jobs'])
      expect(names.filter((name) => own.includes(name))).to.deep.equal([])
      expect(withContent).to.include.members(own)
    })

    it('of a site that has them since core made them stay as they are, and are those of a new site', async () => {
      const fresh = await opened(await newPlace())
      const place = await placeOf('whole')
      const first = await opened(place)
      expect(first).to.deep.equal(fresh)
      expect(await opened(place)).to.deep.equal(fresh)
    })

    it('are those of a new site where the first start had ended between the tables of core and the search index', async () => {
      expect(await opened(await placeOf('core-only'))).to.deep.equal(await opened(await newPlace()))
    })
  },
  { isEmpty: true },
)

async function namesOf({ db, kind }: Database): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
    : sql<{
        name: string
      }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db))
  return rows.map(({ name }) => name)
}

async function migrationsOf(db: Database['db']): Promise<unknown[]> {
  const names = (table: string) => sql`select name from ${sql.table(table)} order by name`.execute(db)
  return [(await names('migrations_core')).rows, (await names('migrations_content')).rows]
}

/** All tables, columns, constraints and indexes, as the database says them. */
async function schemaOf({ db, kind }: Database): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ text: string }>`select type || ' ' || name || ' ' || coalesce(sql, '') as text from sqlite_master`.execute(
        db,
      )
    : sql<{ text: string }>`
        select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default, is_identity) as text
          from information_schema.columns where table_schema = 'public'
        union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
          from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
        union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'`.execute(db))
  return rows.map(({ text }) => text.replace(/\s+/g, ' ')).sort()
}
