/**
 * A cached page of 64 KB: the page cache of the performance service against Node's bare server, minimal Koa and nginx,
 * all measured in one run. Also what a page costs that is not cached, and how often one is rendered that 1,000 visitors
 * ask for at once.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestHost } from 'pentad/testing'
import { OPTIMIZER_OFF } from '../test/speed/optimizer-off.ts'
import { CONDITIONS, measureInTurn, medianRatio, printAim, printLoad, startServer } from './load.ts'
import { startNginx } from './nginx.ts'

const PAGE_BYTES = 64 * 1024
const CROWD = 1_000
/** Milliseconds after its start in which a site finishes what it does in the background. */
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
  // The optimizer makes its files and the page is rendered with them before anything is measured.
  await fetchHit(page)
  await wait(SETTLE)
  const { body, headers } = await fetchHit(page)
  const same = { BODY: body.toString(), HEADERS: JSON.stringify(headers) }
  const bare = await startServer('bare-server.ts', same)
  const koa = await startServer('koa-app.ts', { ...same, BODY_TYPE: 'html' })
  const nginx = await startNginx(bare.line, body)
  try {
    const [own = [], node = [], minimal = [], cached = [], file = []] = measureInTurn([
      { url: page, pid: pentad.pid },
      { url: bare.line, pid: bare.pid },
      { url: koa.line, pid: koa.pid },
      { url: nginx.cached, pid: nginx.pid },
      { url: nginx.file, pid: nginx.pid },
    ])
    console.log(`Cached page of ${body.length} bytes with ${headers.length / 2} headers, ${CONDITIONS}`)
    printLoad('pentad', own)
    printLoad('bare node:http', node)
    printLoad('minimal Koa', minimal)
    printLoad('nginx proxy_cache, hit', cached)
    printLoad('nginx, static file', file)
    printAim('to bare node:http', medianRatio(own, node, 'perSecond'), 0.9)
    printAim('to nginx proxy_cache', medianRatio(own, cached, 'perSecond'), 1)
    printAim('processor time to bare', medianRatio(own, node, 'cpu'), 1 / 0.9, 'at most')
    printAim('processor time to nginx', medianRatio(own, cached, 'cpu'), 1, 'at most')
    printAim('p99 to bare node:http', medianRatio(own, node, 'p99'), 2, 'at most')
    console.log(`  ${'to minimal Koa'.padEnd(28)} ${medianRatio(own, minimal, 'perSecond').toFixed(2).padStart(7)}`)
    console.log(
      `  ${'to a static file of nginx'.padEnd(28)} ${medianRatio(own, file, 'perSecond').toFixed(2).padStart(7)}`,
    )
  } finally {
    for (const server of [pentad, bare, koa, nginx]) server.stop()
  }
}

/** The page as a hit answers it, with headers as names and values in turn; `Date` and the connection's are Node's own. */
async function fetchHit(url: string): Promise<{ body: Buffer; headers: string[] }> {
  const own = new Set(['date', 'connection', 'keep-alive'])
  let hits = 0
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
    const body = Buffer.from(await answer.arrayBuffer())
    hits = answer.headers.get('x-cache') === 'HIT' ? hits + 1 : 0
    // The optimizer may still be at work; when it is done the page is rendered once more.
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
    const [without = [], optimized = [], switchedOff = []] = measureInTurn(urls)
    console.log(`The same page, not cached, ${CONDITIONS}`)
    printLoad('without the service', without)
    printLoad('optimizer on', optimized)
    printLoad('optimizer off', switchedOff)
  } finally {
    for (const server of servers) server.stop()
  }
}

/** A page whose time is over: first shown once more while it is rendered, then too old for that. */
async function countRenderings(): Promise<void> {
  const site = await createTestHost({
    extensions: [join(import.meta.dirname, '../plugins/speed')],
    now: '2026-01-01T00:00:00Z',
    config: { environment: 'production' },
  })
  // It may render a page once more by itself.
  await site.host.settings.get('speed')?.update({ preload: 'off', ...OPTIMIZER_OFF })
  // The new settings purge everything, shortly after.
  await site.clock.advance(60_000)
  let renderings = 0
  site.host.hooks.addAction('template_redirect', () => {
    renderings++
  })
  const crowd = async () => {
    renderings = 0
    const answers = await Promise.all(Array.from({ length: CROWD }, () => site.get('/hello-world/')))
    for (const answer of answers) await answer.text()
    if (answers.some(({ status }) => status !== 200)) throw new Error('not everybody was answered')
    return renderings
  }
  try {
    console.log(`${CROWD} concurrent requests for one page: renderings`)
    printAim('not cached yet', await crowd(), 1, 'at most')
    await site.clock.advance(25 * 60 * 60 * 1000)
    printAim('expired', await crowd(), 1, 'at most')
    await site.clock.advance(72 * 60 * 60 * 1000)
    printAim('expired long ago', await crowd(), 1, 'at most')
  } finally {
    await site.close()
  }
}
