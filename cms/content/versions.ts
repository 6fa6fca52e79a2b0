import { type CompiledQuery, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../core/database/index.ts'
import type { Db } from './rows.ts'

/** What changes together: posts with their terms and meta, or comments. */
export type ContentKind = 'posts' | 'comments'

/** Cached totals. Each is a number with the text of its statement. */
const TOTALS = 1000
/** Milliseconds after which a total is counted again in any case: a row may be changed manually, with a database tool. */
const TOTAL_LIFETIME = 60_000

/**
 * The versions of a site's content, which every change increments in its transaction. What was computed from content is valid as long as
 * its version is the same, in all processes of the site.
 */
export interface ContentVersions {
  /** The version of posts, or of comments and the posts that they belong to. Read it before the content itself. */
  current(kind: ContentKind): Promise<string>
  /** Rows may have changed in another way, such as by an extension's statements. */
  noteForeignWrite(): void
  /**
   * The result of a statement that counts, as `total`. Counting takes time in proportion to the rows, so a total is reused until content
   * of this kind changes.
   * @param faster - A faster way to count, if there is one; `undefined` if there turns out to be none.
   */
  total(
    kind: ContentKind,
    statement: CompiledQuery<{ total: number }>,
    faster?: () => Promise<number | undefined>,
  ): Promise<number>
}

export function createContentVersions({ db }: Pick<Database, 'db'>): ContentVersions {
  const totals = new LRUCache<string, { version: string; total: number }>({ max: TOTALS, ttl: TOTAL_LIFETIME })
  let foreignWrites = 0
  /** Compiled once, because each list and each page runs it. */
  const statement = sql<{ kind: ContentKind; version: number }>`
    select kind, version from content_versions order by kind`.compile(db)

  async function current(kind: ContentKind): Promise<string> {
    const { rows } = await db.executeQuery(statement)
    const own = rows.flatMap((row) => (kind === 'comments' || row.kind === kind ? `${row.kind} ${row.version}` : []))
    return [...own, foreignWrites].join()
  }

  async function countBy(statement: CompiledQuery<{ total: number }>): Promise<number> {
    const { rows } = await db.executeQuery(statement)
    return Number(rows[0]?.total ?? 0)
  }

  return {
    current,
    noteForeignWrite() {
      foreignWrites++
    },
    async total(kind, statement, faster) {
      const version = await current(kind)
      const key = JSON.stringify([statement.sql, statement.parameters])
      const known = totals.get(key)
      if (known?.version === version) return known.total
      const total = (await faster?.()) ?? (await countBy(statement))
      totals.set(key, { version, total })
      return total
    },
  }
}

/** Increments the version of the content of this kind; inside the transaction that changes it. */
export async function bumpVersion(handle: Db, kind: ContentKind): Promise<void> {
  await sql`insert into content_versions (kind, version) values (${kind}, 1)
    on conflict (kind) do update set version = content_versions.version + 1`.execute(handle)
}
