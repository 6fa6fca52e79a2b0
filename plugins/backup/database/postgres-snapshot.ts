import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from 'pentad'
import { isExcludedTable, tableHeadSchema, type Value } from './format.ts'
import { describeExcluded, describeTables } from './postgres-tables.ts'
import type { Snapshots } from './types.ts'

/** Row number column added to each copied table, so that a read can resume. */
const ROW = 'backup_row'
/** Table in the copy that holds the heads. */
const HEADS = 'backup_heads'
/** Maximum rows and bytes per page. */
const PAGE_ROWS = 500
const PAGE_BYTES = 4 * 1024 * 1024

type Db = Database['db']
type Type = { readonly column: string; readonly type: string }

/**
 * A snapshot that outlives its connection and process: one transaction with isolation level `repeatable read` copies
 * the tables into a schema of the job.
 */
export function createPostgresSnapshots({
  database: { db },
  jobId,
}: {
  database: Pick<Database, 'db'>
  jobId: string
}): Snapshots {
  const schema = snapshotSchema(jobId)
  const place = (table: string) => sql.id(schema, table)

  return {
    take: () =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(transaction)
          await sql`create schema ${sql.id(schema)}`.execute(transaction)
          await sql`create table ${place(HEADS)} (head text not null)`.execute(transaction)
          for (const head of await describeTables(transaction)) {
            if (isExcludedTable(head.table)) continue
            await sql`insert into ${place(HEADS)} values (${JSON.stringify(head)})`.execute(transaction)
            const columns = sql.join([
              sql`row_number() over () as ${sql.id(ROW)}`,
              ...head.columns.map((column) => sql.id(column)),
            ])
            await sql`create table ${place(head.table)} as select ${columns} from ${sql.id(head.table)}`.execute(
              transaction,
            )
            await sql`alter table ${place(head.table)} add primary key (${sql.id(ROW)})`.execute(transaction)
          }
        }),
    async taken() {
      const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db)
      return rows.length > 0
    },
    async open() {
      const { rows } = await sql<{ head: string }>`select head from ${place(HEADS)}`.execute(db)
      const tables = rows.map(({ head }) => tableHeadSchema.parse(JSON.parse(head)))
      tables.sort((a, b) => (a.table < b.table ? -1 : 1))
      const excluded = await describeExcluded(db)
      return { tables, excluded, rows: (table, skip) => readRows(db, schema, table, skip), close: () => {} }
    },
    async drop() {
      await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db)
    },
  }
}

/** Name of the schema for a job's copy. */
function snapshotSchema(jobId: string): string {
  return `backup_${createHash('sha256').update(jobId).digest('hex').slice(0, 16)}`
}

async function* readRows(db: Db, schema: string, table: string, skip: number): AsyncGenerator<Value[]> {
  const from = sql.id(schema, table)
  const { rows: types } = await sql<Type>`
    select attname as "column", format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${`"${schema}"."${table.replaceAll('"', '""')}"`}::regclass
      and attnum > 0 and not attisdropped and attname <> ${ROW}
    order by attnum`.execute(db)
  const select = sql.join(types.map(expressionOf))
  for (let done = skip; ; ) {
    const last = await lastOfPage(db, from, done)
    if (last === undefined) return
    const { rows } = await sql<{ row: (string | null)[] }>`
      select array[${select}]::text[] as row from ${from}
      where ${sql.id(ROW)} > ${done} and ${sql.id(ROW)} <= ${last} order by ${sql.id(ROW)}`.execute(db)
    for (const { row } of rows) yield row.map((text, index) => toValue(text, types[index]?.type ?? 'text'))
    done = last
  }
}

/** Last row that fits into the page, since rows may be large. */
async function lastOfPage(db: Db, from: RawBuilder<unknown>, done: number): Promise<number | undefined> {
  const { rows } = await sql<{ row: number; bytes: number }>`
    select ${sql.id(ROW)} as row, octet_length(t::text) as bytes from ${from} as t
    where ${sql.id(ROW)} > ${done} order by ${sql.id(ROW)} limit ${PAGE_ROWS}`.execute(db)
  let bytes = 0
  let last: number | undefined
  for (const row of rows) {
    bytes += row.bytes
    if (last !== undefined && bytes > PAGE_BYTES) break
    last = Number(row.row)
  }
  return last
}

/** Values are read as text, which is lossless; bytes as base64. */
function expressionOf({ column, type }: Type): RawBuilder<unknown> {
  return type === 'bytea' ? sql`encode(${sql.id(column)}, 'base64')` : sql`${sql.id(column)}::text`
}

function toValue(text: string | null, type: string): Value {
  if (text === null) return null
  if (type === 'bytea') return Buffer.from(text, 'base64')
  if (type === 'smallint' || type === 'integer' || type === 'bigint') return BigInt(text)
  if (type === 'real' || type === 'double precision') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
