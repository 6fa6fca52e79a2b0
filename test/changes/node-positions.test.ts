import { expect } from 'chai'
import { sql } from 'kysely'
import { createReaderStore, type ReaderStore } from '../../cms/changes/followers/store.ts'
import { joinNodePosition } from '../../cms/changes/node-positions.ts'
import { changeTables } from '../../cms/changes/tables.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const HOUR = 3_600_000

onEachDatabase('a node that watches whether others report', (databaseUrl) => {
  let database: Database
  let store: ReaderStore
  let clock: number
  let purged: string[]
  let wake: () => void
  let looks: number
  let isLogReadable: boolean
  /** Happens on other nodes before this one gets the lease. */
  let beforeLease: () => Promise<void>
  let close: () => Promise<void>

  beforeEach(async () => {
    clock = 0
    purged = []
    looks = 0
    isLogReadable = true
    wake = () => {}
    beforeLease = async () => {}
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
    store = createReaderStore(database.db, () => Date.UTC(2026, 0, 1) + clock)
    const starting: (() => void | Promise<void>)[] = []
    const closing: (() => void)[] = []
    const closed: ((left: number) => void | Promise<void>)[] = []
    joinNodePosition(
      {
        log: createLog('silent'),
        onListen: (begin) => void starting.push(begin),
        onClosing: (stop) => void closing.push(stop),
        onClosed: (stop) => void closed.push(stop),
      },
      {
        store,
        next: () => {
          looks++
          return new Promise((resolve) => {
            wake = resolve
          })
        },
        purger: { site: (reason) => void purged.push(reason), recorded: async () => {} },
        jobs: {
          async withLease(_name, _ttl, work) {
            await beforeLease()
            return work(new AbortController().signal)
          },
        },
        catchUp: async () => (isLogReadable ? '1' : undefined),
        clock: () => clock,
      },
    )
    close = async () => {
      for (const stop of closing) stop()
      wake()
      for (const stop of closed) await stop(0)
    }
    for (const begin of starting) await begin()
    await look()
  })
  afterEach(async () => {
    await close()
    await database.close()
  })

  /** Begins to look again, which it does only after it has completed the former look. */
  async function look(): Promise<void> {
    const before = looks
    wake()
    await until(() => looks > before)
  }
  async function pass(seconds: number): Promise<void> {
    clock += seconds * 1000
    await look()
    await look()
  }

  /** @param off - How far its clock is off, in ms. */
  async function report(name: string, off = 0): Promise<void> {
    const other = createReaderStore(database.db, () => Date.UTC(2026, 0, 1) + clock + off)
    const state = { failures: 0, error: '', failing_since_gmt: null, next_attempt_gmt: null }
    await other.save({ id: `node ${name} 1.0.0`, name, position: '1', ...state })
  }
  const stopped = (name: string) => `The node ${name} stopped unexpectedly.`

  it('purges all pages for one that stopped, and for none whose clock is off', async () => {
    await report('killed', HOUR)
    for (let round = 0; round < 4; round++) {
      expect(purged).to.deep.equal([])
      await report('slow', -HOUR)
      await report('fast', HOUR)
      await pass(10)
    }
    expect(purged).to.deep.equal([stopped('killed')])
    const names = (await store.list()).map(({ name }) => name)
    expect(names).to.include.members(['slow', 'fast']).and.not.include('killed')
  })

  async function expectAnotherChance(fail: () => Promise<void>, recover: () => Promise<void>): Promise<void> {
    await report('other')
    await pass(10)
    await fail()
    await pass(10)
    await recover()
    for (let round = 0; round < 3; round++) await pass(10)
    expect(purged).to.deep.equal([])
    await pass(10)
    expect(purged).to.deep.equal([stopped('other')])
  }

  it('gives the others 30 seconds to report after it could not use the database itself', () =>
    expectAnotherChance(
      async () => void (await sql`alter table change_readers rename to elsewhere`.execute(database.db)),
      async () => void (await sql`alter table elsewhere rename to change_readers`.execute(database.db)),
    ))

  it('gives them 30 seconds after it could not read the change log itself', () =>
    expectAnotherChance(
      async () => {
        isLogReadable = false
      },
      async () => {
        isLogReadable = true
      },
    ))

  it('gives them 30 seconds after it was suspended itself', async () => {
    await report('other')
    await pass(10)
    await pass(60)
    expect(purged).to.deep.equal([])
  })

  it('does not purge for one that reports, or for which another node has purged, in the meantime', async () => {
    for (const name of ['late', 'known']) await report(name)
    beforeLease = async () => {
      await report('late')
      await store.remove('node known 1.0.0')
    }
    for (let round = 0; round < 4; round++) await pass(10)
    expect(purged).to.deep.equal([])
  })
})
