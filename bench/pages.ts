/**
 * Claims: with all services and without the page cache, a post and the home page take at most 1.4 ms of CPU time, search results 2 ms:
 * `npm run bench:pages`. CPU time includes all threads. Also measures other checkouts: `npm run bench:pages -- ../pentad-of-last-week`.
 * Linux only, because it reads `/proc`.
 */
import { join, relative, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median, printTarget, processorTime, startServer } from './load.ts'

/** Requests for each page before the first round: V8 compiles code that runs often. */
const WARM_UP = 600
/** Milliseconds until the optimizer has created its files. */
const REST = 5_000
const ROUNDS = 9
const REQUESTS = 150
const TARGETS = { post: 1.4, home: 1.4, search: 2, 'missing page': Number.NaN }

type Kind = keyof typeof TARGETS

interface Measured {
  readonly root: string
  readonly pid: number | undefined
  readonly urls: Readonly<Record<Kind, string>>
  readonly times: Readonly<Record<Kind, number[]>>
  stop(): void
}

const { positionals } = parseArgs({ allowPositionals: true })
const own = join(import.meta.dirname, '..')
const sites: Measured[] = []
try {
  for (const root of [own, ...positionals.map((path) => resolve(path))]) sites.push(await open(root))
  for (const { urls } of sites) for (const url of Object.values(urls)) await request(url, 10)
  await wait(REST)
  for (const { urls } of sites) for (const url of Object.values(urls)) await request(url, WARM_UP)
  for (let round = 0; round < ROUNDS; round++) for (const site of sites) await measure(site)
  console.log(`Milliseconds of CPU time per uncached page, median of ${ROUNDS} rounds of ${REQUESTS} requests`)
  for (const { root, times } of sites) {
    console.log(root === own ? 'this checkout' : root)
    for (const kind of kinds()) {
      const time = median(times[kind])
      if (Number.isNaN(TARGETS[kind])) console.log(`  ${kind.padEnd(28)} ${time.toFixed(2).padStart(7)}`)
      else printTarget(kind, time, TARGETS[kind], 'at most')
    }
  }
} finally {
  for (const { stop } of sites) stop()
}

async function open(root: string): Promise<Measured> {
  const script = relative(import.meta.dirname, join(root, 'bench/pentad-site.ts'))
  const { line, pid, stop } = await startServer(script, { SERVICES: 'on' })
  const { url }: { url: string } = JSON.parse(line)
  const answer = await fetch(`${url}/wp-json/wp/v2/posts?per_page=1&orderby=id&order=asc`)
  const [post]: { link: string }[] = JSON.parse(await answer.text())
  if (!post) throw new Error('the site has no posts')
  const urls = { post: post.link, home: `${url}/`, search: `${url}/?s=the`, 'missing page': `${url}/missing/` }
  return { root, pid, urls, times: { post: [], home: [], search: [], 'missing page': [] }, stop }
}

async function measure({ pid, urls, times }: Measured): Promise<void> {
  for (const kind of kinds()) {
    const before = processorTime(pid)
    await request(urls[kind], REQUESTS)
    times[kind].push((processorTime(pid) - before) / REQUESTS / 1000)
  }
}

/** Requests a page so many times, sequentially. */
async function request(url: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await (await fetch(url)).arrayBuffer()
}

function kinds(): Kind[] {
  return ['post', 'home', 'search', 'missing page']
}
