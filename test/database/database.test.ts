import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { writeRepeatably } from '../../core/database/repeatable-writes.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

onEachDatabase(
  'createDatabase',
  (databaseUrl) => {
    let database: Database
    let config: { siteDir: string; databaseUrl: string | undefined }

    before(async () => {
      config = { siteDir: temporaryFolder(), databaseUrl: await databaseUrl() }
      database = await createDatabase(config)
    })
    after(() => database.close())

    const insert = (name: string) =>
      database.db
        .insertInto('users')
        .values({
          ...{ login: name, login_key: name, slug: name, display_name: name, first_name: '', last_name: '' },
          ...{ email: '', url: '', description: '', locale: '', password_hash: '', roles: '[]', registered_gmt: '' },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const names = async () =>
      (await database.db.selectFrom('users').select('login').orderBy('id').execute()).map((row) => row.login)

    it('numbers rows by itself', async () => {
      const first = await insert('first')
      const second = await insert('second')
      expect(second.id).to.be.greaterThan(first.id)
    })

    it('lets others read the last committed state while a transaction is open, and their writes wait for its end', async () => {
      let write: Promise<unknown> | undefined
      await database.db.transaction().execute(async (transaction) => {
        await transaction.updateTable('users').set({ description: 'changed' }).execute()
        const seen = await database.db.selectFrom('users').select('description').distinct().execute()
        expect(seen).to.deep.equal([{ description: '' }])
        write = insert('third')
      })
      await write
      expect(await names()).to.deep.equal(['first', 'second', 'third'])
    })

    it('undoes a transaction that throws', async () => {
      const failing = database.db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('users').execute()
        throw new Error('no')
      })
      let message = ''
      await failing.catch((error: Error) => {
        message = error.message
      })
      expect(message).to.equal('no')
      expect(await names()).to.have.length(3)
    })

    it('undoes a transaction that cannot be committed, and only that one', async () => {
      const { db } = database
      await sql`create table parents (id integer primary key)`.execute(db)
      await sql`create table children (parent_id integer references parents (id) deferrable initially deferred)`.execute(
        db,
      )
      const orphan = () =>
        db.transaction().execute((transaction) => sql`insert into children values (7)`.execute(transaction))
      const parent = (id: number) =>
        db.transaction().execute(async (transaction) => {
          await sql`insert into parents values (${id})`.execute(transaction)
          await sql`insert into children values (${id})`.execute(transaction)
        })
      const ends = await Promise.allSettled([orphan(), parent(1), orphan(), parent(2), parent(3)])
      expect(ends.map(({ status }) => status)).to.deep.equal([
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ])
      const { rows } = await sql<{ parent_id: number }>`select parent_id from children order by 1`.execute(db)
      expect(rows.map((row) => row.parent_id)).to.deep.equal([1, 2, 3])
      await sql`drop table children`.execute(db)
      await sql`drop table parents`.execute(db)
    })

    it('lives on when the server ends its connections, idle ones and those in use', async () => {
      if (!config.databaseUrl) return
      const others = new Client({ connectionString: config.databaseUrl })
      await others.connect()
      const endAll = () =>
        others.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      const isAsleep = async () => {
        const asleep = await others.query(`select from pg_stat_activity
        where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`)
        return asleep.rowCount === 1
      }
      // A connection that nobody has used since hears of its end by the next query at the latest.
      const works = () =>
        names().then(
          () => true,
          () => false,
        )
      await works()
      await endAll()
      await until(works)
      const using = database.db.transaction().execute((transaction) => sql`select pg_sleep(30)`.execute(transaction))
      const refusal = using.catch((error: Error) => error.message)
      await until(isAsleep)
      await endAll()
      expect(await refusal).to.match(/terminat/)
      await others.end()
      await until(works)
    })

    it('counts as numbers', async () => {
      const { total } = await database.db
        .selectFrom('users')
        .select((builder) => builder.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      expect(total).to.equal(3)
    })

    it('refuses a row whose owner does not exist', async () => {
      let refused = false
      await database.db
        .insertInto('usermeta')
        .values({ user_id: 999, meta_key: 'a', meta_value: '1' })
        .execute()
        .catch(() => {
          refused = true
        })
      expect(refused).to.equal(true)
    })

    it('keeps everything when it is opened again, and runs an owner’s migrations once', async () => {
      let runs = 0
      const migrations = {
        '001': {
          up: async () => {
            runs++
          },
        },
      }
      await database.migrate('shop', migrations)
      await database.close()
      database = await createDatabase(config)
      await database.migrate('shop', migrations)
      expect(runs).to.equal(1)
      expect(await names()).to.have.length(3)
    })

    it('runs what an owner has added since, and refuses an owner that is older than its tables', async () => {
      const ran: string[] = []
      const migration = (name: string) => ({
        [name]: {
          up: async () => {
            ran.push(name)
          },
        },
      })
      await database.migrate('cellar', migration('001'))
      await database.migrate('cellar', { ...migration('001'), ...migration('002') })
      expect(ran).to.deep.equal(['001', '002'])
      let message = ''
      await database.migrate('cellar', migration('001')).catch((error: Error) => {
        message = error.message
      })
      expect(message).to.match(/^The tables of cellar were migrated by a newer version, with the migration /)
    })
  },
  { isEmpty: true },
)

describe('the start of a site', () => {
  it('does not look at every table for each owner whose migrations have run', async () => {
    const config = { siteDir: temporaryFolder() }
    await (await createDatabase(config)).close()
    const statements: string[] = []
    const { all } = StatementSync.prototype
    StatementSync.prototype.all = function (...values) {
      statements.push(this.sourceSQL)
      return Reflect.apply(all, this, values)
    }
    try {
      await (await createDatabase(config)).close()
    } finally {
      StatementSync.prototype.all = all
    }
    expect(statements).to.have.length(2)
    expect(statements.join()).to.not.include('pragma_table_info')
  })
})

describe('a statement for SQLite', () => {
  it('has no parameter for its limit, because of which SQLite would prepare it again at each execution', async () => {
    const database = await createDatabase({ siteDir: temporaryFolder() })
    const users = database.db.selectFrom('users').select('id').orderBy('id')
    const { sql: text, parameters } = users.where('id', '>', 0).limit(2).offset(1).compile()
    expect(text).to.match(/ where "id" > \? order by "id" limit 2 offset \?$/)
    expect(parameters).to.deep.equal([0, 1])
    expect(users.limit(sql<number>`1 + ${1}`).compile().parameters).to.deep.equal([1])
    await database.close()
  })
})

describe('the file of a SQLite database', () => {
  const modes = (siteDir: string) =>
    ['site.db', 'site.db-wal', 'site.db-shm'].map((name) => (statSync(join(siteDir, name)).mode & 0o777).toString(8))

  it('and its companion files are readable only by their owner', async () => {
    const siteDir = temporaryFolder()
    const made = await createDatabase({ siteDir })
    const first = modes(siteDir)
    await made.close()
    chmodSync(join(siteDir, 'site.db'), 0o644)
    const reopened = await createDatabase({ siteDir })
    const second = modes(siteDir)
    await reopened.close()
    expect([first, second]).to.deep.equal([Array(3).fill('600'), Array(3).fill('600')])
  })

  it('is flushed at each commit, but for work that is done again after a power cut', async () => {
    const database = await createDatabase({ siteDir: temporaryFolder() })
    const flushes = () =>
      database.db.transaction().execute(async (handle) => {
        const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(handle)
        return rows[0]?.synchronous
      })
    const [FULL, NORMAL] = [2, 1]
    expect(await flushes()).to.equal(FULL)
    expect(await writeRepeatably(flushes)).to.equal(NORMAL)
    expect(await flushes()).to.equal(FULL)
    await database.close()
  })

  it('is not read again after a write of the same process', async () => {
    const database = await createDatabase({ siteDir: temporaryFolder() })
    await sql`create table texts (id integer primary key, text text not null)`.execute(database.db)
    const add = (text: string) => sql`insert into texts (text) values (${text})`.execute(database.db)
    const length = () => sql<{ length: number }>`select sum(length(text)) as length from texts`.execute(database.db)
    for (let at = 0; at < 20; at++) await add('x'.repeat(3000))
    await length()
    // The first number is that of bytes that this process has read.
    const read = () => Number(/\d+/.exec(readFileSync('/proc/self/io', 'utf8')))
    const before = read()
    for (let at = 0; at < 20; at++) {
      await add('y')
      await database.db.transaction().execute((handle) => sql`update texts set text = 'z' where id = 1`.execute(handle))
      expect((await length()).rows).to.deep.equal([{ length: 19 * 3000 + 1 + at + 1 }])
    }
    // Otherwise several pages are read after each write.
    expect(read() - before).to.be.below(20 * 4096)
    await database.close()
  })

  it('has another external version after each write of another process only', async () => {
    const siteDir = temporaryFolder()
    const [database, other] = [await createDatabase({ siteDir }), await createDatabase({ siteDir })]
    const write = ({ db }: Pick<Database, 'db'>) => sql`insert into texts (text) values ('x')`.execute(db)
    await sql`create table texts (text text not null)`.execute(database.db)
    const first = database.externalVersion()
    await write(database)
    await database.db.transaction().execute(async (handle) => {
      await write({ db: handle })
      expect(database.externalVersion()).to.equal(first)
    })
    expect(database.externalVersion()).to.equal(first)
    await write(other)
    const second = database.externalVersion()
    expect(second).to.not.equal(first)
    expect(database.externalVersion()).to.equal(second)
    await other.db.transaction().execute(async (handle) => {
      await write({ db: handle })
      expect(database.externalVersion()).to.equal(second)
    })
    expect(database.externalVersion()).to.not.equal(second)
    await other.close()
    await database.close()
    expect(database.externalVersion()).to.be.NaN
  })

  it('has another version after each write, also after one of the same process', async () => {
    const database = await createDatabase({ siteDir: temporaryFolder() })
    const version = async () => {
      const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(database.db)
      return rows[0]?.data_version
    }
    await sql`create table texts (text text not null)`.execute(database.db)
    const versions = [await version(), await version()]
    await sql`insert into texts (text) values ('x')`.execute(database.db)
    versions.push(await version())
    await database.db.transaction().execute((handle) => sql`update texts set text = 'y'`.execute(handle))
    versions.push(await version())
    expect(versions[1]).to.equal(versions[0])
    expect(new Set(versions)).to.have.length(3)
    await database.close()
  })
})
