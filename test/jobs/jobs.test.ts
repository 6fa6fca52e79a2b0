import { expect } from 'chai'
import { z } from 'zod'
import { createJobs, type JobsHost } from '../../cms/jobs/index.ts'
import type { JobDefinition, TickResult } from '../../cms/jobs/types.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const data = z.object({ at: z.int() })
type Data = z.output<typeof data>

onEachDatabase('jobs', (databaseUrl) => {
  let database: Database
  let jobs: JobsHost

  beforeEach(async () => {
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    jobs = createJobs({ database, hooks: createHooks(), log: createLog('silent'), timezone: () => '' })
  })
  afterEach(async () => {
    await jobs.close()
    await database.close()
  })

  const define = (
    tick: (tick: { data: Data; signal: AbortSignal }) => Promise<TickResult<Data>>,
    more: Pick<JobDefinition<typeof data>, 'cancelled' | 'retries' | 'runsHere'> = {},
    owner: Pick<JobsHost, 'define'> = jobs,
  ) => owner.define({ type: 'walk', data, tick, ...more })

  const step = (at: number, percent = 0): TickResult<Data> => ({ done: false, data: { at: at + 1 }, percent })

  /** The wait before the next try is over. */
  const skipWaiting = () =>
    database.db
      .updateTable('jobs')
      .set({ run_after_gmt: '2020-01-01 00:00:00' })
      .where('state', '=', 'running')
      .execute()

  it('names the owner if each job starts another one, and no owner if they are started externally', async () => {
    const told: string[] = []
    const unload = new AbortController()
    const shop = jobs.forOwner({
      id: 'shop',
      signal: unload.signal,
      onError: (error, what) => told.push(`${what}: ${error instanceof Error ? error.message : error}`),
    })
    const waiting: string[] = []
    let isEndless = false
    const { job } = shop.define({
      type: 'walk',
      data,
      async tick({ data: { at } }) {
        if (isEndless) waiting.push((await job.start({ at: at + 1 })).id)
        return { done: true }
      },
    })
    for (let at = 1; at <= 110; at++) await jobs.advance((await job.start({ at })).id)
    expect(told).to.deep.equal([])
    isEndless = true
    waiting.push((await job.start({ at: 1 })).id)
    for (let next = waiting.shift(); next !== undefined && told.length === 0; next = waiting.shift())
      await jobs.advance(next)
    expect(told[0]).to.match(/^job walk: It restarted itself 100 times within \d+ ms\.$/)
    unload.abort()
  })

  describe('advance', () => {
    it('runs one tick from where the last one left off and says how far the job is', async () => {
      const seen: number[] = []
      const { job } = define(async ({ data: { at } }) => {
        seen.push(at)
        return at === 2
          ? { done: true, message: 'There.' }
          : { done: false, data: { at: at + 1 }, percent: at * 40, message: `At ${at}.` }
      })
      const started = await job.start({ at: 0 })
      expect(started).to.include({ type: 'walk', state: 'running', percent: 0, error: null })
      expect(started.id).to.match(/^[\w-]{22}$/)
      expect(await jobs.advance(started.id)).to.include({ state: 'running', percent: 0, message: 'At 0.' })
      expect(await jobs.advance(started.id)).to.include({ state: 'running', percent: 40, message: 'At 1.' })
      expect(await jobs.advance(started.id)).to.include({ state: 'complete', percent: 100, message: 'There.' })
      expect(await jobs.advance(started.id)).to.include({ state: 'complete' })
      expect(seen).to.deep.equal([0, 1, 2])
    })

    it('never lets the percentage go back or past 100', async () => {
      const percents = [60, 20, 250, Number.NaN]
      const { job } = define(async ({ data: { at } }) => step(at, percents[at]))
      const { id } = await job.start({ at: 0 })
      const shown: (number | undefined)[] = []
      for (const _ of percents) shown.push((await jobs.advance(id))?.percent)
      expect(shown).to.deep.equal([60, 60, 100, 100])
    })

    it('does nothing while another driver is at it', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      let ticks = 0
      const { job } = define(async ({ data: { at } }) => {
        ticks++
        await promise
        return step(at)
      })
      const { id } = await job.start({ at: 0 })
      const first = jobs.advance(id)
      await until(() => ticks === 1)
      await jobs.advance(id)
      expect(ticks).to.equal(1)
      resolve()
      await first
    })

    it('waits for the delay that the last tick asked for', async () => {
      let ticks = 0
      const { job } = define(async ({ data: { at } }) => {
        ticks++
        return { ...step(at), delayMs: 60_000 }
      })
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      await jobs.advance(id)
      expect(ticks).to.equal(1)
    })

    it('runs no tick if another machine has taken over the job before this one got the lease', async () => {
      let ticks = 0
      const answers = [true, false, true, true]
      const { job } = define(
        async ({ data: { at } }) => {
          ticks++
          return step(at)
        },
        { runsHere: () => answers.shift() ?? false },
      )
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      expect(ticks).to.equal(0)
      await jobs.advance(id)
      expect(ticks).to.equal(1)
    })

    it('goes on after the clock was set back', async () => {
      const { job } = define(async ({ data: { at } }) => ({ ...step(at), done: true }))
      const { id } = await job.start({ at: 0 })
      const later = '2036-01-01 10:00:00'
      await database.db.updateTable('jobs').set({ run_after_gmt: later, updated_gmt: later }).execute()
      await jobs.runDue()
      expect((await jobs.get(id))?.state).to.equal('complete')
    })

    it('completes a job whose stored times are damaged, and fails one whose data is', async () => {
      const { job } = define(async ({ data: { at } }) => ({ ...step(at), done: true }), { retries: 0 })
      const ids: string[] = []
      for (let at = 0; at < 4; at++) ids.push((await job.start({ at })).id)
      const damage = (at: number, changes: Record<string, string>) =>
        database.db
          .updateTable('jobs')
          .set(changes)
          .where('id', '=', ids[at] ?? '')
          .execute()
      await damage(0, { run_after_gmt: 'yesterday', updated_gmt: 'yesterday' })
      await damage(1, { data: '{ "at": ' })
      await damage(2, { state: 'odd' })
      jobs.start()
      const states = async () => Promise.all(ids.map(async (id) => (await jobs.get(id))?.state))
      await until(async () => (await states()).join() === 'complete,failed,failed,complete')
      expect((await jobs.get(ids[1] ?? ''))?.error).to.contain('JSON')
      expect(await jobs.list({})).to.have.length(4)
    })

    it('answers undefined for a job that does not exist', async () => {
      expect(await jobs.advance('nobody')).to.equal(undefined)
    })
  })

  it('does not store what a tick did after its lease was lost', async () => {
    const { job } = define(async ({ data: { at } }) => {
      await database.db.updateTable('leases').set({ holder: 'thief' }).where('name', 'like', 'job:%').execute()
      return { ...step(at), percent: 50 }
    })
    const { id } = await job.start({ at: 0 })
    expect(await jobs.advance(id)).to.include({ state: 'running', percent: 0 })
    const leases = await database.db.selectFrom('leases').select('holder').where('name', 'like', 'job:%').execute()
    expect(leases).to.deep.equal([{ holder: 'thief' }])
  })

  it('waits for a tick that still runs although its lease was lost before it starts the next one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    let ticks = 0
    const { job } = define(async ({ data: { at } }) => {
      most = Math.max(most, ++running)
      if (++ticks === 1) await promise
      running--
      return step(at)
    })
    const { id } = await job.start({ at: 0 })
    const first = jobs.advance(id)
    await until(() => running === 1)
    // As in a process that was paused for longer.
    await database.db.updateTable('leases').set({ expires: 0 }).execute()
    await jobs.advance(id)
    expect(ticks).to.equal(1)
    resolve()
    await first
    await jobs.advance(id)
    expect([ticks, most]).to.deep.equal([2, 1])
  })

  it('gives others a turn while another process has the lease of a job, or had it when it was killed', async () => {
    let ticks = 0
    const { job } = define(async () => {
      ticks++
      return { done: true }
    })
    const { id } = await job.start({ at: 0 })
    const lease = `job:${id}`
    const expires = Date.now() + 20_000
    await database.db.insertInto('leases').values({ name: lease, holder: 'killed', expires }).execute()
    jobs.start()
    await new Promise((resolve) => setTimeout(resolve, 50))
    // If this came too late, the loop would have taken the lease by now.
    expect(ticks).to.equal(0)
    const { numDeletedRows } = await database.db
      .deleteFrom('leases')
      .where('name', '=', lease)
      .executeTakeFirstOrThrow()
    expect(numDeletedRows).to.equal(1n)
    await until(async () => (await jobs.get(id))?.state === 'complete')
    expect(ticks).to.equal(1)
  })

  describe('a tick that throws', () => {
    it('is tried again later, from the same data', async () => {
      const seen: number[] = []
      const { job } = define(async ({ data: { at } }) => {
        seen.push(at)
        if (seen.length === 2) throw new Error('The disk is away.')
        return step(at)
      })
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      expect(await jobs.advance(id)).to.include({ state: 'running', error: null })
      await jobs.advance(id)
      expect(seen).to.deep.equal([0, 1])
      await skipWaiting()
      await jobs.advance(id)
      expect(seen).to.deep.equal([0, 1, 1])
    })

    it('waits as long as the error says in retryAfterSeconds', async () => {
      const { job } = define(async () => {
        throw Object.assign(new Error('Slow down.'), { retryAfterSeconds: 90 })
      })
      const before = Date.now()
      await jobs.advance((await job.start({ at: 0 })).id)
      const row = await database.db.selectFrom('jobs').select('run_after_gmt').executeTakeFirstOrThrow()
      expect(Date.parse(`${row.run_after_gmt}Z`)).to.be.within(before + 90_000, Date.now() + 91_000)
    })

    it('fails the job once its retries are used up, and says so to the owner', async () => {
      const errors: string[] = []
      const owner = {
        id: 'shop',
        signal: new AbortController().signal,
        onError: (_: unknown, what: string) => errors.push(what),
      }
      const tick = async () => {
        throw new Error('Never.')
      }
      const { job } = define(tick, { retries: 1 }, jobs.forOwner(owner))
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      expect(errors).to.deep.equal([])
      await skipWaiting()
      expect(await jobs.advance(id)).to.include({ state: 'failed', error: 'Never.' })
      expect(errors).to.deep.equal(['job walk'])
    })
  })

  describe('cancel', () => {
    it('stops the job and clears up with the last stored data', async () => {
      const cleared: Data[] = []
      const { job } = define(async ({ data: { at } }) => step(at), {
        cancelled: async (left) => void cleared.push(left),
      })
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      expect(await jobs.cancel(id)).to.include({ state: 'cancelled' })
      expect(await jobs.advance(id)).to.include({ state: 'cancelled' })
      expect(cleared).to.deep.equal([{ at: 1 }])
    })

    it('aborts the tick under way, then clears up once', async () => {
      let cleared = 0
      let ticking = false
      const { job } = define(
        ({ signal }) =>
          new Promise((_, reject) => {
            ticking = true
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
        { cancelled: async () => void cleared++ },
      )
      const { id } = await job.start({ at: 0 })
      const tick = jobs.advance(id)
      await until(() => ticking)
      expect(await jobs.cancel(id)).to.include({ state: 'cancelled' })
      expect(await tick).to.include({ state: 'cancelled', error: null })
      await jobs.runDue()
      expect(cleared).to.equal(1)
    })

    it('leaves a complete job as it is', async () => {
      const { job } = define(async () => ({ done: true }))
      const { id } = await job.start({ at: 0 })
      await jobs.advance(id)
      expect(await jobs.cancel(id)).to.include({ state: 'complete' })
    })
  })

  it('keeps a job queued while its type is not defined', async () => {
    const first = define(async ({ data: { at } }) => step(at))
    const { id } = await first.job.start({ at: 0 })
    first.undo()
    await jobs.runDue()
    expect(await jobs.get(id)).to.include({ state: 'running' })
    define(async () => ({ done: true }))
    await jobs.runDue()
    expect(await jobs.get(id)).to.include({ state: 'complete' })
  })

  it('lists jobs by type and state', async () => {
    const { job } = define(async () => ({ done: true }))
    const { id } = await job.start({ at: 0 })
    await jobs.advance(id)
    await job.start({ at: 0 })
    expect(await jobs.list({ type: 'walk' })).to.have.length(2)
    expect((await jobs.list({ state: 'complete' })).map((report) => report.id)).to.deep.equal([id])
    expect(await jobs.list({ type: 'other' })).to.deep.equal([])
  })

  it('refuses data that the schema refuses', async () => {
    const { job } = define(async () => ({ done: true }))
    let refused = false
    await job.start({ at: 0.5 }).catch(() => {
      refused = true
    })
    expect(refused).to.equal(true)
    expect(await jobs.list()).to.deep.equal([])
  })

  it('drives jobs to their end once it is started', async () => {
    jobs.start()
    const { job } = define(async ({ data: { at } }) => (at === 3 ? { done: true } : step(at)))
    const { id } = await job.start({ at: 0 })
    await until(async () => (await jobs.get(id))?.state === 'complete')
  })

  describe('forOwner', () => {
    const ownerOf = (id: string) => {
      const unload = new AbortController()
      return { owner: { id, signal: unload.signal, onError: () => {} }, unload }
    }

    it('refuses a type that another owner defined', () => {
      define(async () => ({ done: true }))
      expect(() => define(async () => ({ done: true }), {}, jobs.forOwner(ownerOf('shop').owner))).to.throw(
        'already taken by core',
      )
    })

    it('covers the older version of an owner from commit on, and uncovers it when the newer goes', async () => {
      const ran: string[] = []
      const versions = ['old', 'new'].map((version) => {
        const { owner, unload } = ownerOf('shop')
        const view = jobs.forOwner(owner, { staged: true })
        const tick = async ({ data: { at } }: { data: Data }) => {
          ran.push(version)
          return step(at)
        }
        return { ...define(tick, {}, view), view, unload }
      })
      const [older, newer] = versions
      if (!older || !newer) throw new Error('two versions')
      older.view.commit()
      const { id } = await newer.job.start({ at: 0 })
      await jobs.advance(id)
      newer.view.commit()
      await jobs.advance(id)
      newer.unload.abort()
      await jobs.advance(id)
      expect(ran).to.deep.equal(['old', 'new', 'old'])
    })

    it('leaves a job whose owner is unloaded in mid-tick as it was', async () => {
      const { owner, unload } = ownerOf('shop')
      let ticking = false
      const { job } = define(
        ({ signal }) =>
          new Promise((_, reject) => {
            ticking = true
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
        { retries: 0 },
        jobs.forOwner(owner),
      )
      const { id } = await job.start({ at: 0 })
      const tick = jobs.advance(id)
      await until(() => ticking)
      unload.abort()
      expect(await tick).to.include({ state: 'running', error: null })
    })
  })
})
