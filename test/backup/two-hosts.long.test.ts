import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createSite, type Site } from '../../app/create-site.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import type { LogEntry } from '../../plugins/backup/job-log.ts'
import type { BackupRecord, Progress } from '../../plugins/backup/types.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { noise } from '../support/randoms.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { BACKUP, unpack, writeFiles } from './backup-site.ts'

describe('Two hosts of one site on one PostgreSQL', () => {
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })

  it('make one backup between them, no segment twice, however they are polled', async () => {
    const dir = temporaryFolder()
    const files = Array.from({ length: 200 }, (_, at) => [`uploads/${at}`, noise(`${at}`, 50_000)] as const)
    await writeFiles(dir, Object.fromEntries(files))
    const databaseUrl = await createPostgresDatabase()
    const open = () =>
      createSite(
        { siteDir: dir, port: 0, logLevel: 'silent', databaseUrl },
        { runServices: false, passwordCost: CHEAPEST },
      )
    const hosts: Site[] = []
    for (let count = 0; count < 2; count++) {
      const host = await open()
      if (count === 0) await host.extensions.activate(await host.extensions.add(BACKUP))
      else await host.extensions.add(BACKUP)
      hosts.push(host)
    }
    const [one, two] = hosts
    if (!one || !two) throw new Error('There are no two hosts.')
    await two.extensions.activate('backup')
    const user = await one.auth.users.create({ login: 'ops', email: 'ops@example.org', roles: ['administrator'] })
    const { password } = await one.auth.applicationPasswords.create(user.id, 'test')
    const urls = await Promise.all(hosts.map((host) => host.listen()))
    const call = async <Data>(
      url: string | undefined,
      path: string,
      method = 'GET',
    ): Promise<{ code?: string; data: Data }> => {
      const headers = { Authorization: `Basic ${btoa(`ops:${password}`)}` }
      return JSON.parse(await (await fetch(`${url}/wp-json/backup/v1${path}`, { method, headers })).text())
    }

    const begun = await Promise.all(urls.map((url) => call<{ jobId: string }>(url, '/backup/create', 'POST')))
    const ids = new Set(begun.map(({ data }) => data.jobId))
    expect(ids.size).equal(1)
    expect(begun.filter(({ code }) => code === 'job_running').length).equal(1)
    const [jobId = ''] = ids
    let ended = false
    await Promise.all(
      [...urls, ...urls].map(async (url) => {
        while (!ended) {
          const { data } = await call<Progress>(url, `/backup/progress?jobId=${jobId}`)
          await wait(20)
          if (data.state !== 'running') {
            expect(data).deep.include({ state: 'complete', warnings: [] })
            ended = true
          }
        }
      }),
    )
    const { data } = await call<{ items: BackupRecord[] }>(urls[1], '/backup/fetch')
    expect(data.items.length).equal(1)
    const log = await call<{ entries: LogEntry[] }>(urls[0], `/backup/logs?jobId=${jobId}`)
    const told = log.data.entries.map(({ message }) => message)
    expect(told, 'no step was done twice').deep.equal([...new Set(told)])
    const out = temporaryFolder()
    const names = await unpack(join(dir, 'backups', data.items[0]?.fileName ?? ''), out)
    const uploads = names.filter((name) => /^files\/uploads\/\d+$/.test(name))
    expect([uploads.length, new Set(uploads).size]).deep.equal([200, 200])
    expect((await readdir(join(dir, 'tmp'))).filter((name) => name.startsWith('backup-'))).deep.equal([])
    for (const host of hosts) await host.close()
  })
})
