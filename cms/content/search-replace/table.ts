import { sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import { createContentWriter, type NoteChange } from '../one-writer.ts'
import { type ReplaceText, replaceIn } from '../replace-in-text.ts'
import { cleanText, type Db, fromJsonText, toJsonText } from '../rows.ts'
import { createSearchIndex, type SearchEntry } from '../search/index.ts'
import type { TextColumn } from './columns.ts'
import { replaceInValue } from './replace.ts'

/** Rows that are changed in one transaction. */
const BATCH = 100

type Row = Readonly<Record<string, string | number>>

/** A changed row. */
interface Change {
  readonly before: Row
  /** New values by column of the database. */
  readonly values: ReadonlyMap<string, string>
  readonly entry: SearchEntry | undefined
}

/** Replaces in columns of one table, batch by batch in the order of the ids; the number of changed values by column. */
export async function replaceInTable(
  database: Database,
  columns: readonly TextColumn[],
  how: {
    readonly replace: ReplaceText
    /** Text that a value must contain; `undefined` for all values. */
    readonly needle: string | undefined
    readonly dryRun: boolean
    readonly noteChange: NoteChange
    /** Receives ids of the table: the last one processed, and the largest. */
    onProgress(id: number, last: number): void
  },
): Promise<ReadonlyMap<string, number>> {
  const { db, kind } = database
  const write = createContentWriter(database, 'posts', how.noteChange)
  const index = createSearchIndex(database)
  const [{ table } = { table: '' }] = columns
  const isPosts = table === 'posts'
  const id = table.endsWith('meta') ? 'meta_id' : 'id'
  const counts = new Map<string, number>()
  const contains = sql.raw(kind === 'sqlite' ? 'instr' : 'strpos')
  const selected = sql.join(
    (isPosts
      ? ['id', 'type', 'status', 'title', 'content', 'excerpt', 'password', 'guid']
      : [id, ...columns.map(({ column }) => column)]
    ).map((name) => sql.ref(name)),
  )

  const mayHold = ({ column, isJson }: TextColumn) => {
    const needle = isJson ? JSON.stringify(how.needle).slice(1, -1) : how.needle
    return sql`${contains}(${sql.ref(column)}, ${needle}) > 0`
  }
  const filter = how.needle === undefined ? sql`1 = 1` : sql.join(columns.map(mayHold), sql` or `)

  const rowsAfter = async (after: number) =>
    (
      await sql<Row>`select ${selected} from ${sql.table(table)} where ${sql.ref(id)} > ${after} and (${filter})
        order by ${sql.ref(id)} limit ${sql.lit(BATCH)}`.execute(db)
    ).rows

  async function changeOf(row: Row): Promise<Change | undefined> {
    const values = new Map<string, string>()
    for (const { column, isJson } of columns) {
      const before = String(row[column])
      const after = isJson
        ? toJsonText(replaceInValue(fromJsonText(before), how.replace))
        : cleanText(replaceIn(before, how.replace))
      // JSON may have been written in another way.
      if (after !== before && !(isJson && after === toJsonText(fromJsonText(before)))) values.set(column, after)
    }
    if (values.size === 0) return undefined
    return { before: row, values, entry: isPosts ? await index.entry(searched(row, values)) : undefined }
  }

  async function store(handle: Db, { before, values, entry }: Change): Promise<void> {
    const set = [...values].map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.ref(id)} = ${before[id]}`.execute(handle)
    if (entry) await index.put(handle, { ...searched(before, values), id: Number(before.id) }, entry)
  }

  const {
    rows: [largest],
  } = await sql<{ id: number | null }>`select max(${sql.ref(id)}) as id from ${sql.table(table)}`.execute(db)
  for (let after = 0; ; ) {
    const rows = await rowsAfter(after)
    const changes: Change[] = []
    for (const row of rows) {
      const change = await changeOf(row)
      if (change) changes.push(change)
    }
    const stored = how.dryRun ? changes : await write((handle) => storeAll(handle, changes))
    for (const { values } of stored) {
      for (const { name, column } of columns) if (values.has(column)) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    if (rows.length < BATCH) return counts
    after = Number(rows.at(-1)?.[id] ?? after)
    how.onProgress(after, largest?.id ?? after)
  }

  /** If a row was changed since it was read, the replacement is applied to its current value. */
  async function storeAll(handle: Db, changes: readonly Change[]): Promise<Change[]> {
    const stored: Change[] = []
    for (const change of changes) {
      const { rows } = await sql<Row>`select ${selected} from ${sql.table(table)}
        where ${sql.ref(id)} = ${change.before[id]}`.execute(handle)
      const [now] = rows
      const isSame = now && Object.entries(change.before).every(([name, value]) => now[name] === value)
      const current = isSame ? change : now && (await changeOf(now))
      if (!current) continue
      await store(handle, current)
      stored.push(current)
    }
    return stored
  }
}

/** The indexed words of a post with its new texts. */
function searched(row: Row, values: ReadonlyMap<string, string>) {
  const text = (name: string) => values.get(name) ?? String(row[name])
  return {
    ...{ type: text('type'), status: text('status'), title: text('title'), content: text('content') },
    ...{ excerpt: text('excerpt'), password: text('password') },
  }
}
