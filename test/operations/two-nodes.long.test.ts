import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import packageJson from '../../package.json' with { type: 'json' }
import { WXR_END, WXR_HEAD, wxrItem } from '../content/import/wxr-file.ts'
import { type Cluster, PASSWORD, startCluster } from '../support/cluster.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { logIn } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** Writes a line for each scheduled post that is published, and holds imports while a file exists. */
const WITNESS = `import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'witness', name: 'Witness', version: '1.0.0', description: 'Records what happens.',
  setup({ hooks, rest }) {
    hooks.addAction('import_start', async () => {
      while (existsSync(HOLD)) await wait(50)
    })
    rest.registerRoute('witness/v1', { method: 'GET', path: '/here', access: 'public', handler: () => true })
    hooks.addAction('transition_post_status', (next, last, post) => {
      if (next === 'publish' && last === 'future') appendFileSync(FILE, post.id + '\\n')
    })
  },
})
`

/** A page is stale when its optimized files are ready. */
const CACHED = ['HIT', 'STALE']

describe('Two nodes with nothing in common but PostgreSQL', () => {
  let cluster: Cluster
  const published = join(temporaryFolder(), 'published')
  const hold = join(temporaryFolder(), 'hold')

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    cluster = await startCluster()
  })
  after(() => cluster?.end())

  const send: Cluster['send'] = (...sent) => cluster.send(...sent)
  const write: Cluster['write'] = (...sent) => cluster.write(...sent)

  /** The page, and whether the node had it in its cache. */
  async function view(node: number, path: string) {
    const { status, headers, body } = await send(node, 'GET', path)
    expect(status).to.equal(200)
    return { cache: headers['x-cache'], body }
  }

  it('have one administrator, and no key of their own', async () => {
    expect(await send(1, 'GET', '/wp-json/wp/v2/users/me', { asAdmin: true })).to.include({ status: 200 })
    for (const folder of cluster.folders) expect(existsSync(join(folder, 'secret.key'))).to.equal(false)
  })

  it('serve what a write over the other node has changed, in the next answer, from the cache before and after', async () => {
    const post = await write(0, '/wp/v2/posts', { title: 'Round 0', slug: 'rounds', status: 'publish' })
    const path = new URL(post.link).pathname
    for (let round = 1; round <= 15; round++) {
      await view(1, path)
      expect((await view(1, path)).cache, 'before the change').to.be.oneOf(CACHED)
      await write(0, `/wp/v2/posts/${post.id}`, { title: `Round ${round}` })
      const next = await view(1, path)
      expect(next.body)
        .to.include(`Round ${round}<`)
        .and.not.include(`Round ${round - 1}<`)
      expect(next.cache).to.equal('MISS')
    }
  })

  it('serve it also without the performance service', async () => {
    const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'deactivate', 'speed'])
    expect(code, errors).to.equal(0)
    try {
      await until(async () => (await view(1, '/')).cache === undefined)
      const post = await write(0, '/wp/v2/posts', { title: 'Round 0', slug: 'uncached', status: 'publish' })
      const { pathname } = new URL(post.link)
      for (let round = 1; round <= 5; round++) {
        await view(1, pathname)
        await send(1, 'GET', '/wp-json/wp/v2/posts?slug=uncached')
        await write(0, `/wp/v2/posts/${post.id}`, { title: `Round ${round}` })
        expect((await view(1, pathname)).body).to.include(`Round ${round}<`)
        expect((await send(1, 'GET', '/wp-json/wp/v2/posts?slug=uncached')).body).to.include(`Round ${round}`)
        await write(0, '/wp/v2/settings', { title: `Name ${round}` })
        expect((await view(1, '/wp-login.php')).body).to.include(`Name ${round}`)
        expect((await view(1, pathname)).body).to.include(`Name ${round}`)
      }
    } finally {
      const activated = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', 'speed'])
      expect(activated.code, activated.errors).to.equal(0)
      await until(async () => (await view(1, '/')).cache !== undefined)
    }
  })

  it('serve new settings in the next answer', async () => {
    for (let round = 1; round <= 5; round++) {
      const [writer, reader] = [round % 2, (round + 1) % 2]
      await view(reader, '/')
      expect((await view(reader, '/')).cache).to.be.oneOf(CACHED)
      await write(writer, '/wp/v2/settings', { title: `Title ${round}` })
      expect((await view(reader, '/')).body).to.include(`<title>Title ${round}`)
    }
  })

  it('show a preview that the other node stored, to its user only', async () => {
    const [own, other] = [
      await logIn(cluster.urlOf(0), 'admin', PASSWORD),
      await logIn(cluster.urlOf(1), 'admin', PASSWORD),
    ]
    const post = await write(0, '/wp/v2/posts', { title: 'Saved', slug: 'previewed', status: 'publish' })
    const answer = await send(0, 'POST', `/wp-json/wp/v2/posts/${post.id}/preview`, {
      headers: own,
      body: { title: 'Not saved yet' },
    })
    const { pathname, search } = new URL(JSON.parse(answer.body).link)
    for (const session of [own, other])
      expect((await send(1, 'GET', pathname + search, { headers: session })).body).to.include('Not saved yet')
    expect((await send(1, 'GET', pathname + search)).body).to.not.include('Not saved yet')
  })

  it('lose no setting when both change settings at the same time', async () => {
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => write(0, '/wp/v2/settings', { description: `Text ${index}` })),
      ...Array.from({ length: 10 }, (_, index) => write(1, '/wp/v2/settings', { posts_per_page: index + 1 })),
    ])
    await write(0, '/wp/v2/settings', { description: 'Last text' })
    await write(1, '/wp/v2/settings', { posts_per_page: 7 })
    for (const node of [0, 1]) {
      const { body } = await send(node, 'GET', '/wp-json/wp/v2/settings', { asAdmin: true })
      expect(JSON.parse(body)).to.include({ description: 'Last text', posts_per_page: 7 })
    }
  })

  it('refuse a session that the other one has ended, and accept it before', async () => {
    const [ended, other] = [
      await logIn(cluster.urlOf(0), 'admin', PASSWORD),
      await logIn(cluster.urlOf(0), 'admin', PASSWORD),
    ]
    const me = () => send(1, 'GET', '/wp-json/wp/v2/users/me', { headers: ended })
    expect((await me()).status).to.equal(200)
    const { status } = await send(0, 'DELETE', '/wp-json/host/v1/users/1/sessions', { headers: other })
    expect(status).to.equal(200)
    expect((await me()).status).to.be.oneOf([401, 403])
  })

  it('count failed logins together: ten of them, over any node, lock out', async () => {
    const attempt = (node: number, login: string, pwd: string, address: string) =>
      cluster.send(node, 'GET', '/wp-json/wp/v2/users/me', {
        headers: { authorization: `Basic ${btoa(`${login}:${pwd}`)}`, 'x-forwarded-for': address },
      })
    const form = (node: number, login: string, pwd: string, address: string) =>
      cluster.send(node, 'POST', '/wp-login.php', {
        body: Buffer.from(new URLSearchParams({ log: login, pwd }).toString()),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      })
    for (const [login, tryOnce] of [
      ['nobody', attempt],
      ['somebody', form],
    ] as const) {
      const statuses: number[] = []
      // Each attempt from another network, so that only the user is limited.
      for (let at = 0; at < 14; at++) statuses.push((await tryOnce(at % 2, login, 'wrong', `203.0.113.${at}`)).status)
      expect(statuses.indexOf(429), login).to.equal(10)
      expect(statuses.slice(10)).to.deep.equal([429, 429, 429, 429])
    }
    const rows = await cluster.query('select * from sign_in_failures')
    expect(rows).to.have.length(60)
    expect(JSON.stringify(rows)).to.not.match(/nobody|somebody|203\.0/)
  })

  it('count other attempts together, and limit them also while the counts cannot be read', async () => {
    const guess = async (node: number, address: string) => {
      const { status } = await send(node, 'POST', '/wp-login.php?action=postpass', {
        body: Buffer.from('post_password=wrong'),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      })
      return status
    }
    const statuses: number[] = []
    for (let at = 0; at < 24; at++) statuses.push(await guess(at % 2, '198.51.100.7'))
    expect(statuses.indexOf(429)).to.equal(20)
    expect(statuses.slice(20)).to.deep.equal([429, 429, 429, 429])
    expect(JSON.stringify(await cluster.query('select * from rate_limits')))
      .to.include('"points":2')
      .and.not.include('198.51')
    await cluster.query('alter table rate_limits rename to elsewhere')
    try {
      const alone: number[] = []
      for (let at = 0; at < 22; at++) alone.push(await guess(0, '198.51.101.7'))
      expect(alone.indexOf(429)).to.equal(20)
    } finally {
      await cluster.query('alter table elsewhere rename to rate_limits')
    }
  })

  it('serve no cached page while the change log cannot be read', async () => {
    await view(1, '/')
    expect((await view(1, '/')).cache).to.be.oneOf(CACHED)
    await cluster.query('alter table change_log rename to elsewhere')
    try {
      expect((await view(1, '/')).cache).to.equal('BYPASS')
    } finally {
      await cluster.query('alter table elsewhere rename to change_log')
    }
    expect((await view(1, '/')).cache).to.be.oneOf(CACHED)
  })

  it('show how far each is behind', async () => {
    const nodes = async () => {
      const { body } = await send(0, 'GET', '/wp-json/host/v1/changes/readers', { asAdmin: true })
      const items: { kind: string; name: string; address: string; pending: number }[] = JSON.parse(body).items
      return items.filter(({ kind }) => kind === 'node')
    }
    const pending = async () => (await nodes()).map((node) => node.pending).toSorted((a, b) => a - b)
    const doctor = async () => (await pentad(cluster.folders[0] ?? '', ['doctor'])).output
    await until(async () => (await pending()).join() === '0,0')
    expect((await nodes())[0]).to.include({ name: hostname(), address: packageJson.version })
    expect(await doctor()).to.include(`${hostname()} (${packageJson.version}, up to date)`)
    const paused = cluster.nodes[1]?.pid() ?? 0
    process.kill(paused, 'SIGSTOP')
    try {
      await write(0, '/host/v1/purge', { all: true })
      await until(async () => (await pending()).join() === '0,1')
      expect(await doctor()).to.include(`${hostname()} (${packageJson.version}, 1 event behind)`)
    } finally {
      process.kill(paused, 'SIGCONT')
    }
    await until(async () => (await pending()).join() === '0,0')
  })

  it('purge all pages when another one has stopped without recording what it changed', async () => {
    const post = await write(0, '/wp/v2/posts', { title: 'Before', slug: 'unrecorded', status: 'publish' })
    const { pathname } = new URL(post.link)
    await view(0, pathname)
    expect((await view(0, pathname)).cache).to.be.oneOf(CACHED)
    await cluster.query(`update posts set title = 'After' where id = ${post.id}`)
    expect((await view(0, pathname)).body).to.include('Before')
    await cluster.query(`insert into change_readers (id, name, failures, error, updated_gmt)
      values ('node 1 1.0.0', 'killed', 0, '', to_char(now() at time zone 'utc' - interval '31 seconds', 'YYYY-MM-DD HH24:MI:SS'))`)
    await until(async () => (await view(0, pathname)).body.includes('After'), { seconds: 60 })
    expect(await cluster.query(`select reason from change_log where reason like '%killed%'`)).to.have.length(1)
    await until(async () => (await cluster.query(`select id from change_readers where name = 'killed'`)).length === 0)
  })

  it('serve no page that was cached before a change that a node has missed, because it was killed', async () => {
    const post = await write(0, '/wp/v2/posts', { title: 'Before', slug: 'missed', status: 'publish' })
    const path = new URL(post.link).pathname
    await view(1, path)
    expect((await view(1, path)).cache).to.be.oneOf(CACHED)
    await cluster.nodes[1]?.end('SIGKILL')
    await write(0, `/wp/v2/posts/${post.id}`, { title: 'After' })
    await cluster.start(1)
    expect((await view(1, path)).body)
      .to.include('After')
      .and.not.include('Before')
    await write(1, '/wp/v2/settings', { title: 'Of the second node' })
    expect((await view(0, '/')).body).to.include('Of the second node')
    expect(
      JSON.parse(readFileSync(join(cluster.folders[0] ?? '', 'options.json'), 'utf8')).site_settings.title,
    ).to.equal('Of the second node')
  })

  it('keep their cached pages across a restart, except those that changed meanwhile', async () => {
    const kept = '/sample-page/'
    const post = await write(0, '/wp/v2/posts', { title: 'Before', slug: 'changed', status: 'publish' })
    const changed = new URL(post.link).pathname
    for (const path of [kept, changed]) await until(async () => CACHED.includes(String((await view(1, path)).cache)))
    await cluster.nodes[1]?.end()
    await write(0, `/wp/v2/posts/${post.id}`, { content: 'Changed meanwhile' })
    await cluster.start(1)
    expect((await view(1, kept)).cache).to.be.oneOf(CACHED)
    const next = await view(1, changed)
    expect(next.cache).to.equal('MISS')
    expect(next.body).to.include('Changed meanwhile')
  })

  it('publish each scheduled post once', async () => {
    const folder = join(cluster.folders[0] ?? '', 'extensions/witness')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.ts'),
      WITNESS.replace('FILE', JSON.stringify(published)).replace('HOLD', JSON.stringify(hold)),
    )
    const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', 'witness'])
    expect(code, errors).to.equal(0)
    await until(async () => (await send(1, 'GET', '/wp-json/witness/v1/here')).status === 200)
    const date = new Date(Date.now() + 3000).toISOString().slice(0, 19)
    const ids: number[] = []
    for (let at = 0; at < 6; at++) {
      ids.push((await write(at % 2, '/wp/v2/posts', { title: `Later ${at}`, status: 'future', date_gmt: date })).id)
    }
    await until(async () => {
      const { body } = await send(1, 'GET', '/wp-json/wp/v2/posts?status=future', { asAdmin: true })
      return body === '[]'
    })
    const lines = () => (existsSync(published) ? readFileSync(published, 'utf8').trim().split('\n').map(Number) : [])
    await until(() => lines().length >= ids.length)
    expect(lines().toSorted((a, b) => a - b)).to.deep.equal(ids)
  })

  it('leave an import to the node that has its file, which continues it after it was killed', async () => {
    const wxr = `<?xml version="1.0"?>${WXR_HEAD}${wxrItem({ id: 41, title: 'Imported' })}${WXR_END}`
    const call = async (path: string, body: object | Uint8Array) => {
      const answer = await send(0, 'POST', `/wp-json/host/v1/import${path}`, {
        ...{ asAdmin: true, body },
        ...(body instanceof Uint8Array && { headers: { 'content-type': 'application/octet-stream' } }),
      })
      expect(answer.status, answer.body).to.be.within(200, 299)
      return JSON.parse(answer.body).data
    }
    const bytes = Buffer.from(wxr)
    const { uploadId } = await call('/upload/init', { fileName: 'export.xml', size: bytes.length })
    await call(`/upload/chunk?uploadId=${uploadId}&index=0`, bytes)
    writeFileSync(hold, '')
    await call('', { files: [uploadId] })
    await cluster.nodes[0]?.end('SIGKILL')
    rmSync(hold)
    // The other node looks for jobs every five seconds.
    await wait(7000)
    const { body } = await send(1, 'GET', '/wp-json/wp/v2/posts?search=Imported', { asAdmin: true })
    expect(JSON.parse(body)).to.deep.equal([])
    await cluster.start(0)
    await until(async () => {
      const { body } = await send(1, 'GET', '/wp-json/wp/v2/posts?search=Imported', { asAdmin: true })
      return JSON.parse(body).length === 1
    })
  })

  it('do not start without a common key', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ databaseUrl: cluster.databaseUrl, nodes: 'many' }))
    const { code, errors } = await pentad(folder, ['start', '--port', '0'])
    expect(code).to.equal(1)
    expect(errors).to.include('PENTAD_NODES=many requires')
  })
})
