import type { Kysely } from 'kysely'
import { toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { cleanText } from '../../content/rows.ts'
import type { Embed } from './types.ts'

type EmbedTables = { oembed_cache: EmbedTable }

/** Cached provider responses; WordPress's post type `oembed_cache`. */
interface EmbedTable {
  /** `Embed.key` */
  key: string
  url: string
  /** JSON; empty if the provider has no data. */
  answer: string
  html: string | null
  expires_gmt: string
}

/** Retention of responses that no page has used, in ms. */
const KEEP_UNUSED = 30 * 24 * 3600_000

/** Provider responses, shared by all processes of the site. */
export interface EmbedTableAccess {
  /** Cached responses by key. */
  get(keys: readonly string[]): Promise<Map<string, Embed>>
  put(embed: Embed): Promise<void>
  /** Deletes responses not used for 30 days, and expired failures; they are requested again when needed. */
  prune(): Promise<void>
}

export async function openEmbedTable(database: Database): Promise<EmbedTableAccess> {
  await database.migrate('embeds', { '001_oembed_cache': { up: create } })
  const db = database.db.withTables<EmbedTables>()
  return {
    async get(keys) {
      if (keys.length === 0) return new Map()
      const rows = await db.selectFrom('oembed_cache').selectAll().where('key', 'in', keys).execute()
      return new Map(rows.map((row) => [row.key, toEmbed(row)]))
    },
    async put({ key, url, answer, html, expires }) {
      const values = {
        url: cleanText(url),
        html: html === null ? null : cleanText(html),
        answer: answer ? cleanText(JSON.stringify(answer)) : '',
        expires_gmt: toGmt(expires),
      }
      await db
        .insertInto('oembed_cache')
        .values({ key, ...values })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
        .execute()
    },
    async prune() {
      await db
        .deleteFrom('oembed_cache')
        .where(({ and, eb, or }) =>
          or([
            eb('expires_gmt', '<', toGmt(Date.now() - KEEP_UNUSED)),
            and([eb('expires_gmt', '<', toGmt(Date.now())), eb('answer', '=', ''), eb('html', 'is', null)]),
          ]),
        )
        .execute()
    },
  }
}

function toEmbed({ key, url, answer, html, expires_gmt: expires }: EmbedTable): Embed {
  return { key, url, html, answer: answer === '' ? null : JSON.parse(answer), expires: Date.parse(`${expires}Z`) }
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oembed_cache')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('html', 'text')
    .addColumn('expires_gmt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('oembed_cache_expires').on('oembed_cache').column('expires_gmt').execute()
}
