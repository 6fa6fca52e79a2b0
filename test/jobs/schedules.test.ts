import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createJobs, type JobsHost } from '../../cms/jobs/index.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

onEachDatabase('jobs.schedule', (databaseUrl) => {
  let database: Database
  let hooks: HookRegistry
  let jobs: JobsHost
  let zone: string
  let runs: string[]

  beforeEach(async () => {
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    hooks = createHooks()
    zone = ''
    runs = []
    jobs = createJobs({ database, hooks, log: createLog('silent'), timezone: () => zone })
    mock.timers.enable({ apis: ['Date'] })
  })
  afterEach(async () => {
    mock.timers.reset()
    await jobs.close()
    await database.close()
  })

  /** What ran by that moment. */
  async function runAt(moment: string): Promise<string[]> {
    mock.timers.setTime(Date.parse(moment))
    await jobs.runDue()
    return runs.splice(0)
  }
  const schedule = (name: string, when: string, view: Pick<JobsHost, 'schedule'> = jobs) =>
    view.schedule(name, when, () => void runs.push(name))

  it('runs at the times of its pattern, first at the next one', async () => {
    schedule('tidy', '30 * * * *')
    expect(await runAt('2026-01-01T10:31:00Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T11:29:59Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T11:30:00Z')).to.deep.equal(['tidy'])
    expect(await runAt('2026-01-01T11:30:10Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T12:30:00Z')).to.deep.equal(['tidy'])
  })

  it('reads the pattern in the site’s time zone, summer and winter', async () => {
    zone = 'Europe/Berlin'
    schedule('tidy', '0 3 * * *')
    await runAt('2026-01-01T00:00:00Z')
    expect(await runAt('2026-01-01T01:59:59Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T02:00:00Z')).to.deep.equal(['tidy'])
    await runAt('2026-07-01T00:00:00Z')
    expect(await runAt('2026-07-01T01:00:00Z')).to.deep.equal(['tidy'])
  })

  it('says when a pattern or rhythm comes next', () => {
    mock.timers.setTime(Date.parse('2026-01-01T02:00:00Z'))
    zone = 'Europe/Berlin'
    expect(jobs.nextTime('0 3 * * *')).to.equal(Date.parse('2026-01-02T02:00:00Z'))
    expect(jobs.nextTime('daily')).to.equal(Date.parse('2026-01-01T23:00:00Z'))
    expect(jobs.nextTime('now and then')).to.equal(undefined)
  })

  it('runs once on the days whose clock is put forward or back over its time', async () => {
    zone = 'Europe/Berlin'
    schedule('tidy', '30 2 * * *')
    await runAt('2026-03-28T12:00:00Z')
    // There is no 02:30 on 29 March: it runs when the clock jumps over it.
    expect(await runAt('2026-03-29T00:59:59Z')).to.deep.equal([])
    expect(await runAt('2026-03-29T01:00:00Z')).to.deep.equal(['tidy'])
    expect(await runAt('2026-03-30T00:29:59Z')).to.deep.equal([])
    expect(await runAt('2026-03-30T00:30:00Z')).to.deep.equal(['tidy'])

    // There are two on 25 October: it runs at the first.
    await runAt('2026-10-24T12:00:00Z')
    expect(await runAt('2026-10-25T00:30:00Z')).to.deep.equal(['tidy'])
    for (const later of ['2026-10-25T00:45:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:29:59Z'])
      expect(await runAt(later), later).to.deep.equal([])
    expect(await runAt('2026-10-26T01:30:00Z')).to.deep.equal(['tidy'])
  })

  it('runs every hour of the days on which the clock is changed', async () => {
    zone = 'Europe/Berlin'
    schedule('tidy', 'hourly')
    for (const day of ['2026-03-28T22:30:00Z', '2026-10-24T22:30:00Z']) {
      await runAt(day)
      for (let hour = 1; hour <= 5; hour++) {
        const moment = new Date(Date.parse(day) + hour * 3_600_000 - 1_800_000).toISOString()
        expect(await runAt(moment), moment).to.deep.equal(['tidy'])
      }
    }
  })

  it('runs once after a time without any process, however often it was missed', async () => {
    schedule('tidy', 'hourly')
    await runAt('2026-01-01T10:00:01Z')
    await jobs.close()
    jobs = createJobs({ database, hooks, log: createLog('silent'), timezone: () => zone })
    schedule('tidy', 'hourly')
    expect(await runAt('2026-01-03T17:20:00Z')).to.deep.equal(['tidy'])
    expect(await runAt('2026-01-03T17:59:00Z')).to.deep.equal([])
  })

  it('runs at its times again after the clock was set back, in the same process or another one', async () => {
    schedule('tidy', 'hourly')
    await runAt('2036-01-01T10:00:01Z')
    expect(await runAt('2036-01-01T11:00:00Z')).to.deep.equal(['tidy'])
    expect(await runAt('2026-01-01T10:30:00Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal(['tidy'])

    expect(await runAt('2036-01-01T12:00:00Z')).to.deep.equal(['tidy'])
    await jobs.close()
    jobs = createJobs({ database, hooks, log: createLog('silent'), timezone: () => zone })
    schedule('tidy', 'hourly')
    expect(await runAt('2026-01-02T10:30:00Z')).to.deep.equal([])
    expect(await runAt('2026-01-02T11:00:00Z')).to.deep.equal(['tidy'])
  })

  it('runs after the clock was set back although its process was killed during a run', async () => {
    schedule('tidy', 'hourly')
    await runAt('2026-01-01T10:30:00Z')
    const expires = Date.parse('2036-01-01T10:30:00Z')
    await database.db.insertInto('leases').values({ name: 'run:schedule:core:tidy', holder: 'dead', expires }).execute()
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal(['tidy'])
  })

  it('knows WordPress’s names and those of the filter cron_schedules', async () => {
    hooks.addFilter('cron_schedules', (known) => ({ ...known, noon: { pattern: '0 12 * * *', display: 'At noon' } }))
    for (const name of ['hourly', 'twicedaily', 'daily', 'weekly', 'noon']) schedule(name, name)
    await runAt('2026-01-05T00:00:01Z')
    expect(await runAt('2026-01-05T01:00:00Z')).to.have.members(['hourly'])
    expect(await runAt('2026-01-05T12:00:00Z')).to.have.members(['hourly', 'twicedaily', 'noon'])
    expect(await runAt('2026-01-06T00:00:00Z')).to.have.members(['hourly', 'twicedaily', 'daily'])
    expect(await runAt('2026-01-12T00:00:00Z')).to.have.members(['hourly', 'twicedaily', 'daily', 'weekly', 'noon'])
  })

  it('refuses what is neither a name nor a pattern', () => {
    expect(() => schedule('tidy', 'sometimes')).to.throw('"sometimes"')
  })

  it('stops when undone', async () => {
    const undo = schedule('tidy', 'hourly')
    await runAt('2026-01-01T10:00:01Z')
    undo()
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal([])
  })

  it('does not wait for itself where it runs what is due', async () => {
    for (const name of ['tidy', 'sweep']) {
      jobs.schedule(name, 'hourly', async () => {
        await jobs.runDue()
        runs.push(name)
      })
    }
    await runAt('2026-01-01T10:00:01Z')
    expect(await runAt('2026-01-01T11:00:00Z')).to.have.members(['tidy', 'sweep'])
  })

  it('is waited for where its run began before, but not without a limit, and not where only what is due is started', async () => {
    const limits = { longestTick: 200 }
    await jobs.close()
    // The wait of the run ends before this one, however busy the machine is.
    jobs = createJobs({ database, hooks, log: createLog('silent'), timezone: () => zone, limits })
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    jobs.schedule('tidy', 'hourly', async () => {
      begun.resolve()
      await end.promise
      await wait(100)
      runs.push('tidy')
    })
    await runAt('2026-01-01T10:00:01Z')
    mock.timers.setTime(Date.parse('2026-01-01T11:00:00Z'))
    const first = jobs.startDue()
    await begun.promise
    await jobs.startDue()
    await jobs.runDue()
    expect(runs).to.deep.equal([])
    const waiting = jobs.runDue()
    end.resolve()
    await waiting
    expect(runs).to.deep.equal(['tidy'])
    await first
  })

  it('hands what a run throws to its owner and runs the others', async () => {
    const unload = new AbortController()
    const errors: string[] = []
    const shop = jobs.forOwner({ id: 'shop', signal: unload.signal, onError: (_, what) => errors.push(what) })
    shop.schedule('stock', 'hourly', () => {
      throw new Error('no stock')
    })
    schedule('tidy', 'hourly')
    await runAt('2026-01-01T10:00:01Z')
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal(['tidy'])
    expect(errors).to.deep.equal(['schedule stock'])
    unload.abort()
    await runAt('2026-01-01T12:00:00Z')
    expect(errors).to.have.length(1)
  })

  it('goes on with the time of the last run when a new version of its owner takes over', async () => {
    const version = () => ({ id: 'shop', signal: new AbortController().signal, onError: () => {} })
    schedule('stock', 'hourly', jobs.forOwner(version()))
    await runAt('2026-01-01T10:00:01Z')
    const next = jobs.forOwner(version(), { staged: true })
    next.schedule('stock', 'hourly', () => void runs.push('next'))
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal(['stock'])
    next.commit()
    expect(await runAt('2026-01-01T11:00:01Z')).to.deep.equal([])
    expect(await runAt('2026-01-01T12:00:00Z')).to.deep.equal(['next'])
  })

  it('runs two owners’ schedules of one name side by side', async () => {
    const signal = new AbortController().signal
    schedule('tidy', 'hourly', jobs.forOwner({ id: 'shop', signal, onError: () => {} }))
    schedule('tidy', 'hourly', jobs.forOwner({ id: 'news', signal, onError: () => {} }))
    await runAt('2026-01-01T10:00:01Z')
    expect(await runAt('2026-01-01T11:00:00Z')).to.deep.equal(['tidy', 'tidy'])
  })
})
