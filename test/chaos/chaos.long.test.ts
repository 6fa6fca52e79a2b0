/**
 * Two nodes with PostgreSQL and a bucket, Varnish and nginx in front, and a receiver of webhooks, while all of them fail at random. After
 * each acknowledged change, no node and no cache that has acknowledged it may serve what was before; events arrive at least once and in
 * order; nothing is done twice. Run it with `npm run test:chaos`: `npm test` skips it, because it takes ten minutes. `CHAOS_SECONDS` is its duration; `CHAOS_SEED` repeats the faults of a run.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createNginx, createVarnish, type FrontServer } from '../speed/front-server.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { type Answer, type Cluster, type Sent, sendTo, startCluster } from '../support/cluster.ts'
import { freePort } from '../support/free-port.ts'
import { pentad } from '../support/pentad.ts'
import { randomsOf } from '../support/randoms.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { type Gate, openGate } from './gate.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 0)
const SEED = process.env.CHAOS_SEED ?? String(Date.now())
/** Milliseconds after which a client gives up, and does not know whether its write was done. */
const PATIENCE = 15_000
/** Seconds for the checks after the traffic. */
const LAST_CHECKS = 300

/** Writes a line for each post that is published. */
const WITNESS = `import { appendFileSync } from 'node:fs'
import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'witness', name: 'Witness', version: '1.0.0', description: 'Records what happens.',
  setup({ hooks }) {
    hooks.addAction('transition_post_status', (next, last, post) => {
      if (next === 'publish' && last === 'future') appendFileSync(FILE, post.id + '\\n')
    })
  },
})
`

/** A post whose title is its revision: `Revision 7 of it`. */
interface Page {
  readonly id: number
  readonly path: string
  /** The last revision that was acknowledged. */
  revision: number
}

