import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { CompiledQuery } from 'kysely'
import { databaseFor } from '../../cms/database/view.ts'
import { createDatabase, type Database, type SiteDatabase } from '../../core/database/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const NEVER = new Promise<never>(() => {})

onEachDatabase('a database that an extension uses', (databaseUrl) => {
  let database: SiteDatabase
  let own: Database
  let unload: AbortController
  let call: { isAbandoned: boolean } | undefined
  let errors: string[]
  /** How many statements ran as the owner's code. */
  let ran: number

  before(async () => {
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
  })
  beforeEach(() => {
    unload = new AbortController()
    call = undefined
    errors = []
    ran = 0
    own = databaseFor(
      {
        id: 'shop',
        signal: unload.signal,
        onError: (error, where) => void errors.push(`${where}: ${error.message}`),
        call: () => call,
        run(work) {
          ran++
          return work()
        },
      },
      database,
    )
  })
  afterEach(() => unload.abort())
  after(() => database.close())

  const insert = ({ db }: Pick<Database, 'db'>, name: string) =>
    db.insertInto('leases').values({ name, holder: 'a test', expires: 0 }).execute()
  const names = async () =>
    (await database.db.selectFrom('leases').select('name').orderBy('name').execute()).map(({ name }) => name)
  const raw = (sql: string) =>
    own.db.executeQuery(CompiledQuery.raw(sql)).then(
      () => 'done',
      (error: Error) => error.message,
    )

  /** Begins a transaction that inserts `name`, then goes on with `next`. Resolves once it is inserted. */
  async function begin(name: string, next: () => Promise<unknown>): Promise<{ end: Promise<string> }> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = own.db.transaction().execute(async (db) => {
      await insert({ db }, name)
      resolve()
      await next()
      await insert({ db }, `${name}-later`)
    })
    const ended = end.then(
      () => 'committed',
      (error: Error) => error.message,
    )
    await Promise.race([promise, ended])
    return { end: ended }
  }

  it('commits and undoes its transactions', async () => {
    expect(await (await begin('kept', async () => {})).end).to.equal('committed')
    expect(await (await begin('undone', () => Promise.reject(new Error('no')))).end).to.equal('no')
    const controlled = await own.db.startTransaction().execute()
    await insert({ db: controlled }, 'undone-too')
    await controlled.rollback().execute()
    expect(await names()).to.deep.equal(['kept', 'kept-later'])
  })

  it('rolls back idle transactions after 5 s and reports them, even more than there are connections', async () => {
    const before = await names()
    const hung = await Promise.all(
      Array.from({ length: database.kind === 'sqlite' ? 1 : 10 }, (_, at) => begin(`hung-${at}`, () => NEVER)),
    )
    await insert(database, 'others')
    expect(await names()).to.deep.equal([...before, 'others'])
    await until(() => errors.length === hung.length)
    expect(errors[0]).to.equal(
      'database transaction: A database transaction of the extension shop was idle for 5 s. It was rolled back.',
    )
    expect(await (await begin('next', async () => {})).end).to.equal('committed')
  })

  it('lets a transaction take its time that does something', async () => {
    await own.db.transaction().execute(async (db) => {
      for (const name of ['slow-1', 'slow-2']) {
        await insert({ db }, name)
        await wait(3_000)
      }
    })
    expect(await names()).to.include('slow-2')
    expect(errors).to.deep.equal([])
  })

  it('rolls it back when the call that it belongs to was abandoned', async () => {
    call = { isAbandoned: false }
    const goOn = Promise.withResolvers<void>()
    const { end } = await begin('late', () => goOn.promise)
    call.isAbandoned = true
    await insert(database, 'after-late')
    await wait(300)
    goOn.resolve()
    expect(await end).to.match(/exceeded the time limit of its call/)
    expect(errors).to.deep.equal([])
    expect(await names()).to.not.include('late-later')
  })

  it('rolls it back when its extension is unloaded, which then begins no other', async () => {
    const { end: _ } = await begin('unloaded', () => NEVER)
    unload.abort()
    await insert(database, 'after-unload')
    expect(await names())
      .to.include('after-unload')
      .and.not.include('unloaded')
    expect(await (await begin('again', async () => {})).end).to.equal('Extension shop was unloaded.')
    await insert(database, 'after-again')
  })

  it('runs statements of SQLite, which block the thread, as its code, also one that waits for a transaction first', async () => {
    if (database.kind === 'postgres') return
    await own.db.selectFrom('leases').select('name').execute()
    expect(ran).to.equal(1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = database.db.transaction().execute(() => promise)
    const inserted = insert(own, 'after others')
    await new Promise(setImmediate)
    resolve()
    await others
    await inserted
    expect(ran).to.equal(2)
    await database.db.selectFrom('leases').select('name').execute()
    expect(ran).to.equal(2)
    await database.db.deleteFrom('leases').execute()
  })

  it('is neither closed nor changed for others', async () => {
    expect(await own.close().catch((error: Error) => error.message)).to.match(/shop must not close/)
    await own.db.destroy()
    const [transaction, setting] = [
      /database.db.transaction\(\)/,
      /must not change the state of the database connection/,
    ]
    for (const sql of ['BEGIN', ' /* a; */ -- b;\n commit', 'rollback', 'savepoint a']) {
      expect(await raw(sql), sql).to.match(transaction)
    }
    const changing = {
      sqlite: ['PRAGMA query_only = ON', 'pragma main.synchronous(off)', `pragma 'query_only' = 1`, `attach 'x' as y`],
      postgres: [
        'set search_path = x',
        'reset all',
        'DISCARD ALL',
        `select ';'; set role x`,
        'select $a$;$a$; set role x',
      ],
    }
    for (const sql of changing[database.kind]) expect(await raw(sql), sql).to.match(setting)
    const harmless = {
      sqlite: ['pragma table_info(posts)', 'pragma journal_mode', `with begin as (select 1) select * from begin`],
      postgres: [
        'set local work_mem = 65536',
        `select '; set role x'`,
        'select $a$; set role x$a$',
        'select 1; select 2',
      ],
    }
    for (const sql of harmless[database.kind]) expect(await raw(sql), sql).to.equal('done')
    await insert(database, 'unchanged')
  })
})
