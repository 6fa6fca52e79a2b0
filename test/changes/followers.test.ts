import { expect } from 'chai'
import { createCacheDelivery, type FollowedCache } from '../../cms/changes/followers/delivery.ts'
import { createReaderStore, type ReaderStore } from '../../cms/changes/followers/store.ts'
import { type ChangeLog, createChangeLog } from '../../cms/changes/log.ts'
import { PurgeRejectedError } from '../../cms/changes/rejected.ts'
import { changeTables } from '../../cms/changes/tables.ts'
import type { CacheBudget, CachePurge, Purge } from '../../cms/changes/types.ts'
import { createUnrecorded } from '../../cms/changes/unrecorded.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

onEachDatabase('caches that follow the change log', (databaseUrl) => {
  let database: Database
  let changes: ChangeLog
  let store: ReaderStore
  let now: number
  let received: CachePurge[]
  /** What the next calls do, by cache. */
  let failures: Map<string, (Error | 'hang')[]>
  let stopping: AbortController
  let budget: CacheBudget | undefined
  /** As another process would; the first one's memory is lost. */
  let restart: () => void
  let deliver: (...caches: string[]) => Promise<void>

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    received = []
    failures = new Map()
    budget = undefined
    stopping = new AbortController()
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
    const log = createLog('silent')
    changes = createChangeLog(database, { log, unrecorded: createUnrecorded(), recorded: () => {}, now: () => now })
    store = createReaderStore(database.db, () => now)
    const create = () =>
      createCacheDelivery({ store, changes, database, log, stopping: stopping.signal, now: () => now })
    let delivery = create()
    restart = () => {
      delivery = create()
    }
    deliver = async (...caches) => {
      const rows = new Map((await store.list()).map((row) => [row.id, row]))
      await delivery.deliverDue(caches.map(follow), rows)
      await delivery.idle()
    }
  })
  afterEach(async () => {
    await changes.close()
    await database.close()
  })

  const follow = (cache: string): FollowedCache => ({
    ...{ id: `example:${cache}`, name: 'Example', cache, isRepeated: true, signal: stopping.signal, budget },
    async purge(purge, signal) {
      received.push(purge)
      const failure = failures.get(cache)?.shift()
      if (failure === 'hang') {
        stopping.abort(new Error('The site closes.'))
        signal.throwIfAborted()
      } else if (failure) throw failure
    },
  })
  const purge = (tag: string, more: Partial<Purge> = {}) =>
    changes.record({ scope: 'urls', urls: [], tags: [tag], reason: `${tag}.`, ...more }, 'change')
  const tagsOf = (cache = 'one') => received.filter((got) => got.cache === cache).map(({ tags }) => tags)
  const rowOf = async (cache = 'one') => (await store.get(`example:${cache}`)) ?? expect.fail()

  it('purges all pages of a cache that is new, then what changed, as one purge', async () => {
    await purge('before')
    await deliver('one')
    expect(received).to.have.lengthOf(1)
    expect(received[0]).to.include({ cache: 'one', scope: 'pages' })
    await purge('a')
    await purge('b', { urls: ['https://example.org/b/'] })
    await deliver('one')
    expect(received[1]).to.deep.include({ scope: 'urls', tags: ['a', 'b'], urls: ['https://example.org/b/'] })
    expect(received[1]?.reason).to.equal('a. b.')
    await deliver('one')
    expect(received).to.have.lengthOf(2)
  })

  it('makes a purge soft only if all of its changes are', async () => {
    await deliver('one')
    await purge('a', { soft: true })
    await purge('b', { soft: true })
    await deliver('one')
    await purge('c', { soft: true })
    await purge('d')
    await deliver('one')
    expect(received.map(({ soft }) => soft)).to.deep.equal([false, true, false])
  })

  it('repeats each purge once after five seconds, merged with what follows', async () => {
    await deliver('one')
    now += 6000
    await deliver('one')
    await purge('a')
    await deliver('one')
    now += 4000
    await deliver('one')
    expect(tagsOf().slice(2)).to.deep.equal([['a']])
    await purge('b')
    now += 1000
    await deliver('one')
    now += 6000
    await deliver('one')
    now += 6000
    await deliver('one')
    expect(tagsOf().slice(2)).to.deep.equal([['a'], ['a', 'b'], ['b']])
  })

  it('retries with back-off or as the error specifies, with the same ID and all that is new', async () => {
    await deliver('one')
    restart()
    failures.set('one', [new Error('Down.'), Object.assign(new Error('Busy.'), { retryAfter: '120' })])
    await purge('a')
    await deliver('one')
    expect(await rowOf()).to.include({ failures: 1, error: 'Down.', failing_since_gmt: '2026-01-01 00:00:00' })
    await deliver('one')
    expect(tagsOf()).to.deep.equal([[], ['a']])
    now += 1000
    await deliver('one')
    expect(received[2]?.id).to.equal(received[1]?.id)
    expect(await rowOf()).to.include({ failures: 2, error: 'Busy.', failing_since_gmt: '2026-01-01 00:00:00' })
    await purge('b')
    now += 119_000
    await deliver('one')
    expect(received).to.have.lengthOf(3)
    now += 1000
    await deliver('one')
    expect(tagsOf().at(-1)).to.deep.equal(['a', 'b'])
    expect(await rowOf()).to.include({ failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: null })
  })

  it('waits for the limit of a cache, and merges the purges meanwhile', async () => {
    budget = { burst: 2, perMinute: 6, cost: () => 1 }
    await deliver('one')
    await purge('a')
    await deliver('one')
    await purge('b')
    await deliver('one')
    expect(tagsOf()).to.deep.equal([[], ['a']])
    const waiting = { failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: '2026-01-01 00:00:10' }
    expect(await rowOf()).to.include(waiting)
    await purge('c')
    now += 4000
    await deliver('one')
    expect(received).to.have.lengthOf(2)
    now += 6000
    await deliver('one')
    // The purges of before are repeated with it.
    expect(received.at(-1)).to.include({ scope: 'pages' })
    expect(await rowOf()).to.include({ next_attempt_gmt: null, position: await changes.newest() })
    // The other cache has a limit of its own.
    await deliver('two')
    expect(tagsOf('two')).to.have.lengthOf(1)
  })

  it('purges all pages instead of more than the limit of a cache permits at once', async () => {
    budget = { burst: 3, perMinute: 3, cost: ({ tags }) => Math.max(1, tags.length) }
    await deliver('one')
    await purge('', { tags: ['a', 'b', 'c', 'd'] })
    await deliver('one')
    expect(received.at(-1)).to.deep.include({ scope: 'pages', tags: [] })
    expect((await rowOf()).position).to.equal(await changes.newest())
  })

  it('does not let a cache that is down delay another', async () => {
    await deliver('one', 'two')
    restart()
    failures.set('one', [new Error('Down.')])
    await purge('a')
    await deliver('one', 'two')
    expect(tagsOf('two')).to.deep.equal([[], ['a']])
    expect((await rowOf('two')).position).to.equal(await changes.newest())
    expect((await rowOf()).position).to.not.equal(await changes.newest())
  })

  it('goes on after a purge that the cache rejected, and remembers why until the next success', async () => {
    await deliver('one')
    restart()
    failures.set('one', [new PurgeRejectedError('The token is invalid.')])
    await purge('a')
    await deliver('one')
    expect(await rowOf()).to.include({ failures: 0, error: 'The token is invalid.', next_attempt_gmt: null })
    now += 6000
    await deliver('one')
    expect(received).to.have.lengthOf(2)
    await purge('b')
    await deliver('one')
    expect(tagsOf().at(-1)).to.deep.equal(['b'])
    expect((await rowOf()).error).to.equal('')
  })

  it('delivers again what was in progress when the site ended', async () => {
    await deliver('one')
    failures.set('one', ['hang'])
    await purge('a')
    await deliver('one')
    expect(await rowOf()).to.include({ failures: 0, error: '' })
    stopping = new AbortController()
    restart()
    await deliver('one')
    expect(tagsOf()).to.deep.equal([[], ['a'], ['a']])
  })

  it('purges all pages of a cache whose position is no longer in the log, and if a purge is too long', async () => {
    await deliver('one')
    await database.db.updateTable('change_readers').set({ position: 'gone' }).execute()
    await purge('a')
    await deliver('one')
    expect(received.at(-1)).to.include({ scope: 'pages' })
    for (const name of ['a', 'b', 'c']) {
      const tags = Array.from({ length: 800 }, (_, at) => `${name}-${at}`)
      await purge('', { tags })
    }
    await deliver('one')
    expect(received.at(-1)).to.deep.include({ scope: 'pages', urls: [], tags: [] })
    expect((await rowOf()).position).to.equal(await changes.newest())
  })
})
