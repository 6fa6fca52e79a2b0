import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import Koa from 'koa'
import { createSite, type Site } from '../../app/create-site.ts'
import { registerCron } from '../../cms/jobs/index.ts'
import { ANONYMOUS, CHEAPEST } from '../../core/auth/index.ts'
import { createFixedAddresses } from '../../core/http/index.ts'
import type { LogEntry } from '../../plugins/backup/job-log.ts'
import type { BackupRecord, Progress } from '../../plugins/backup/types.ts'
import { pentad } from '../support/pentad.ts'
import { noise } from '../support/randoms.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { unpack, writeFiles } from './backup-site.ts'

const UPLOADS = 40

/** A host in whose process nothing drives jobs before it listens, and what its administrator asks. */
async function createQuietSite() {
  const dir = temporaryFolder()
  const files = Array.from({ length: UPLOADS }, (_, at) => [`uploads/${at}`, noise(`${at}`, 100_000)] as const)
  await writeFiles(dir, Object.fromEntries(files))
  const host = await createSite({ siteDir: dir, port: 0, logLevel: 'silent' }, { passwordCost: CHEAPEST })
  const { items } = await host.auth.users.query({ roles: ['administrator'], limit: 1 })
  const identity = { ...ANONYMOUS, user: items[0] ?? null }
  const call = async <Data>(method: 'GET' | 'POST', path: string): Promise<Data> => {
    const { body } = await host.rest.dispatch({ method, route: `/backup/v1${path}`, identity })
    return JSON.parse(JSON.stringify(body)).data
  }
  return { dir, host, call, create: async () => (await call<{ jobId: string }>('POST', '/backup/create')).jobId }
}

type QuietSite = Awaited<ReturnType<typeof createQuietSite>>

const progress = (site: QuietSite, jobId: string) => site.call<Progress>('GET', `/backup/progress?jobId=${jobId}`)

/** `POST /wp-cron.php` of a host that does not listen. */
async function serveCron(host: Site) {
  const addresses = createFixedAddresses()
  registerCron(addresses, host.jobs.runDue)
  const server = createServer(new Koa().use(addresses.routes()).callback())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    post: async () => (await fetch(`http://127.0.0.1:${port}/wp-cron.php`, { method: 'POST' })).status,
    close: () => void server.close(),
  }
}

describe('A backup comes to its end', () => {
  let site: QuietSite
  beforeEach(async () => {
    site = await createQuietSite()
  })
  afterEach(() => site.host.close())

  /** One backup, each file in it once, no step done twice. */
  async function expectWhole(jobId: string): Promise<void> {
    const { items } = await site.call<{ items: BackupRecord[] }>('GET', '/backup/fetch')
    expect(items.map(({ id }) => id)).deep.equal([jobId])
    const names = await unpack(join(site.dir, 'backups', items[0]?.fileName ?? ''), temporaryFolder())
    const uploads = names.filter((name) => /^files\/uploads\/\d+$/.test(name))
    expect([uploads.length, new Set(uploads).size]).deep.equal([UPLOADS, UPLOADS])
    const log = await site.call<{ entries: LogEntry[] }>('GET', `/backup/logs?jobId=${jobId}`)
    const told = log.entries.map(({ message }) => message)
    expect(told).deep.equal([...new Set(told)])
  }

  it('by progress polls alone', async () => {
    const jobId = await site.create()
    while ((await progress(site, jobId)).state === 'running');
    await expectWhole(jobId)
  })

  it('by the scheduler of a running host alone', async () => {
    const { promise: completed, resolve } = Promise.withResolvers<string>()
    site.host.hooks.addAction('backup_completed', ({ id }) => resolve(id))
    await site.host.listen()
    const jobId = await site.create()
    expect(await completed).equal(jobId)
    await expectWhole(jobId)
  })

  it('by POST /wp-cron.php alone', async () => {
    const cron = await serveCron(site.host)
    const jobId = await site.create()
    while ((await site.host.jobs.get(jobId))?.state === 'running') expect(await cron.post()).equal(204)
    cron.close()
    await expectWhole(jobId)
  })

  it('by all of them at once, each step once', async () => {
    const cron = await serveCron(site.host)
    const jobId = await site.create()
    const command = pentad(site.dir, ['cron'])
    await site.host.listen()
    const percents: number[] = []
    const poll = async () => {
      for (let state = 'running'; state === 'running'; ) {
        const now = await progress(site, jobId)
        state = now.state
        percents.push(now.percent)
      }
    }
    const call = async () => {
      while ((await site.host.jobs.get(jobId))?.state === 'running') await cron.post()
    }
    await Promise.all([poll(), poll(), call(), call()])
    expect((await command).code).equal(0)
    cron.close()
    expect((await progress(site, jobId)).state).equal('complete')
    await expectWhole(jobId)
  })
})
