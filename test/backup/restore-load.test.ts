import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openDatabaseBeside } from '../../core/content/database-beside.ts'
import { encodeValue, type Value } from '../../plugins/backup/database/format.ts'
import { loadDatabase } from '../../plugins/backup/restore/load-database.ts'
import { temporaryFolder } from './archive-files.ts'

interface Table {
  readonly table: string
  readonly kind?: 'sqlite' | 'postgres'
  readonly columns: readonly string[]
  readonly create?: readonly string[]
  readonly lastId?: number
  readonly rows: readonly Value[][]
}

/** Loads tables as an archive would bring them, then asks. */
async function loaded(tables: readonly Table[], ask: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pentad-load-'))
  const database = await openDatabaseBeside({ siteDir: folder }, { file: join(folder, 'new.db'), schema: 'unused' })
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
      [{ table: 'terms', columns: ['id', 'taxonomy', 'name', 'slug', 'colour'], rows: [[7n, 'tag', 'A', 'a', 'red']] }],
      'select id, name, count, colour from terms',
    )
    expect(rows).to.deep.equal([{ id: 7, name: 'A', count: 0, colour: 'red' }])
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
  ]) {
    it(`refuses to make a table by ${statement.slice(0, 30)}`, async () => {
      const error = await loaded([{ ...odd, create: [statement] }], 'select 1').catch((reason) => reason)
      expect(error).to.include({ code: 'archive_corrupt' })
    })
  }

  it('refuses a row that no site has, without reading it into memory', async function () {
    this.timeout(30_000)
    await using folder = await temporaryFolder()
    const place = { file: join(folder.path, 'new.db'), schema: 'unused' }
    const database = await openDatabaseBeside({ siteDir: folder.path }, place)
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

  it('refuses what is no row', async () => {
    const error = await loaded([{ table: 'terms', columns: ['id', 'name'], rows: [[1n]] }], 'select 1').catch(
      (reason) => reason,
    )
    expect(error).to.include({ code: 'archive_corrupt' })
  })
})
