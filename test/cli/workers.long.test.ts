import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { z } from 'zod'
import { freePort } from '../support/free-port.ts'
import { COMMAND, environment, pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const Preview = z.object({ data: z.object({ query: z.string() }) })

describe('pentad start --workers 2', () => {
  let siteDir: string
  let site: RunningSite
  let headers: Record<string, string>

  before(async () => {
    const port = await freePort()
    siteDir = startedSite({ services: true, config: { port } })
    site = await startPentad(siteDir, ['--port', String(port), '--workers', '2'])
    await until(async () => (await servers()) === 2, { seconds: 60 })
    const made = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
    headers = {
      Authorization: `Basic ${btoa(`admin:${made.output.trim().split('\n').at(-1)?.trim()}`)}`,
      'Content-Type': 'application/json',
    }
  })
  after(() => site.end())

  /** As `pentad doctor` counts them. */
  async function servers(): Promise<number> {
    const { output } = await pentad(siteDir, ['doctor'])
    return Number(/with (\d+) processes/.exec(output)?.[1] ?? 0)
  }

  /** @returns the cookies of a session */
  async function logIn(): Promise<string> {
    const password = 'correct horse battery'
    await pentad(siteDir, ['user', 'password', 'admin', '--password-stdin'], password)
    const response = await fetch(`${site.url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
      body: new URLSearchParams({ log: 'admin', pwd: password, testcookie: '1' }),
    })
    return response.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
  }

  /** A request on a connection of its own, so that any worker may accept it. */
  async function request(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(site.url + path, {
      ...init,
      headers: { connection: 'close', ...(init.headers ?? headers) },
    })
    return { status: response.status, text: await response.text() }
  }

  /** Does work while only this worker can answer. */
  async function onlyBy<Result>(pid: number, work: () => Promise<Result>): Promise<Result> {
    const others = site.processIds().filter((other) => other !== pid)
    for (const other of others) process.kill(other, 'SIGSTOP')
    try {
      return await work()
    } finally {
      for (const other of others) process.kill(other, 'SIGCONT')
    }
  }

  it('says so once, and serves one site by both', async () => {
    expect(site.output().match(/Pentad is running at/g)).to.have.length(1)
    expect(site.output()).to.contain('with 2 workers')
    const processIds = site.processIds()
    expect(processIds).to.have.length(2)
    const [first = 0, second = 0] = processIds
    const body = JSON.stringify({ title: 'Written by the first', status: 'publish' })
    const saved = await onlyBy(first, () => request('/wp-json/wp/v2/posts', { method: 'POST', body }))
    expect(saved.status).to.equal(201)
    expect((await onlyBy(second, () => request('/written-by-the-first/'))).text).to.contain('Written by the first')
  })

  it('confirms no change before the other worker can know of it', async () => {
    const [first = 0, second = 0] = site.processIds()
    await onlyBy(second, () =>
      until(async () => !(await request('/hello-world/', { headers: {} })).text.includes('Known')),
    )
    const database = new DatabaseSync(join(siteDir, 'site.db'), { timeout: 10_000 })
    // An error that is not about the values, so that the purge is recorded later.
    database.exec(
      "create trigger never before insert on change_log when new.type = 'purge' begin select abs(-9223372036854775807 - 1); end",
    )
    let isConfirmed = false
    const body = JSON.stringify({ title: 'Known to both' })
    const saved = onlyBy(first, () => request('/wp-json/wp/v2/posts/1', { method: 'POST', body })).finally(() => {
      isConfirmed = true
    })
    try {
      // A single process would confirm it after a second.
      await wait(2500)
      expect(isConfirmed).to.equal(false)
    } finally {
      database.exec('drop trigger never')
      database.close()
    }
    expect((await saved).status).to.equal(200)
    await onlyBy(second, () =>
      until(async () => (await request('/hello-world/', { headers: {} })).text.includes('Known')),
    )
  })

  it('shows a preview of the appearance that another worker stored', async () => {
    const [first = 0, second = 0] = site.processIds()
    const body = JSON.stringify({ settings: { footerText: 'Unsaved words' } })
    const path = '/wp-json/host/v1/appearance/preview'
    const stored = await onlyBy(first, () => request(path, { method: 'POST', body }))
    const { query } = Preview.parse(JSON.parse(stored.text)).data
    const cookie = await logIn()
    const page = await onlyBy(second, () => request(`/?${query}`, { headers: { cookie } }))
    expect(page.text).to.contain('Unsaved words')
  })

  it('replaces a killed worker while the other one serves', async () => {
    const [first = 0, second = 0] = site.processIds()
    process.kill(first, 'SIGKILL')
    // Until then it may accept another connection.
    await until(() => !site.processIds().includes(first))
    for (let count = 0; count < 20; count++) expect((await request('/hello-world/')).status).to.equal(200)
    await until(() => site.processIds().length === 2, { seconds: 60 })
    const [replacement = 0] = site.processIds().filter((pid) => pid !== second)
    expect(replacement).to.not.equal(first)
    expect(site.errors()).to.match(/Worker \d stopped unexpectedly \(signal SIGKILL\)\. It is being restarted\./)
    expect((await onlyBy(replacement, () => request('/hello-world/'))).status).to.equal(200)
  })

  it('answers every request that was begun before it is stopped, and ends all workers', async () => {
    const processIds = site.processIds()
    let stopped = false
    let answered = 0
    const statuses = new Set<number>()
    const clients = Array.from({ length: 10 }, async () => {
      for (; !stopped; answered++) statuses.add((await request('/wp-json/', { headers: {} })).status)
    })
    while (answered < 50) await new Promise(setImmediate)
    const ended = site.end()
    stopped = true
    await Promise.all(clients)
    expect([...statuses]).to.deep.equal([200])
    expect(await ended).to.equal(0)
    for (const pid of processIds) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
  })
})

describe('pentad start', () => {
  it('says which numbers of workers are possible', () => {
    const start = (workers: string) => {
      const env = { ...environment(), PENTAD_WORKERS: workers, PENTAD_SITE_DIR: temporaryFolder() }
      return spawnSync(process.execPath, [COMMAND, 'start'], { env, encoding: 'utf8' })
    }
    for (const workers of ['0', '65', '1.5', 'all']) {
      const { status, stderr } = start(workers)
      expect([workers, status]).to.deep.equal([workers, 1])
      expect(stderr).to.contain('PENTAD_WORKERS').and.contain('Expected a whole number from 1 to 64, or auto.')
    }
  })
})
