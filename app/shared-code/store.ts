import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { z } from 'zod'
import type { Database } from '../../core/database/index.ts'
import type { JoiningHost } from '../../core/types.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    shared_code: SharedCodeTable
  }
}

interface SharedCodeTable {
  hash: string
  /** A tar.gz file. */
  archive: Buffer
  /** Milliseconds since 1970. */
  created: number
}

const DAY = 24 * 3_600_000
/** Name of the option. */
export const SHARED_CODE = 'host_shared_code'

const entrySchema = z.object({ hash: z.string(), isRemoved: z.boolean() })
const entriesSchema = z.object({
  extensions: z.record(z.string(), entrySchema).default({}),
  themes: z.record(z.string(), entrySchema).default({}),
})

/** What every node has in its folders, by the names of the entries; a removed entry with the hash that it had. */
export type Entries = z.output<typeof entriesSchema>
export type Entry = z.output<typeof entrySchema>
export type CodeKind = keyof Entries

const migrations: Record<string, Migration> = {
  '001_shared_code': {
    up: (db) =>
      db.schema
        .createTable('shared_code')
        .addColumn('hash', 'text', (c) => c.primaryKey())
        .addColumn('archive', 'bytea', (c) => c.notNull())
        .addColumn('created', 'bigint', (c) => c.notNull())
        .execute(),
  },
}

/** The archives in the database, and the option that names those in use. */
export interface CodeStore {
  entries(): Entries
  set(kind: CodeKind, name: string, entry: Entry): Promise<void>
  replace(entries: Entries): Promise<void>
  /** Does nothing if the archive is stored already. */
  save(hash: string, archive: () => Buffer): Promise<void>
  read(hash: string): Promise<Buffer | undefined>
}

export async function openCodeStore({
  database: { db, migrate },
  options,
  log,
}: Pick<JoiningHost, 'options' | 'log'> & { readonly database: Pick<Database, 'db' | 'migrate'> }): Promise<CodeStore> {
  await migrate('shared-code', migrations)
  const read = (value: unknown): Entries => entriesSchema.safeParse(value).data ?? { extensions: {}, themes: {} }

  /** Archives that are no longer in use, unless a node may still be fetching them. */
  async function prune(): Promise<void> {
    const { extensions, themes } = read(options.get(SHARED_CODE))
    const used = [...Object.values(extensions), ...Object.values(themes)].flatMap(({ hash, isRemoved }) =>
      isRemoved ? [] : hash,
    )
    const old = db.deleteFrom('shared_code').where('created', '<', Date.now() - DAY)
    await (used.length > 0 ? old.where('hash', 'not in', used) : old).execute()
  }

  /** Keeps an archive that is about to be pruned. @returns whether there is one */
  async function renew(hash: string, created: number): Promise<boolean> {
    const renewed = await db.updateTable('shared_code').set({ created }).where('hash', '=', hash).executeTakeFirst()
    return renewed.numUpdatedRows > 0n
  }

  return {
    entries: () => read(options.get(SHARED_CODE)),
    async set(kind, name, entry) {
      const previous = read(options.get(SHARED_CODE))[kind][name]
      // It is used again if the change is undone.
      if (previous) await renew(previous.hash, Date.now())
      await options.modify(SHARED_CODE, (value) => {
        const current = read(value)
        return { ...current, [kind]: { ...current[kind], [name]: entry } }
      })
      // The change has taken effect.
      await prune().catch((error) =>
        log.error({ err: error }, 'could not delete unused archives of extensions and themes'),
      )
    },
    replace: (entries) => options.update(SHARED_CODE, entries),
    async save(hash, archive) {
      const created = Date.now()
      if (await renew(hash, created)) return
      await db
        .insertInto('shared_code')
        .values({ hash, archive: archive(), created })
        .onConflict((row) => row.column('hash').doUpdateSet({ created: sql`excluded.created` }))
        .execute()
    },
    async read(hash) {
      const row = await db.selectFrom('shared_code').select('archive').where('hash', '=', hash).executeTakeFirst()
      return row?.archive
    },
  }
}
