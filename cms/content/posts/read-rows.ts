import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import { type Db, inChunks, type PostRow, rowIds } from '../rows.ts'

/**
 * Caches the rows of single posts that the current request has read, so that a permission check, the handler, the page and the `Allow`
 * header read a post once. A write of this process invalidates the cache; jobs and commands do not use it.
 */
export interface ReadRows {
  get(id: number): Promise<PostRow | undefined>
  /** The rows with these ids, in any order. */
  getMany(ids: Iterable<number>): Promise<PostRow[]>
  /** A row that was just read in another way, or just stored. */
  note(row: PostRow): void
  /** Posts are about to change, or have changed. */
  invalidate(): void
}

export function createReadRows(db: Db): ReadRows {
  let version = 0
  /** Keyed by the waiting time of a request, which its internal requests share. */
  const requests = new WeakMap<object, { version: number; readonly rows: Map<number, Promise<PostRow | undefined>> }>()

  function rowsOfRequest(): Map<number, Promise<PostRow | undefined>> | undefined {
    const key = currentRequest()?.waiting
    if (key === undefined) return undefined
    let known = requests.get(key)
    if (known?.version !== version) {
      known = { version, rows: new Map() }
      requests.set(key, known)
    }
    return known.rows
  }

  return {
    get(id) {
      const rows = rowsOfRequest()
      let row = rows?.get(id)
      if (row === undefined) {
        row = rowOf(db, id)
        rows?.set(id, row)
        // A failed query is not cached.
        row.catch(() => rows?.delete(id))
      }
      return row
    },
    async getMany(ids) {
      const rows = rowsOfRequest()
      const wanted = rowIds(ids)
      // Before waiting: another part of the request may add rows meanwhile.
      const unknown = wanted.filter((id) => !rows?.has(id))
      const known = await Promise.all(wanted.flatMap((id) => rows?.get(id) ?? []))
      const others = await inChunks(unknown, (some) =>
        db.selectFrom('posts').selectAll().where('id', 'in', some).execute(),
      )
      return [...known.filter((row) => row !== undefined), ...others]
    },
    note(row) {
      rowsOfRequest()?.set(row.id, Promise.resolve(row))
    },
    invalidate() {
      version++
    },
  }
}

/** Always reads the row, for use within a transaction. */
export async function rowOf(db: Db, id: number): Promise<PostRow | undefined> {
  if (!isRowId(id)) return undefined
  // Written out: building the statement takes longer than running it.
  const { rows } = await sql<PostRow>`select * from posts where id = ${id}`.execute(db)
  return rows[0]
}
