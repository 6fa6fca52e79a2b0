import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { slowdown, until } from '../support/until.ts'

/** Writes a line for each run of its schedules, and for each scheduled post that is published. */
const WITNESS = `import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { defineExtension } from 'pentad'
const write = (...words) => appendFileSync(FILE, words.join(' ') + '\\n')
export default defineExtension({
  id: 'witness', name: 'Witness', version: '1.0.0', description: 'Records what happens.',
  setup({ hooks, jobs, rest }) {
    jobs.schedule('often', '*/2 * * * * *', () => write('often', Math.round(Date.now() / 2000), process.pid))
    jobs.schedule('single', PATTERN, async () => {
      write('begin', 0, process.pid)
      while (existsSync(HOLD)) await wait(20)
      write('end', 0, process.pid)
    })
    rest.registerRoute('witness/v1', { method: 'GET', path: '/here', access: 'public', handler: () => true })
    hooks.addAction('transition_post_status', (next, last, post) => {
      if (next === 'publish' && last === 'future') write('published', post.id, process.pid)
    })
  },
})
`

/** Connections that are open when a node begins to close. */
const CONNECTIONS = 6

describe('A node that ends', () => {
  let cluster: Cluster
  const file = join(temporaryFolder(), 'lines')
  const hold = join(temporaryFolder(), 'hold')

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    cluster = await startCluster()
  })
  after(() => cluster?.end())

  const lines = (what: string) =>
    (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
      .map((line) => line.split(' '))
      .filter(([first]) => first === what)
      .map(([, value, pid]) => ({ value: Number(value), pid: Number(pid) }))
  const nodeOf = (pid: number) => cluster.nodes.findIndex((node) => node.pid() === pid)

  it('serves no stale page until its last answer', async () => {
    const post = await cluster.write(0, '/wp/v2/posts', { title: 'Revision 0.', slug: 'watched', status: 'publish' })
    const { pathname } = new URL(post.link)
    const feed = `${pathname}feed/`
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    /** `undefined` if the connection is closed. */
    const read = (path: string) =>
      new Promise<{ body: string; isLast: boolean } | undefined>((resolve) => {
        const sent = request(new URL(path, cluster.urlOf(1)), { agent, headers: { host: 'site.example' } })
        sent.on('error', () => resolve(undefined))
        sent.on('response', (response) => {
          const isLast = response.headers.connection === 'close'
          text(response).then(
            (body) => resolve({ body, isLast }),
            () => resolve(undefined),
          )
        })
        sent.end()
      })
    let acknowledged = 0
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        const next = acknowledged + 1
        await cluster.write(0, `/wp/v2/posts/${post.id}`, { title: `Revision ${next}.` })
        await cluster.write(0, '/wp/v2/settings', { title: `Name ${next}.` })
        acknowledged = next
      }
    })()
    const last: string[] = []
    async function readUntilClosed(path: string): Promise<void> {
      for (;;) {
        const expected = acknowledged
        const answer = await read(path)
        if (!answer) return
        const shown = Number(/(?:Revision|Name) (\d+)\./.exec(answer.body)?.[1] ?? 0)
        expect(shown, path).to.be.at.least(expected)
        if (answer.isLast) last.push(path)
      }
    }
    // The page is cached; the login page and feeds are not.
    const paths = [pathname, pathname, '/wp-login.php', '/wp-login.php', feed, feed]
    const reading = Promise.all(paths.map(readUntilClosed))
    await until(() => acknowledged > 2)
    const code = await cluster.nodes[1]?.end()
    await reading
    isOver = true
    await writing
    expect(code).to.equal(0)
    expect(last).to.include(pathname)
    agent.destroy()
    await cluster.start(1)
  })

  it('leaves what it did not complete to another one: schedules run once, and are repeated only if it is killed', async () => {
    // Once in a year, after both nodes have the extension.
    const time = new Date(Date.now() + 25_000 * slowdown())
    const [hour, minute, second] = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()]
    const pattern = `${second} ${minute} ${hour} ${time.getUTCDate()} ${time.getUTCMonth() + 1} *`
    const folder = join(cluster.folders[0] ?? '', 'extensions/witness')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.ts'),
      WITNESS.replace('FILE', JSON.stringify(file))
        .replace('HOLD', JSON.stringify(hold))
        .replace('PATTERN', JSON.stringify(pattern)),
    )
    writeFileSync(hold, '')
    const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', 'witness'])
    expect(code, errors).to.equal(0)
    await until(async () => (await cluster.send(1, 'GET', '/wp-json/witness/v1/here')).status === 200)

    await until(() => lines('begin').length === 1, { seconds: 60 + (time.getTime() - Date.now()) / 1000 })
    const killed = nodeOf(lines('begin')[0]?.pid ?? 0)
    await cluster.nodes[killed]?.end('SIGKILL')
    rmSync(hold)
    await until(() => lines('end').length === 1, { seconds: 90 })
    expect(lines('begin')).to.have.length(2)
    expect(nodeOf(lines('end')[0]?.pid ?? 0)).to.equal(1 - killed)
    await cluster.start(killed)
    await until(() => lines('often').some(({ pid }) => nodeOf(pid) === killed), { seconds: 60 })
    const times = lines('often').map(({ value }) => value)
    expect(times).to.deep.equal([...new Set(times)])
    expect(lines('end')).to.have.length(1)
  })

  it('leaves scheduled posts to another one, which publishes each once', async () => {
    const date = new Date(Date.now() + 8000).toISOString().slice(0, 19)
    const ids: number[] = []
    for (let at = 0; at < 12; at++) {
      ids.push(
        (await cluster.write(at % 2, '/wp/v2/posts', { title: `Later ${at}`, status: 'future', date_gmt: date })).id,
      )
    }
    await until(() => lines('published').length > 0, { seconds: 60 })
    const killed = nodeOf(lines('published')[0]?.pid ?? 0)
    await cluster.nodes[killed]?.end('SIGKILL')
    const scheduled = () => cluster.query("select id from posts where status = 'future'")
    await until(async () => (await scheduled()).length === 0, { seconds: 60 })
    const rows = await cluster.query(`select id from posts where status = 'publish' and id in (${ids.join()})`)
    expect(rows).to.have.length(ids.length)
    const published = lines('published').map(({ value }) => value)
    expect(published).to.deep.equal([...new Set(published)])
    await cluster.start(killed)
  })
})