describe(`Chaos, seed ${SEED}`, () => {
  /** Of the faults and of the traffic: the order in which traffic runs is not known, and must not change the faults. */
  const [chance, random] = [randomsOf(`${SEED} faults`), randomsOf(`${SEED} traffic`)]
  const pick = <Item>(items: readonly Item[], next = random): Item | undefined =>
    items[Math.floor(next() * items.length)]
  const log: string[] = []
  const note = (text: string) => log.push(`${((Date.now() - begun) / 1000).toFixed(2)} ${text}`)
  const violations: string[] = []
  const counts = { switches: 0, writes: 0, reads: 0, proxied: 0, unknown: 0, faults: 0 }
  let begun = Date.now()
  let isOver = false

  let bucket: TestBucket
  let cluster: Cluster
  let receiver: Receiver
  let databases: Gate[]
  let balancer: Gate
  let varnish: FrontServer
  let nginx: FrontServer
  let witness: string
  let firstEvent: string

  before(async function () {
    if (SECONDS === 0) this.skip()
    bucket = await startBucket()
    receiver = await startReceiver()
    witness = join(temporaryFolder(), 'published')
    databases = []
    let databasePort = 0
    for (let node = 0; node < 2; node++) databases.push(await openGate(() => [databasePort]))
    cluster = await startCluster((node, databaseUrl) => {
      const url = new URL(databaseUrl)
      databasePort = Number(url.port)
      url.port = String(databases[node]?.port)
      return { databaseUrl: url.href, storageUrl: bucket.storageUrl }
    })
    let turn = 0
    balancer = await openGate(() => {
      const ports = cluster.nodes.map((node) => Number(new URL(node.url).port))
      return turn++ % 2 === 0 ? ports : ports.toReversed()
    })
    const [varnishPort, nginxPort] = [await freePort(), await freePort()]
    varnish = await createVarnish(balancer.port, varnishPort)
    nginx = await createNginx(balancer.port, nginxPort)
    await varnish.start()
    await nginx.start()
    // The other node fetches it.
    const extension = join(cluster.folders[0] ?? '', 'extensions/witness')
    mkdirSync(extension, { recursive: true })
    writeFileSync(join(extension, 'index.ts'), WITNESS.replace('FILE', JSON.stringify(witness)))
    for (const id of ['varnish-purge', 'nginx-purge', 'witness']) {
      const { code, errors } = await pentad(cluster.folders[0] ?? '', ['extension', 'activate', id])
      expect(code, errors).to.equal(0)
    }
    const set = (id: string, settings: object) =>
      cluster.send(0, 'PUT', `/wp-json/host/v1/settings/${id}`, { asAdmin: true, body: { settings } })
    expect((await set('varnish-purge', { nodes: [varnish.url] })).status).to.equal(200)
    expect((await set('nginx-purge', { folder: join(nginx.folder, 'cache') })).status).to.equal(200)
    await cluster.write(0, '/host/v1/webhooks', { url: receiver.url })
    firstEvent = (await events()).at(-1) ?? ''
    begun = Date.now()
  })
  after(async () => {
    isOver = true
    await cluster?.end()
    await varnish?.remove()
    await nginx?.remove()
    for (const gate of [...(databases ?? []), ...(balancer ? [balancer] : [])]) await gate.close()
    receiver?.close()
    await bucket?.stop()
  })

  /** `undefined` if there is no answer. */
  async function ask(node: number, method: string, path: string, sent: Sent = {}): Promise<Answer | undefined> {
    return cluster.send(node, method, path, { ...sent, signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
  }

  async function write(path: string, body: object): Promise<{ id: number; link: string } | undefined> {
    counts.writes++
    const answer = await ask(random() < 0.5 ? 0 : 1, 'POST', `/wp-json${path}`, { asAdmin: true, body })
    if (answer && answer.status < 300) return JSON.parse(answer.body)
    counts.unknown++
    return undefined
  }

  /** IDs of the events in the feed, from the oldest. */
  async function events(): Promise<string[]> {
    const ids: string[] = []
    for (;;) {
      const last = ids.at(-1)
      const query = last === undefined ? '' : `&lastEventId=${encodeURIComponent(last)}`
      const { body, status } = await cluster.send(0, 'GET', `/wp-json/host/v1/changes?limit=1000${query}`, {
        asAdmin: true,
      })
      expect(status, body).to.equal(200)
      const batch: { id: string }[] = JSON.parse(body)
      if (batch.length === 0) return ids
      ids.push(...batch.map(({ id }) => id))
    }
  }

  /** What each reader of the log has yet to process, by its kind and name. */
  async function pending(node: number): Promise<Map<string, number>> {
    const answer = await ask(node, 'GET', '/wp-json/host/v1/changes/readers', { asAdmin: true })
    if (answer?.status !== 200) return new Map()
    const { items }: { items: { kind: string; name: string; pending: number }[] } = JSON.parse(answer.body)
    const list = items.filter(({ kind }) => kind === 'cache' || kind === 'webhook')
    return new Map(list.map(({ kind, name, pending }) => [(name || kind).toLowerCase(), pending]))
  }

  function revisionOf({ body }: Answer): number {
    return Number(/<title>Revision (\d+) /.exec(body)?.[1] ?? Number.NaN)
  }

  /** The answer must have at least the revision that was acknowledged before the request. */
  function check(page: Page, floor: number, answer: Answer | undefined, where: string): void {
    if (answer?.status !== 200) return
    const found = revisionOf(answer)
    if (found >= floor) return
    const text = `${where} served revision ${found} of ${page.path} after ${floor} was acknowledged (${JSON.stringify(answer.headers)})`
    note(`VIOLATION ${text}`)
    violations.push(text)
  }

  const pages = new Map<number, Page>()
  const scheduled = new Set<number>()

  /** Owns one post, so that its revisions are in order. After a write without an answer, which may be done later, it takes a new post. */
  async function author(number: number): Promise<void> {
    for (let attempt = 0; !isOver; attempt++) {
      const made = await write('/wp/v2/posts', {
        ...{ title: 'Revision 1 of it', slug: `page-${number}-${attempt}`, status: 'publish' },
      })
      if (!made) {
        await wait(200)
        continue
      }
      const page: Page = { id: made.id, path: new URL(made.link).pathname, revision: 1 }
      pages.set(number, page)
      while (!isOver) {
        await wait(random() * 400)
        const next = page.revision + 1
        const done = await write(`/wp/v2/posts/${page.id}`, { title: `Revision ${next} of it` })
        if (!done) break
        page.revision = next
        note(`revision ${next} of ${page.path}`)
        for (const node of [0, 1]) check(page, next, await ask(node, 'GET', page.path), `node ${node}`)
        if (random() < 0.05) await write('/host/v1/purge', { all: true })
      }
      pages.delete(number)
    }
  }

  async function reader(): Promise<void> {
    while (!isOver) {
      await wait(random() * 100)
      const page = pick([...pages.values()])
      if (!page) continue
      const floor = page.revision
      counts.reads++
      const node = random() < 0.5 ? 0 : 1
      check(page, floor, await ask(node, 'GET', page.path), `node ${node}`)
    }
  }

  /** A cache that has processed all entries of the log serves nothing older. */
  async function visitor(name: string, front: FrontServer): Promise<void> {
    const get = async (page: Page) =>
      sendTo(new URL(page.path, front.url), 'GET', { signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
    while (!isOver) {
      await wait(random() * 200)
      const page = pick([...pages.values()])
      if (!page) continue
      await get(page)
      const floor = page.revision
      if ((await pending(random() < 0.5 ? 0 : 1)).get(name) !== 0) continue
      counts.proxied++
      check(page, floor, await get(page), name)
    }
  }

  async function uploader(): Promise<void> {
    for (let number = 0; !isOver; number++) {
      await wait(500 + random() * 1000)
      const text = `Text ${number} of ${SEED}.`
      const stored = await ask(number % 2, 'POST', '/wp-json/wp/v2/media', {
        ...{ asAdmin: true, body: Buffer.from(text) },
        headers: { 'content-disposition': 'attachment; filename="notes.txt"', 'content-type': 'text/plain' },
      })
      if (stored?.status !== 201) continue
      const { id, source_url: url } = JSON.parse(stored.body)
      const path = new URL(url).pathname
      for (const node of [0, 1]) {
        const found = await ask(node, 'GET', path)
        if (found && found.status < 500 && found.body !== text)
          violations.push(`node ${node} served ${found.status} ${found.body} for ${path}`)
      }
      if (number % 2 === 0) continue
      const deleted = await ask(0, 'DELETE', `/wp-json/wp/v2/media/${id}?force=true`, { asAdmin: true })
      if (deleted?.status !== 200) continue
      for (const node of [0, 1]) {
        if ((await ask(node, 'GET', path))?.status === 200) violations.push(`node ${node} served the deleted ${path}`)
      }
    }
  }

  async function scheduler(): Promise<void> {
    while (!isOver) {
      await wait(2000)
      const date = new Date(Date.now() + 3000).toISOString().slice(0, 19)
      const made = await write('/wp/v2/posts', { title: 'Later', status: 'future', date_gmt: date })
      if (made) scheduled.add(made.id)
    }
  }

  const turn = (node: number, action: 'activate' | 'deactivate') =>
    ask(node, 'POST', `/wp-json/host/v1/extensions/reading-time/${action}`, { asAdmin: true })

  /** Activates and deactivates an extension that changes pages. */
  async function switcher(): Promise<void> {
    for (let turns = 0; !isOver; turns++) {
      await wait(1000 + random() * 3000)
      const action = turns % 2 === 0 ? 'activate' : 'deactivate'
      counts.switches++
      if ((await turn(random() < 0.5 ? 0 : 1, action))?.status === 200) note(action)
    }
  }

  async function isActive(node: number): Promise<boolean | undefined> {
    const answer = await ask(node, 'GET', '/wp-json/host/v1/extensions', { asAdmin: true })
    if (answer?.status !== 200) return undefined
    const { data }: { data: { id: string; state: string }[] } = JSON.parse(answer.body)
    return data.find(({ id }) => id === 'reading-time')?.state === 'active'
  }

  const faults: Readonly<Record<string, () => Promise<void>>> = {
    async killNode() {
      const node = chance() < 0.5 ? 0 : 1
      note(`kill node ${node}`)
      await cluster.nodes[node]?.end('SIGKILL')
      await wait(chance() * 2000)
      await cluster.start(node)
      note(`node ${node} is back`)
    },
    async pauseNode() {
      const node = cluster.nodes[chance() < 0.5 ? 0 : 1]
      const pid = node?.pid()
      if (pid === undefined || Number.isNaN(pid)) return
      note(`pause ${node?.url}`)
      process.kill(pid, 'SIGSTOP')
      await wait(chance() * 5000)
      process.kill(pid, 'SIGCONT')
      note(`resume ${node?.url}`)
    },
    async cutDatabase() {
      pick(databases, chance)?.cut()
    },
    async pauseDatabase() {
      const gate = pick(databases, chance)
      gate?.pause()
      await wait(chance() * 5000)
      gate?.resume()
    },
    async endListeners() {
      await cluster.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and lower(query) like 'listen%'`,
      )
    },
    async cutProxies() {
      balancer.cut()
    },
    async restartVarnish() {
      await varnish.stop()
      await wait(chance() * 2000)
      await varnish.start()
    },
    async restartNginx() {
      await nginx.stop()
      await wait(chance() * 2000)
      await nginx.start()
    },
    async failReceiver() {
      receiver.fail(true)
      await wait(chance() * 3000)
      receiver.fail(false)
    },
    async failBucket() {
      bucket.fail(true)
      await wait(chance() * 2000)
      bucket.fail(false)
    },
  }

  async function saboteur(): Promise<void> {
    while (!isOver) {
      await wait(500 + chance() * 2500)
      const name = pick(Object.keys(faults), chance) ?? ''
      note(`fault ${name}`)
      counts.faults++
      await faults[name]?.()
    }
  }

  it(`serves nothing stale, loses no event, and does nothing twice, for ${SECONDS} s`, async () => {
    const end = setTimeout(() => {
      isOver = true
    }, SECONDS * 1000)
    await Promise.all([
      ...[0, 1, 2].map(author),
      ...[reader(), reader(), visitor('varnish', varnish), visitor('nginx', nginx)],
      ...[uploader(), scheduler(), switcher(), saboteur()],
    ])
    clearTimeout(end)
    const told = () =>
      `seed ${SEED}, ${JSON.stringify(counts)}\n${violations.join('\n')}\n${log.slice(-300).join('\n')}`
    // Retries are due now.
    await cluster.query(`update change_webhooks set next_attempt_gmt = '2020-01-01 00:00:00'`)
    await cluster.query(`update change_readers set next_attempt_gmt = '2020-01-01 00:00:00'`)
    await until(async () => [...(await pending(0)).values()].join() === '0,0,0', { seconds: 60 })
    const all = await events()
    const expected = all.slice(all.indexOf(firstEvent) + 1)
    expect(
      receiver.ids.filter((id) => expected.includes(id)),
      told(),
    ).to.deep.equal(expected)
    for (const page of pages.values()) check(page, page.revision, await ask(0, 'GET', page.path), 'node 0, at the end,')

    await until(async () => {
      const answer = await ask(0, 'GET', '/wp-json/wp/v2/posts?status=future', { asAdmin: true })
      return answer?.body === '[]'
    })
    for (const action of ['activate', 'deactivate'] as const) {
      expect((await turn(0, action))?.status, told()).to.equal(200)
      const isOn = action === 'activate'
      await until(async () => (await isActive(0)) === isOn && (await isActive(1)) === isOn)
    }

    const published = existsSync(witness) ? readFileSync(witness, 'utf8').trim().split('\n') : []
    expect(new Set(published).size, told()).to.equal(published.length)
    expect(counts.reads, told()).to.be.above(SECONDS)
    expect(counts.proxied, told()).to.be.above(SECONDS / 10)
    expect(violations, told()).to.deep.equal([])
    note(JSON.stringify({ ...counts, events: expected.length, published: published.length }))
    if (process.env.CHAOS_LOG) writeFileSync(process.env.CHAOS_LOG, `seed ${SEED}\n${log.join('\n')}\n`)
  }).timeout((SECONDS + LAST_CHECKS) * 1000)
})
