import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openBucket } from '../../cms/content/media/bucket.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createLog } from '../../core/log.ts'
import { createJobStates, type Outcome } from '../../plugins/backup/job-states.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const COMPLETE: Outcome = { state: 'complete', error: null }
const CANCELLED: Outcome = { state: 'cancelled', error: null }

describe('The states of backups in a bucket', () => {
  let bucket: TestBucket
  let database: Database
  const ends: (() => void)[] = []

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    bucket = await startBucket()
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await createPostgresDatabase() })
  })
  after(async () => {
    for (const end of ends) end()
    await database?.close()
    await bucket?.stop()
  })

  async function openNode() {
    const siteDir = temporaryFolder()
    const shared = await openBucket(bucket.storageUrl, { siteDir, name: 'backups', database, log: createLog('silent') })
    ends.push(shared.close)
    return { shared, states: createJobStates(join(siteDir, 'backups'), shared) }
  }

  const isWaitingForLock = async () => {
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    return (await waiting.execute(database.db)).rows.length > 0
  }

  it('have one outcome, even if another node decides while one is storing it', async () => {
    const [{ states: one }, { states: two }] = [await openNode(), await openNode()]
    const { arrived, release } = bucket.hold('backups/jobs/job.outcome.json')
    const first = one.decide('job', COMPLETE)
    await arrived
    let hasDecided = false
    const second = two.decide('job', CANCELLED).finally(() => {
      hasDecided = true
    })
    await until(async () => hasDecided || (await isWaitingForLock()))
    release()
    expect(await first).to.deep.equal(COMPLETE)
    expect(await second).to.deep.equal(COMPLETE)
    expect(await two.outcome('job')).to.deep.equal(COMPLETE)
  })

  it('are removed after 30 days by any node, also those of a node that no longer exists', async () => {
    const [{ shared }, { states: two }] = [await openNode(), await openNode()]
    for (const [name, days] of [
      ['old', 31],
      ['recent', 29],
    ] as const) {
      const file = join(temporaryFolder(), 'state.json')
      writeFileSync(file, '{}')
      utimesSync(file, new Date(), new Date(Date.now() - days * 24 * 3_600_000))
      await shared.push(file, `jobs/${name}.state.json`)
    }
    await two.prune()
    const keys = bucket.keys()
    expect(keys).to.include('backups/jobs/recent.state.json')
    expect(keys).to.not.include('backups/jobs/old.state.json')
  })
})
