import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { createJobs, type JobsHost } from '../../cms/jobs/index.ts'
import { createDatabase, type Database } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { countJob } from './count-job.ts'
import { kill, readEvents, startProcess } from './processes.ts'

onEachDatabase('jobs among processes', (databaseUrl) => {
  let site: { siteDir: string; databaseUrl: string | undefined; file: string; leaseTtl: number }
  let database: Database
  let jobs: JobsHost
  let children: ChildProcess[]

  beforeEach(async () => {
    const siteDir = temporaryFolder()
    site = { siteDir, databaseUrl: await databaseUrl(), file: join(siteDir, 'events'), leaseTtl: 1500 }
    database = await createDatabase(site)
    jobs = createJobs({ ...parts(), limits: { leaseTtl: site.leaseTtl } })
    children = []
  })
  afterEach(async () => {
    await Promise.all(children.map(kill))
    await jobs.close()
    await database.close()
  })

  const parts = () => ({ database, hooks: createHooks(), log: createLog('silent'), timezone: () => 'UTC' })
  const happened = (what: string) => readEvents(site.file).filter((event) => event[0] === what)
  const start = (more = {}) => children.push(startProcess({ ...site, ...more }))

  it('continues after a killed process: only the tick in progress is repeated', async () => {
    start({ hangAt: 3 })
    const { job } = jobs.define(countJob(site.file))
    const { id } = await job.start({ at: 0, to: 6 })
    await until(() => happened('begin').some(([, n]) => n === 3), { seconds: 60 })
    await Promise.all(children.map(kill))

    jobs.start()
    await until(async () => (await jobs.get(id))?.state === 'complete', { seconds: 60 })
    expect(happened('begin').map(([, n]) => n)).to.deep.equal([1, 2, 3, 3, 4, 5, 6])
  })

  it('never runs two ticks of one job at once, whichever process runs them', async () => {
    const { job } = jobs.define(countJob(site.file))
    start()
    start()
    await until(() => happened('ready').length === 2, { seconds: 60 })
    const { id } = await job.start({ at: 0, to: 40 })
    await until(
      async () => {
        await jobs.advance(id)
        return (await jobs.get(id))?.state === 'complete'
      },
      { seconds: 60 },
    )

    const ticks = readEvents(site.file).filter(([what]) => what === 'begin' || what === 'end')
    const expected = Array.from({ length: 40 }, (_, index) => ['begin', 'end'].map((what) => [what, index + 1])).flat()
    expect(ticks.map(([what, n]) => [what, n])).to.deep.equal(expected)
    ticks.forEach(([what, , pid], index) => {
      if (what === 'end') expect(ticks[index - 1]?.[2]).to.equal(pid)
    })
  })

  it('runs a schedule once among all processes', async () => {
    start()
    start()
    await until(() => new Set(happened('second').map(([, second]) => second)).size >= 4, { seconds: 60 })
    const seconds = happened('second').map(([, second]) => second)
    expect(seconds).to.deep.equal([...new Set(seconds)])
  })

  /** A run of the schedule `other` that was interrupted later than others, and is repeated when the process looks for such runs. */
  async function interruptOther(): Promise<void> {
    await database.db
      .insertInto('leases')
      .values([
        { name: 'schedule:core:other', holder: '', expires: Date.now() },
        { name: 'run:schedule:core:other', holder: 'killed', expires: Date.now() + site.leaseTtl },
      ])
      .execute()
  }

  it('repeats a run of a schedule whose process was killed once, however often that happens', async () => {
    const yearly = '0 0 1 1 *'
    start({ hanging: '* * * * * *' })
    await until(() => happened('hanging').length === 1, { seconds: 60 })
    await Promise.all(children.map(kill))
    start({ hanging: yearly })
    await until(() => happened('hanging').length === 2, { seconds: 60 })
    await Promise.all(children.map(kill))

    let runs = 0
    jobs.schedule('hanging', yearly, () => void runs++)
    jobs.schedule('other', yearly, () => void runs--)
    await interruptOther()
    jobs.start()
    await until(() => runs !== 0, { seconds: 60 })
    expect(runs).to.equal(-1)
  })

  it('loses no run of a schedule whose process was killed before it held the lease, or before it repeated the run', async () => {
    const yearly = '0 0 1 1 *'
    // Last run a year ago and more, so that it is due.
    const last = Date.now() - 400 * 24 * 3600 * 1000
    await database.db
      .insertInto('leases')
      .values({ name: 'schedule:core:hanging', holder: '', expires: last })
      .execute()
    const endOf = (child: ChildProcess | undefined) => until(() => child?.signalCode === 'SIGKILL', { seconds: 60 })

    start({ hanging: yearly, killAtLease: true })
    await endOf(children.at(-1))
    start({ hanging: yearly })
    await until(() => happened('hanging').length === 1, { seconds: 60 })
    await Promise.all(children.map(kill))

    start({ hanging: yearly, killAtLease: true })
    await endOf(children.at(-1))
    let runs = 0
    jobs.schedule('hanging', yearly, () => void runs++)
    jobs.start()
    await until(() => runs === 1, { seconds: 60 })
  })

  it('repeats a run of a schedule once, although it was due again during the repetition', async () => {
    const yearly = '0 0 1 1 *'
    await database.db
      .insertInto('leases')
      .values([
        { name: 'schedule:core:hanging', holder: '', expires: Date.now() },
        { name: 'run:schedule:core:hanging', holder: 'killed', expires: Date.now() },
      ])
      .execute()
    start({ hanging: yearly })
    await until(() => happened('hanging').length === 1, { seconds: 60 })

    const expires = Date.now() - 400 * 24 * 3600 * 1000
    await database.db.updateTable('leases').set({ expires }).where('name', '=', 'schedule:core:hanging').execute()
    let runs = 0
    jobs.schedule('hanging', yearly, () => void runs++)
    await jobs.runDue()
    await Promise.all(children.map(kill))

    jobs.schedule('other', yearly, () => void runs--)
    await interruptOther()
    jobs.start()
    await until(() => runs !== 0, { seconds: 60 })
    expect(runs).to.equal(-1)
  })

  it('repeats a run of a schedule that was aborted because its process closed, once', async () => {
    const yearly = '0 0 1 1 *'
    let begun = 0
    async function interrupt(when: string): Promise<void> {
      const closing = createJobs({ ...parts(), limits: { leaseTtl: site.leaseTtl } })
      const before = begun
      closing.schedule('long', when, async (signal) => {
        begun++
        await once(signal, 'abort')
        signal.throwIfAborted()
      })
      closing.start()
      await until(() => begun > before, { seconds: 60 })
      await closing.close()
    }
    await interrupt('* * * * * *')
    await interrupt(yearly)

    jobs.schedule('long', yearly, () => void begun++)
    jobs.schedule('other', yearly, () => void begun--)
    await interruptOther()
    jobs.start()
    await until(() => begun !== 2, { seconds: 60 })
    expect(begun).to.equal(1)
  })

  it('lets one process at a time hold a lease', async () => {
    const other = createJobs(parts())
    const inner = await jobs.withLease('rebuild', 1000, () => other.withLease('rebuild', 1000, async () => 'inner'))
    expect(inner).to.equal(undefined)
    expect(await other.withLease('rebuild', 1000, async () => 'later')).to.equal('later')
    await other.close()
  })
})
