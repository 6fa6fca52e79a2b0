/**
 * Claims: with all services and without the page cache, a post, all posts in turn, and the home page take at most 1.4 ms of CPU time,
 * search results 2 ms, and saving a post over REST 3 ms: `npm run bench:pages`. CPU time includes all threads. Also measures other
 * checkouts: `npm run bench:pages -- ../pentad-of-last-week`.
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
const TARGETS = { post: 1.4, 'posts in turn': 1.4, home: 1.4, search: 2, 'missing page': Number.NaN, 'save a post': 3 }

type Kind = keyof typeof TARGETS

interface Measured {
  readonly root: string
  readonly pid: number | undefined
  readonly requests: Readonly<Record<Kind, () => Request>>
  readonly times: Readonly<Record<Kind, number[]>>
  stop(): void
}

const { positionals } = parseArgs({ allowPositionals: true })
const own = join(import.meta.dirname, '..')
const sites: Measured[] = []
try {
  for (const root of [own, ...positionals.map((path) => resolve(path))]) sites.push(await open(root))
  for (const { requests } of sites) for (const request of Object.values(requests)) await send(request, 10)
  await wait(REST)
  for (const { requests } of sites) for (const request of Object.values(requests)) await send(request, WARM_UP)
  for (let round = 0; round < ROUNDS; round++) for (const site of sites) await measure(site)
  console.log(`Milliseconds of CPU time per request, median of ${ROUNDS} rounds of ${REQUESTS} requests`)
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
  const { url, authorization }: { url: string; authorization: string } = JSON.parse(line)
  const answer = await fetch(`${url}/wp-json/wp/v2/posts?per_page=100&orderby=id&order=asc`)
  const posts: { id: number; link: string }[] = JSON.parse(await answer.text())
  const [post] = posts
  if (!post) throw new Error('the site has no posts')
  let saves = 0
  let turns = 0
  const save = () => {
    const paragraph = `<!-- wp:paragraph --><p>${'The night train leaves Tbilisi at ten. '.repeat(30)}${saves++}</p><!-- /wp:paragraph -->`
    return new Request(`${url}/wp-json/wp/v2/posts/${post.id}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ content: paragraph.repeat(4) }),
    })
  }
  const requests = {
    post: () => new Request(post.link),
    'posts in turn': () => new Request(posts[turns++ % posts.length]?.link ?? ''),
    home: () => new Request(`${url}/`),
    search: () => new Request(`${url}/?s=the`),
    'missing page': () => new Request(`${url}/missing/`),
    'save a post': save,
  }
  return {
    root,
    pid,
    requests,
    times: { post: [], 'posts in turn': [], home: [], search: [], 'missing page': [], 'save a post': [] },
    stop,
  }
}

async function measure({ pid, requests, times }: Measured): Promise<void> {
  for (const kind of kinds()) {
    const before = processorTime(pid)
    await send(requests[kind], REQUESTS)
    times[kind].push((processorTime(pid) - before) / REQUESTS / 1000)
  }
}

/** Sends a request so many times, sequentially. */
async function send(request: () => Request, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await (await fetch(request())).arrayBuffer()
}

function kinds(): Kind[] {
  return ['post', 'posts in turn', 'home', 'search', 'missing page', 'save a post']
}
