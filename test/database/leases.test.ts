import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createLeases, LeaseLost, type Leases } from '../../cms/database/leases.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const TTL = 3000

/** Blocks the event loop, as if the process were paused. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

onEachDatabase('leases', (databaseUrl, kind) => {
  let database: Database
  let leases: Leases

  beforeEach(async () => {
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    leases = createLeases(database, createLog('silent'))
  })
  afterEach(async () => {
    mock.timers.reset()
    await database.close()
  })

  it('of a process that was paused are lost before it continues, where that matters', async () => {
    for (const endsOnExpiry of [true, false]) {
      await leases.hold('work', { ttl: 300, endsOnExpiry }, async ({ signal }) => {
        pause(600)
        // The first timer after the pause is that of the heartbeat.
        await wait(0)
        expect(signal.aborted).to.equal(endsOnExpiry)
        if (endsOnExpiry) expect(signal.reason).to.be.instanceOf(LeaseLost)
      })
    }
  })

  it('of work that takes longer than a lease are renewed', async () => {
    const expiry = async () =>
      (await database.db.selectFrom('leases').select('expires').executeTakeFirstOrThrow()).expires
    await leases.hold('work', { ttl: TTL }, async () => {
      const first = await expiry()
      await until(async () => (await expiry()) > first)
    })
  })

  if (kind === 'postgres') {
    it('are not taken over by a node whose clock is ahead', async () => {
      await leases.hold('work', { ttl: TTL }, async () => {
        mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
        const other = createLeases(database, createLog('silent'))
        expect(await other.hold('work', { ttl: TTL }, async () => {})).to.equal(undefined)
      })
    })
  }
})
