import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { createJobs, type JobsHost } from '../../cms/jobs/index.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** Milliseconds; a write waits for five seconds. */
const LOCKED = 6000

onEachDatabase('The progress of a job, while the database cannot take it,', (databaseUrl) => {
  let place: { siteDir: string; databaseUrl: string | undefined }
  let database: Database
  let jobs: JobsHost

  before(async () => {
    place = { siteDir: temporaryFolder(), databaseUrl: await databaseUrl() }
    database = await createDatabase(place)
    jobs = createJobs({ database, hooks: createHooks(), log: createLog('silent'), timezone: () => '' })
  })
  after(async () => {
    await jobs.close()
    await database.close()
  })

  /** Another process keeps the site from the database, and gives it back later. */
  async function keepAway(): Promise<void> {
    if (place.databaseUrl === undefined) {
      const other = new DatabaseSync(join(place.siteDir, 'site.db'))
      other.exec('begin immediate')
      void wait(LOCKED).then(() => other.close())
      return
    }
    const name = new URL(place.databaseUrl).pathname.slice(1)
    const other = new Client({
      connectionString: Object.assign(new URL(place.databaseUrl), { pathname: '/postgres' }).href,
    })
    await other.connect()
    await other.query(`alter database ${name} allow_connections false`)
    await other.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    void wait(1000)
      .then(() => other.query(`alter database ${name} allow_connections true`))
      .then(() => other.end())
  }

  it('is kept until it can: the job has not failed, and no step is done again', async () => {
    const steps: number[] = []
    const { job, undo } = jobs.define({
      type: 'walk',
      data: z.object({ at: z.int() }),
      retries: 0,
      async tick({ data: { at } }) {
        steps.push(at)
        if (at === 1) await keepAway()
        return at === 2 ? { done: true } : { done: false, data: { at: at + 1 }, percent: at * 10 }
      },
    })
    const { id } = await job.start({ at: 1 })
    expect(await jobs.advance(id)).to.include({ state: 'running', percent: 10, error: null })
    expect(await jobs.advance(id)).to.include({ state: 'complete', percent: 100, error: null })
    expect(steps).to.deep.equal([1, 2])
    undo()
  })

  it('of values that it will never take is a failure of the job', async () => {
    if (place.databaseUrl === undefined)
      await sql`create trigger picky before update on jobs when new.state = 'complete'
        begin select raise(abort, 'Not that.'); end`.execute(database.db)
    const { job } = jobs.define({
      type: 'walk',
      data: z.object({}),
      retries: 0,
      // PostgreSQL has no such character.
      tick: async () => ({ done: true, message: 'a\0b' }),
    })
    const { id } = await job.start({})
    expect(await jobs.advance(id)).to.include({ state: 'failed' })
  })

  it('says why it failed, whatever characters the reason has', async () => {
    const { job } = jobs.define({
      type: 'fail',
      data: z.object({}),
      retries: 0,
      tick: async () => Promise.reject(new Error('a\0b')),
    })
    const { id } = await job.start({})
    expect(await jobs.advance(id)).to.include({ state: 'failed', error: 'ab' })
  })
})
