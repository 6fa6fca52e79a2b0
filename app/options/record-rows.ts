import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database, Schema } from '../../core/database/index.ts'
import { createDurableFile } from '../../core/files/durable-file.ts'
import type { Logger } from '../../core/log.ts'
import { isJsonRecord, type JsonRecord, toJson } from '../../core/options/json.ts'
import type { RecordStorage } from '../../core/options/storage.ts'
import { OPTIONS_FILE, OPTIONS_IMPORT } from './files.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    site_options: OptionTable
  }
}

interface OptionTable {
  name: string
  /** JSON text; `null` if the record was deleted. */
  value: string | null
  /** Increases with every change of any record, also across a restore, which begins with an empty table. */
  version: number
}

/** Poll interval for changes by other processes, in milliseconds. */
const POLL_INTERVAL = 500

const migrations: Record<string, Migration> = {
  '001_site_options': {
    async up(db) {
      await db.schema
        .createTable('site_options')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text')
        .addColumn('version', 'bigint', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('site_options_version').on('site_options').column('version').execute()
    },
  },
}

/**
 * The options as rows in PostgreSQL, for processes on any machine. Writers lock the table, so each sees the changes of the others; readers
 * are not blocked. `options.json` is a copy, for backups and for commands that do not open the database; it is read only if the table is
 * empty, or if a restore replaced it.
 */
export async function openRecordRows({ db, migrate }: Database, siteDir: string, log: Logger): Promise<RecordStorage> {
  await migrate('site-options', migrations)
  const copy = createDurableFile(join(siteDir, OPTIONS_FILE), async () => {})
  /** The newest version that was read or written here; `undefined` if unknown. */
  let seen: number | undefined
  /** The transaction that holds the lock. */
  let holding: Transaction<Schema> | undefined

  const newest = async (handle: Kysely<Schema>) =>
    (
      await handle
        .selectFrom('site_options')
        .select(({ fn }) => fn.max<number | null>('version').as('version'))
        .executeTakeFirstOrThrow()
    ).version ?? 0

  async function saveCopy(records: JsonRecord): Promise<void> {
    try {
      await copy.write(records)
    } catch (error) {
      log.error({ err: error }, 'could not update options.json, the next backup may contain older settings')
    }
  }

  async function read(): Promise<JsonRecord> {
    const rows = await (holding ?? db).selectFrom('site_options').selectAll().orderBy('name').execute()
    const records = parse(rows)
    seen = Math.max(0, ...rows.map(({ version }) => version))
    await saveCopy(records)
    return records
  }

  /** Call it while holding the lock. */
  async function write(records: JsonRecord): Promise<void> {
    if (!holding) throw new Error('The options are written without a lock.')
    const stored = new Map(
      (await holding.selectFrom('site_options').select(['name', 'value']).execute()).map((row) => [
        row.name,
        row.value,
      ]),
    )
    const names = new Set([...stored.keys(), ...Object.keys(records)])
    const version = Math.max((await newest(holding)) + 1, Date.now())
    for (const name of names) {
      const value = Object.hasOwn(records, name) ? JSON.stringify(records[name]) : null
      if (value === (stored.get(name) ?? null)) continue
      await holding
        .insertInto('site_options')
        .values({ name, value, version })
        .onConflict((row) => row.column('name').doUpdateSet({ value, version }))
        .execute()
      seen = version
    }
    await saveCopy(records)
  }

  async function hold<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await db.transaction().execute(async (handle) => {
        await sql`lock table site_options in share row exclusive mode`.execute(handle)
        holding = handle
        return work()
      })
    } catch (error) {
      // What was written may be lost, so everything is read again.
      seen = undefined
      throw error
    } finally {
      holding = undefined
    }
  }

  const mark = join(siteDir, OPTIONS_IMPORT)
  await hold(async () => {
    await copy.removeLeftovers()
    if (!existsSync(mark) && (await newest(db)) > 0) return
    const records = await copy.read()
    if (records) await write(records)
  })
  rmSync(mark, { force: true })

  return {
    read,
    write,
    hold,
    changed: async () => (await newest(holding ?? db)) !== seen,
    watch(look) {
      const timer = setInterval(look, POLL_INTERVAL).unref()
      return () => clearInterval(timer)
    },
  }
}

function parse(rows: readonly OptionTable[]): JsonRecord {
  const entries = rows.flatMap(({ name, value }) => (value === null ? [] : [[name, JSON.parse(value)]]))
  const records = toJson(Object.fromEntries(entries), 'options')
  if (!isJsonRecord(records)) throw new Error('The options in the database are not a JSON object.')
  return records
}
