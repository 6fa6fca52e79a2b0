import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type Insertable, sql } from 'kysely'
import { z } from 'zod'
import { type ChangeLog, createChangeLog } from '../../cms/changes/log.ts'
import { type ChangeLogTable, changeTables } from '../../cms/changes/tables.ts'
import type { Change, Purge, PurgeCause } from '../../cms/changes/types.ts'
import { createUnrecorded, type Unrecorded } from '../../cms/changes/unrecorded.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { inRequest } from '../../core/http/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const DAY = 24 * 60 * 60 * 1000

onEachDatabase('the change log', (databaseUrl) => {
  let database: Database
  let changes: ChangeLog
  let unrecorded: Unrecorded
  let now: number
  let recorded: Change[]
  let open: () => Promise<{ database: Database; unrecorded: Unrecorded; changes: ChangeLog }>

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    recorded = []
    const place = { siteDir: temporaryFolder(), databaseUrl: await databaseUrl() }
    open = async () => {
      const database = await createDatabase(place)
      await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
      const unrecorded = createUnrecorded(() => now)
      const parts = { log: createLog('silent'), recorded: (change: Change) => recorded.push(change), now: () => now }
      return { database, unrecorded, changes: createChangeLog(database, { ...parts, unrecorded }) }
    }
    const first = await open()
    database = first.database
    changes = first.changes
    unrecorded = first.unrecorded
  })
  afterEach(async () => {
    await changes.close()
    await database.close()
  })

  const purge = (reason: string): Purge => ({
    scope: 'urls',
    urls: [`https://example.org/${reason}/`],
    tags: [`tag-${reason}`],
    reason,
  })
  /** Adds a row as another version may write it. */
  const insert = (values: Partial<Insertable<ChangeLogTable>> & { id: string }) =>
    database.db
      .insertInto('change_log')
      .values({
        ...{ time_gmt: '2026-01-01 00:00:00', type: 'purge', scope: 'urls', cause: 'change' },
        ...{ urls: '[]', tags: '[]', reason: '', soft: 0, ...values },
      })
      .execute()
  const reasonsAfter = async (id: string | undefined, limit = 100) =>
    (await changes.read(id, limit))?.map(({ reason }) => reason)

  it('returns what was recorded, in order, from any position', async () => {
    const [first, second] = await Promise.all(
      ['one', 'two', 'three'].map((name) => changes.record(purge(name), 'change')),
    )
    expect(await changes.read(undefined, 1)).to.deep.equal([first])
    expect(first).to.include({ reason: 'one', cause: 'change', type: 'purge', soft: false })
    expect(first?.time).to.equal('2026-01-01T00:00:00Z')
    expect(first?.urls).to.deep.equal(['https://example.org/one/'])
    expect(await reasonsAfter(first?.id)).to.deep.equal(['two', 'three'])
    expect(await reasonsAfter(second?.id)).to.deep.equal(['three'])
    expect(recorded.map(({ reason }) => reason)).to.deep.equal(['one', 'two', 'three'])
    const newest = await changes.newest()
    expect(await reasonsAfter(newest)).to.deep.equal([])
  })

  it('knows its own entries before a reader can have them, and none of another process', async () => {
    const elsewhere = await open()
    const known: boolean[] = []
    const db = database.db.withPlugin({
      transformQuery({ node }) {
        const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(JSON.stringify(node)) ?? []
        if (node.kind === 'InsertQueryNode' && id) known.push(watched.isOwn(id))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const parts = { log: createLog('silent'), recorded: () => {}, unrecorded, now: () => now }
    const watched = createChangeLog({ ...database, db }, parts)
    const { id } = await watched.record(purge('one'), 'change')
    expect(known).to.include(true).and.not.include(false)
    expect(elsewhere.changes.isOwn(id)).to.equal(false)
    await watched.close()
    await elsewhere.changes.close()
    await elsewhere.database.close()
  })

  it('recognizes a position that it does not have', async () => {
    await changes.record(purge('one'), 'change')
    expect(await changes.read('5cbe5f5e-5d25-4d1c-8a4c-1d6dd1d6a9b4', 100)).to.equal(undefined)
  })

  it('removes entries after 30 days, but no position from which nothing was missed', async () => {
    const [first, second] = [await changes.record(purge('one'), 'change'), await changes.record(purge('two'), 'change')]
    now += 31 * DAY
    await changes.prune()
    expect(await changes.read(first.id, 100)).to.equal(undefined)
    expect(await changes.read(second.id, 100)).to.deep.equal([])
    const third = await changes.record(purge('three'), 'change')
    await changes.prune()
    expect(await changes.read(second.id, 100)).to.deep.equal([third])
    now += 31 * DAY
    await changes.prune()
    expect(await changes.read(second.id, 100)).to.equal(undefined)
    expect(await changes.newest()).to.equal(third.id)
  })

  it('wakes a reader at once, and one in another process within two seconds', async () => {
    const elsewhere = await open()
    const signal = AbortSignal.timeout(60_000)
    const [here, there] = [changes.next(signal), elsewhere.changes.next(signal)]
    const { id } = await changes.record(purge('one'), 'change')
    await here
    await there
    expect(await elsewhere.changes.newest()).to.equal(id)
    await elsewhere.changes.close()
    await elsewhere.database.close()
  })

  it('resolves for readers when it is closed', async () => {
    const elsewhere = await open()
    const waiting = elsewhere.changes.next(new AbortController().signal)
    await elsewhere.changes.close()
    await waiting
    await elsewhere.changes.next(new AbortController().signal)
    await elsewhere.database.close()
  })

  it('shows a follower every entry of writers in several processes, once and without gaps', async () => {
    const others = await Promise.all([open(), open(), open()])
    const seen: string[] = []
    let isWriting = true
    const follow = async () => {
      let position: string | undefined
      for (;;) {
        const isLast = !isWriting
        const found = (await changes.read(position, 7)) ?? []
        seen.push(...found.map(({ reason }) => reason))
        position = found.at(-1)?.id ?? position
        if (isLast && found.length === 0) return
        await wait(1)
      }
    }
    const following = follow()
    const write = async (log: ChangeLog, name: string) => {
      for (let number = 0; number < 25; number++) await log.record(purge(`${name}-${number}`), 'change')
    }
    await Promise.all(others.map(({ changes: log }, at) => write(log, `writer-${at}`)))
    isWriting = false
    await following
    const stored = (await reasonsAfter(undefined, 1000)) ?? []
    expect(stored).to.have.lengthOf(75)
    expect(seen).to.deep.equal(stored)
    for (const other of others) {
      await other.changes.close()
      await other.database.close()
    }
  })

  it('removes the oldest entries beyond 100,000', async () => {
    const [first, second] = [await changes.record(purge('one'), 'change'), await changes.record(purge('two'), 'change')]
    const columns = sql.raw('id, time_gmt, type, scope, urls, tags, soft, reason, cause')
    const addMany = (count: number, type: string) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
        insert into change_log (${columns}) select ${type} || cast(n as text), '2026-01-01 00:00:00', ${type}, 'urls', '[]', '[]', 0, '', 'change'
        from numbers`.execute(database.db)
    await addMany(99_999, 'purge')
    await addMany(10, 'content')
    await changes.prune()
    expect(await changes.read(first.id, 100)).to.equal(undefined)
    expect((await changes.read(second.id, 1))?.map(({ id }) => id)).to.deep.equal(['purge1'])
    expect(await changes.countAfter(undefined)).to.equal(100_000)
    expect(await changes.unrecordedElsewhere()).to.have.lengthOf(10)
  })

  it('rejects what is not a purge, and records what follows', async () => {
    for (const invalid of ['{ "scope": "urls", "urls": [], "tags": [42], "reason": "" }', '{ "scope": "url" }', '7']) {
      const error = await changes.record(JSON.parse(invalid), 'change').catch((error: unknown) => error)
      expect(error, invalid).to.be.instanceOf(z.ZodError)
    }
    await changes.record(purge('one'), 'change')
    expect(await reasonsAfter(undefined)).to.deep.equal(['one'])
  })

  it('gives up on an entry whose values the database rejects', async () => {
    await database.db.schema.createIndex('one_reason').unique().on('change_log').column('reason').execute()
    await changes.record(purge('one'), 'change')
    const error = await changes.record(purge('one'), 'change').catch((error: unknown) => error)
    expect(error).to.be.instanceOf(Error)
    await changes.record(purge('two'), 'change')
    expect(await reasonsAfter(undefined)).to.deep.equal(['one', 'two'])
  })

  it('limits entries: 500 characters of a reason, and 1,000 URLs or tags, beyond which they cover all pages', async () => {
    const { reason } = await changes.record({ ...purge('one'), reason: `a\0b${'c'.repeat(1000)}` }, 'change')
    expect(reason).to.equal(`ab${'c'.repeat(498)}`)
    const tags = Array.from({ length: 1001 }, (_, at) => `tag-${at}`)
    expect(await changes.record({ ...purge('many'), tags }, 'change')).to.include({ scope: 'pages', reason: 'many' })
    const kept = await changes.record({ ...purge('fewer'), tags: tags.slice(1) }, 'change')
    expect(kept.tags).to.have.lengthOf(1000)
    const stored = await changes.read(undefined, 100)
    expect(stored?.map(({ scope, tags }) => [scope, tags.length])).to.deep.equal([
      ['urls', 1],
      ['pages', 0],
      ['urls', 1000],
    ])
  })

  it('returns the newest entries, about one megabyte of them', async () => {
    const urls = Array.from({ length: 400 }, (_, at) => `https://example.org/${at}/${'a'.repeat(1000)}`)
    for (const name of ['one', 'two', 'three']) await changes.record({ ...purge(name), urls }, 'change')
    const reasons = async (limit: number) => (await changes.latest(limit)).map(({ reason }) => reason)
    expect(await reasons(100)).to.deep.equal(['two', 'three'])
    expect(await reasons(1)).to.deep.equal(['three'])
  })

  it('reads about one megabyte at once', async () => {
    const urls = Array.from({ length: 400 }, (_, at) => `https://example.org/${at}/${'a'.repeat(1000)}`)
    for (const name of ['one', 'two', 'three']) await changes.record({ ...purge(name), urls }, 'change')
    const first = await changes.read(undefined, 100)
    expect(first?.map(({ reason }) => reason)).to.deep.equal(['one', 'two'])
    expect(await reasonsAfter(first?.at(-1)?.id)).to.deep.equal(['three'])
  })

  it('reads entries of later versions: other types are skipped, other values become a purge of all pages', async () => {
    await insert({ id: 'type', type: 'content' })
    await insert({ id: 'scope', scope: 'region' })
    await insert({ id: 'tags', tags: '[42]' })
    await insert({ id: 'json', urls: '[' })
    const { id } = await changes.record(purge('one'), 'change')
    const read = await changes.read(undefined, 100)
    expect(read?.map(({ id, scope }) => [id, scope])).to.deep.equal([
      ['scope', 'pages'],
      ['tags', 'pages'],
      ['json', 'pages'],
      [id, 'urls'],
    ])
    expect(await changes.countAfter(undefined)).to.equal(4)
  })

  it('records what could not be written once the database works again', async () => {
    await database.db.schema.alterTable('change_log').renameTo('away').execute()
    const recording = changes.record(purge('late'), 'change')
    await wait(50)
    await database.db.schema.alterTable('away').renameTo('change_log').execute()
    const { id } = await recording
    expect(await changes.newest()).to.equal(id)
  })

  describe('of changes of content', () => {
    const write = (handle = database.db, by = unrecorded) => handle.transaction().execute(by.note)
    const rows = async () =>
      (await database.db.selectFrom('change_log').select('id').where('type', '=', 'content').execute()).length

    it('has a row until the callbacks are over and a purge is recorded', async () => {
      await write()
      await write()
      expect(await rows()).to.equal(1)
      await changes.record(purge('one'), 'change')
      expect(await rows(), 'its own purge may follow').to.equal(1)
      now += 30_000
      await changes.record(purge('two'), 'change')
      expect(await rows()).to.equal(0)
      expect(await changes.unrecordedElsewhere()).to.deep.equal([])
    })

    it('is not flushed to disk on SQLite if it replaces such a row, which a power failure would bring back', async function () {
      if (database.kind === 'postgres') this.skip()
      let mode = 'full'
      const { exec } = DatabaseSync.prototype
      DatabaseSync.prototype.exec = function (sql) {
        mode = /^pragma synchronous = (\w+)/.exec(sql)?.[1] ?? mode
        Reflect.apply(exec, this, [sql])
      }
      const modeOf = async (name: string, cause: PurgeCause = 'change') => {
        await changes.record(purge(name), cause)
        return mode
      }
      try {
        await write()
        expect(await modeOf('before the callbacks are over')).to.equal('full')
        now += 30_000
        expect(await modeOf('replaces the row')).to.equal('normal')
        expect(await modeOf('replaces none')).to.equal('full')
        await write()
        now += 30_000
        expect(await modeOf('of an administrator', 'request')).to.equal('full')
      } finally {
        DatabaseSync.prototype.exec = exec
      }
    })

    it('has the row of a change outside of a transaction until the next purge is recorded', async () => {
      const elsewhere = await open()
      await changes.note()
      expect(await elsewhere.changes.unrecordedElsewhere()).to.have.lengthOf(1)
      await changes.record(purge('one'), 'change')
      expect(await elsewhere.changes.unrecordedElsewhere()).to.deep.equal([])
      void changes.note()
      await changes.record(purge('two'), 'change')
      expect(await elsewhere.changes.unrecordedElsewhere()).to.deep.equal([])
      await elsewhere.changes.close()
      await elsewhere.database.close()
    })

    it('stores the row of several changes outside of transactions once, and again if that failed', async () => {
      await database.db.schema.alterTable('change_log').renameTo('away').execute()
      await changes.note()
      await database.db.schema.alterTable('away').renameTo('change_log').execute()
      await changes.note()
      expect(await rows()).to.equal(1)
      await database.db.deleteFrom('change_log').execute()
      await changes.note()
      expect(await rows(), 'a statement has stored it again').to.equal(0)
      await changes.record(purge('one'), 'change')
      await changes.note()
      expect(await rows()).to.equal(1)
    })

    it('has the row of a request until the request ends', async () => {
      const inRequestOf = (id: string, work: () => Promise<unknown>) =>
        inRequest((request) => {
          request.setClient({ address: '', userAgent: '', requestId: id })
          return unrecorded.during(id, work)
        })
      const [saved, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const request = inRequestOf('a', async () => {
        await write()
        saved.resolve()
        await other.promise
      })
      await saved.promise
      now += 3_600_000
      await inRequestOf('b', () => write())
      await changes.record(purge('of b'), 'change')
      expect(await rows(), 'only that of a').to.equal(1)
      other.resolve()
      await request
      await changes.record(purge('of a'), 'change')
      expect(await rows()).to.equal(0)
    })

    it('adds the row again if the transaction that added it failed, and another one if it is about to be removed', async () => {
      const failing = database.db.transaction().execute(async (handle) => {
        await unrecorded.note(handle)
        throw new Error('failed')
      })
      await failing.catch(() => {})
      expect(await rows()).to.equal(0)
      await write()
      expect(await rows()).to.equal(1)
      now += 30_000
      const recording = changes.record(purge('one'), 'change')
      await write()
      await recording
      expect(await rows()).to.equal(1)
    })

    it('removes the rows of changes that purged nothing, and all at the end', async () => {
      await write()
      await changes.removeUnrecorded()
      expect(await rows()).to.equal(1)
      now += 30_000
      await changes.removeUnrecorded()
      expect(await rows()).to.equal(0)
      await write()
      await changes.close()
      await changes.removeUnrecorded(true)
      expect(await rows()).to.equal(0)
    })

    it('keeps the rows if a purge could not be recorded', async () => {
      await database.db.schema.createIndex('one_reason').unique().on('change_log').column('reason').execute()
      await changes.record(purge('one'), 'change')
      await write()
      await changes.record(purge('one'), 'change').catch(() => {})
      await changes.removeUnrecorded(true)
      expect(await rows()).to.equal(1)
      expect(await changes.unrecordedElsewhere(), 'as if another process had been killed').to.have.lengthOf(1)
    })

    it('shows other processes rows that remain, and replaces them by a purge of all pages', async () => {
      const elsewhere = await open()
      await write(elsewhere.database.db, elsewhere.unrecorded)
      await write()
      const ids = await changes.unrecordedElsewhere()
      expect(ids).to.have.lengthOf(1)
      const entry = await changes.replace(ids, 'killed')
      expect(entry).to.include({ scope: 'pages', reason: 'killed' })
      expect(await changes.unrecordedElsewhere()).to.deep.equal([])
      expect(await rows(), 'its own').to.equal(1)
      await write(elsewhere.database.db, elsewhere.unrecorded)
      expect(await changes.unrecordedElsewhere(), 'after the next change').to.deep.equal(ids)
      await elsewhere.changes.close()
      await elsewhere.database.close()
    })

    it('records purges while a change of content is in progress', async () => {
      if (database.kind === 'sqlite') return
      await database.db.transaction().execute(async (handle) => {
        await unrecorded.note(handle)
        await changes.record(purge('meanwhile'), 'change')
      })
      expect(await rows()).to.equal(1)
    })
  })
})
