import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openStagingDatabase, siteTables } from '../../app/replacement/index.ts'
import { encodeValue, type Value } from '../../plugins/backup/database/format.ts'
import { loadDatabase } from '../../plugins/backup/restore/load-database.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from './archive-files.ts'

interface Table {
  readonly table: string
  readonly kind?: 'sqlite' | 'postgres'
  readonly columns: readonly string[]
  readonly create?: readonly string[]
  readonly foreignKeys?: readonly string[]
  readonly lastId?: number
  readonly rows: readonly Value[][]
}

/** Loads tables as an archive would bring them, then asks. */
async function loaded(tables: readonly Table[], ask: string, databaseUrl?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pentad-load-'))
  const place = { file: join(folder, 'new.db'), schema: 'restore_new' }
  const database = await openStagingDatabase({ siteDir: folder, databaseUrl }, place, siteTables)
  try {
    await mkdir(join(folder, 'database'))
    for (const { rows, ...head } of tables) {
      const lines = [{ kind: 'sqlite', create: [], ...head }, ...rows.map((row) => row.map(encodeValue))]
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await writeFile(join(folder, 'database', `${encodeURIComponent(head.table)}.ndjson`), text)
    }
    const steps = await Array.fromAsync(loadDatabase(database, join(folder, 'database'), (text) => text))
    const warnings = steps.flatMap(({ warning }) => warning ?? [])
    return { rows: (await sql.raw(ask).execute(database.db)).rows, warnings }
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const odd = { table: 'odd name/2', columns: ['a', 'b'], rows: [[1n, 'x']] }

describe('the database of an archive', () => {
  it('keeps the kind of every value', async () => {
    const values: Value[] = [
      null,
      1n,
      9007199254740993n,
      -9223372036854775808n,
      5,
      -0,
      0.1,
      1e300,
      Infinity,
      'ü😀',
      '',
      Buffer.from([0, 255]),
    ]
    const { rows } = await loaded(
      [{ table: 'odd', columns: ['v'], create: ['create table odd (v)'], rows: values.map((value) => [value]) }],
      'select typeof(v) as type, cast(v as text) as text, hex(v) as hex from odd',
    )
    const types = [
      'null',
      'integer',
      'integer',
      'integer',
      'real',
      'real',
      'real',
      'real',
      'real',
      'text',
      'text',
      'blob',
    ]
    expect(rows.map((row) => Object(row).type)).to.deep.equal(types)
    expect(Object(rows[2]).text).to.equal('9007199254740993')
    expect(Object(rows[3]).text).to.equal('-9223372036854775808')
    expect(Object(rows[11]).hex).to.equal('00FF')
  })

  it('keeps the tables of extensions, under any name, with their indexes', async () => {
    const create = [
      'create table "odd name/2" (a integer primary key autoincrement, b)',
      'create unique index odd_b on "odd name/2" (b) where b is not null',
    ]
    const { rows } = await loaded(
      [{ ...odd, create, lastId: 41 }],
      `select name, (select seq from sqlite_sequence where name = 'odd name/2') as seq from sqlite_master where name like 'odd%'`,
    )
    expect(rows).to.have.deep.members([
      { name: 'odd name/2', seq: 41 },
      { name: 'odd_b', seq: 41 },
    ])
  })

  it('keeps columns that the host does not know, and does without those that the archive does not have', async () => {
    const { rows } = await loaded(
      [{ table: 'terms', columns: ['id', 'taxonomy', 'name', 'slug', 'color'], rows: [[7n, 'tag', 'A', 'a', 'red']] }],
      'select id, name, count, color from terms',
    )
    expect(rows).to.deep.equal([{ id: 7, name: 'A', count: 0, color: 'red' }])
  })

  it('makes a table however its owner wrote it down', async () => {
    const create = [
      "create table -- its name follows; in brackets\n [odd name/2] (a text default ';' check (a <> '('), `b` int) STRICT, without rowid",
      'create index `i` on [odd name/2] (b)',
    ].map((statement) => statement.replace('a text', 'a text primary key'))
    const { rows } = await loaded([{ ...odd, create, rows: [['x', 1n]] }], 'select a, b from "odd name/2"')
    expect(rows).to.deep.equal([{ a: 'x', b: 1 }])
  })

  it('refuses to make an index of another table', async () => {
    const create = ['create table "odd name/2" (a, b)', 'create index i on users (login)']
    const error = await loaded([{ ...odd, create }], 'select 1').catch((reason) => reason)
    expect(error).to.include({ code: 'archive_corrupt' })
  })

  it('brings no sessions and no jobs along, whatever their table is called', async () => {
    const columns = ['token_hash', 'user_id']
    const { rows } = await loaded([{ table: 'Sessions', columns, rows: [['x', 1n]] }], 'select * from sessions')
    expect(rows).to.deep.equal([])
  })

  it('leaves tables out that another kind of database made, and says so', async () => {
    const { warnings } = await loaded(
      [{ ...odd, kind: 'postgres', create: ['create table "odd name/2" ()'] }],
      'select 1',
    )
    expect(warnings.join()).to.match(/odd name\/2/)
  })

  for (const statement of [
    "attach database '/tmp/x' as x",
    'create table "odd name/2" (a, b); drop table users',
    'create trigger t after insert on users begin delete from users; end',
    'create table another (a)',
    'create table "odd name/2" as with recursive n(a, b) as (select 1, 1 union all select a + 1, b from n) select * from n',
    'create table "odd name/2" (a, b) as select 1, 2',
    'create table main."odd name/2" (a, b)',
    'create table if not exists "odd name/2" (a, b)',
    'create table "odd name/2" (a, b) /* ; */ ; select 1',
  ]) {
    it(`refuses to make a table by ${statement.slice(0, 30)}`, async () => {
      const error = await loaded([{ ...odd, create: [statement] }], 'select 1').catch((reason) => reason)
      expect(error).to.include({ code: 'archive_corrupt' })
    })
  }

  it('refuses a row that no site has, without reading it into memory', async () => {
    await using folder = await temporaryFolder()
    const place = { file: join(folder.path, 'new.db'), schema: 'unused' }
    const database = await openStagingDatabase({ siteDir: folder.path }, place, siteTables)
    try {
      await mkdir(join(folder.path, 'database'))
      const head = { table: 'terms', kind: 'sqlite', columns: ['id', 'name'], create: [] }
      const file = join(folder.path, 'database', 'terms.ndjson')
      await writeFile(file, `${JSON.stringify(head)}\n[1,"`)
      // A file with a hole: it takes no room, and its zeros are one line.
      await truncate(file, 1024 ** 3)
      const loading = Array.fromAsync(loadDatabase(database, join(folder.path, 'database'), (text) => text))
      expect(await loading.catch((error) => error)).to.include({ code: 'archive_corrupt' })
    } finally {
      await database.close()
    }
  })

  it('rejects invalid rows', async () => {
    const error = await loaded([{ table: 'terms', columns: ['id', 'name'], rows: [[1n]] }], 'select 1').catch(
      (reason) => reason,
    )
    expect(error).to.include({ code: 'archive_corrupt' })
  })
})

describe('the database of an archive (PostgreSQL)', () => {
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })
  const mine: Table = { table: 'mine', kind: 'postgres', columns: ['a'], rows: [['x']] }

  it('makes the tables of extensions with their rules', async () => {
    const create = [
      `create table "mine" ("a" text not null default 'b;'::text, "id" uuid default gen_random_uuid(), "b" text[] default '{}'::text[],
        constraint "mine_pkey" PRIMARY KEY (id), constraint "c" CHECK ((lower(a) <> E'\\n'::text)))`,
      'CREATE UNIQUE INDEX mine_a ON mine USING btree (lower(a)) WHERE a IS NOT NULL',
    ]
    const foreignKeys = ['constraint "f" FOREIGN KEY (id) REFERENCES mine(id) ON DELETE CASCADE']
    const { rows, warnings } = await loaded(
      [{ ...mine, create, foreignKeys }],
      'select a, b, id is not null as known from mine',
      await createPostgresDatabase(),
    )
    expect({ rows, warnings }).to.deep.equal({ rows: [{ a: 'x', b: [], known: true }], warnings: [] })
  })

  const columns = '"a" text, "id" int primary key default 1'
  for (const [what, table, foreignKeys = [], ...indexes] of [
    ['a query', `create table "mine" as select pg_read_file('/etc/hostname') as a`],
    ['a default that reads files', `create table "mine" ("a" text, b text default pg_read_file('/etc/hostname'))`],
    ['a check that waits', `create table "mine" ("a" text check ("pg_sleep"(1) is not null))`],
    ['a table of the site that hears of its rows', 'create table "mine" ("a" text) inherits (public.posts)'],
    ['a schema', 'create table public."mine" ("a" text)'],
    ['an index that reads files', `create table "mine" (${columns})`, [], 'create index i on mine (pg_stat_file(a))'],
    ['an index of the site', `create table "mine" (${columns})`, [], 'create index i on public.mine (a)'],
    [
      'a key of the site',
      `create table "mine" (${columns})`,
      ['constraint "f" foreign key (id) references public.users (id)'],
    ],
    [
      'a second change',
      `create table "mine" (${columns})`,
      ['constraint "f" foreign key (id) references mine (id), add column c text default version()'],
    ],
  ] satisfies [what: string, table: string, foreignKeys?: string[], index?: string][]) {
    it(`refuses a table with ${what}`, async () => {
      const hostile = { ...mine, create: [table, ...indexes], foreignKeys }
      const error = await loaded([hostile], 'select 1', await createPostgresDatabase()).catch((reason) => reason)
      expect(error).to.include({ code: 'archive_corrupt' })
    })
  }
})
