/**
 * A cached page of 64 KB: the page cache of the performance service, compared with plain `node:http`, minimal Koa and nginx
 * in the same run. Also the cost of an uncached page, and the number of renderings for 1,000 concurrent requests for one page.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestHost } from 'pentad/testing'
import { OPTIMIZER_OFF } from '../test/speed/optimizer-off.ts'
import { CONDITIONS, measureAlternately, medianRatio, printLoad, printTarget, startServer } from './load.ts'
import { startNginx } from './nginx.ts'

const PAGE_BYTES = 64 * 1024
const CROWD = 1_000
/** Time for a site to finish background work after its start, in ms. */
const SETTLE = 8_000

await countRenderings()
await compareCached()
await compareUncached()

async function compareCached(): Promise<void> {
  const pentad = await startServer('pentad-site.ts', {
    SERVICES: 'on',
    PAGE_CACHE: 'on',
    LONG_PAGE: String(PAGE_BYTES),
  })
  const page = `${JSON.parse(pentad.line).url}/long/`
  // Before the measurement, the optimizer creates its files and the page is re-rendered with them.
  await fetchHit(page)
  await wait(SETTLE)
  const { body, headers } = await fetchHit(page)
  const same = { BODY: body.toString(), HEADERS: JSON.stringify(headers) }
  const bare = await startServer('bare-server.ts', same)
  const koa = await startServer('koa-app.ts', { ...same, BODY_TYPE: 'html' })
  const nginx = await startNginx(bare.line, body)
  try {
    const [own = [], node = [], minimal = [], cached = [], file = []] = measureAlternately([
      { url: page, pid: pentad.pid },
      { url: bare.line, pid: bare.pid },
      { url: koa.line, pid: koa.pid },
      { url: nginx.cached, pid: nginx.pid },
      { url: nginx.file, pid: nginx.pid },
    ])
    console.log(`Cached page of ${body.length} bytes with ${headers.length / 2} headers, ${CONDITIONS}`)
    printLoad('pentad', own)
    printLoad('plain node:http', node)
    printLoad('minimal Koa', minimal)
    printLoad('nginx proxy_cache, hit', cached)
    printLoad('nginx, static file', file)
    printTarget('requests/s / node:http', medianRatio(own, node, 'perSecond'), 0.9)
    printTarget('requests/s / proxy_cache', medianRatio(own, cached, 'perSecond'), 1)
    printTarget('CPU time / node:http', medianRatio(own, node, 'cpu'), 1 / 0.9, 'at most')
    printTarget('CPU time / proxy_cache', medianRatio(own, cached, 'cpu'), 1, 'at most')
    printTarget('p99 / node:http', medianRatio(own, node, 'p99'), 2, 'at most')
    console.log(
      `  ${'requests/s / minimal Koa'.padEnd(28)} ${medianRatio(own, minimal, 'perSecond').toFixed(2).padStart(7)}`,
    )
    console.log(
      `  ${'requests/s / static file'.padEnd(28)} ${medianRatio(own, file, 'perSecond').toFixed(2).padStart(7)}`,
    )
  } finally {
    for (const server of [pentad, bare, koa, nginx]) server.stop()
  }
}

/** The page of a cache hit, with headers as a flat list of names and values, without `Date` and those of the connection. */
async function fetchHit(url: string): Promise<{ body: Buffer; headers: string[] }> {
  const own = new Set(['date', 'connection', 'keep-alive'])
  let hits = 0
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
    const body = Buffer.from(await answer.arrayBuffer())
    hits = answer.headers.get('x-cache') === 'HIT' ? hits + 1 : 0
    // The optimizer may still be running; when it finishes, the page is re-rendered.
    if (hits > 20) return { body, headers: [...answer.headers].filter(([name]) => !own.has(name)).flat() }
    await wait(100)
  }
  throw new Error(`${url} is not cached`)
}

async function compareUncached(): Promise<void> {
  const page = { LONG_PAGE: String(PAGE_BYTES) }
  const plain = await startServer('pentad-site.ts', page)
  const on = await startServer('pentad-site.ts', { ...page, SERVICES: 'on' })
  const off = await startServer('pentad-site.ts', { ...page, SERVICES: 'on', OPTIMIZER: 'off' })
  const servers = [plain, on, off]
  try {
    const urls = servers.map(({ line, pid }) => ({ url: `${JSON.parse(line).url}/long/`, pid }))
    const [without = [], optimized = [], switchedOff = []] = measureAlternately(urls)
    console.log(`The same page, uncached, ${CONDITIONS}`)
    printLoad('without the service', without)
    printLoad('optimizer on', optimized)
    printLoad('optimizer off', switchedOff)
  } finally {
    for (const server of servers) server.stop()
  }
}

/** Counts renderings for a crowd of requests: for an uncached page, a stale page, and one too old to be served stale. */
async function countRenderings(): Promise<void> {
  const site = await createTestHost({
    extensions: [join(import.meta.dirname, '../plugins/speed')],
    now: '2026-01-01T00:00:00Z',
    config: { environment: 'production' },
  })
  // Preloading would render pages too.
  await site.host.settings.get('speed')?.update({ preload: 'off', ...OPTIMIZER_OFF })
  // Saving the settings purges all pages, with a delay.
  await site.clock.advance(60_000)
  let renderings = 0
  site.host.hooks.addAction('template_redirect', () => {
    renderings++
  })
  const crowd = async () => {
    renderings = 0
    const answers = await Promise.all(Array.from({ length: CROWD }, () => site.get('/hello-world/')))
    for (const answer of answers) await answer.text()
    if (answers.some(({ status }) => status !== 200)) throw new Error('a request failed')
    return renderings
  }
  try {
    console.log(`Renderings for ${CROWD} concurrent requests for one page`)
    printTarget('uncached', await crowd(), 1, 'at most')
    await site.clock.advance(25 * 60 * 60 * 1000)
    printTarget('stale', await crowd(), 1, 'at most')
    await site.clock.advance(72 * 60 * 60 * 1000)
    printTarget('expired', await crowd(), 1, 'at most')
  } finally {
    await site.close()
  }
}
