/**
 * Claim: requests that no page cache answers cost a fraction of what they cost on WordPress: `npm run bench:wordpress`. Both have the content of
 * the same export; Pentad runs all services, with the page cache off, and WordPress no plugins.
 *
 * CPU time of all processes of the server is measured, in rounds that alternate between the two; reported is the median. Before, each gets as many requests as
 * in all rounds, since V8 compiles code that runs often, and then time to finish what it does in the background.
 */
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { median, printTarget, processorTime, startServer } from './load.ts'
import { startWordPress } from './wordpress-server.ts'

const ROUNDS = 3
/** Milliseconds until the optimizer has created its files. */
const REST = 5_000
const PASSWORD = 'password of the bench'
const API = '/wp-json/wp/v2/posts'
const SLUG = 'dispatch-2-a-good-espresso-takes-eighteen-grams-tw'
const EXPORT = join(import.meta.dirname, '../test/fixtures/wordpress-export.xml')

interface Peer {
  readonly url: string
  readonly authorization: string
  readonly processes: readonly number[]
  /** Id of the measured post. */
  readonly postId: number
  /** Requests per round: Linux counts CPU time in hundredths of a second. */
  readonly requests: number
}

interface Case {
  readonly path: string | ((peer: Peer) => string)
  /** Minimum ratio of WordPress's CPU time to Pentad's. */
  readonly least?: number
  /** Options of the request with this number; default: a GET request of a visitor. */
  readonly options?: (peer: Peer, number: number) => RequestInit
  readonly status?: number
  /** Requests per round, if each takes long. */
  readonly requests?: number
}

const cases: Record<string, Case> = {
  post: { path: `/${SLUG}/`, least: 40 },
  'home page': { path: '/', least: 40 },
  search: { path: '/?s=the', least: 20 },
  'category archive': { path: '/category/travel/' },
  'REST: ten posts': { path: API, least: 50 },
  'REST: one post': { path: ({ postId }) => `${API}/${postId}` },
  feed: { path: '/feed/' },
  'sitemap of posts': { path: '/wp-sitemap-posts-post-1.xml' },
  'login with a password': { path: '/wp-login.php', status: 302, options: logIn, requests: 20 },
  'REST: save a post': { path: ({ postId }) => `${API}/${postId}`, least: 10, options: save },
}

let number = 0
const wordpress = await startWordPress(EXPORT, PASSWORD)
if (!wordpress) process.exit(1)
const pentad = await startServer('pentad-site.ts', { SERVICES: 'on', ADMIN_PASSWORD: PASSWORD })
try {
  const site: { url: string; authorization: string } = JSON.parse(pentad.line)
  const ours = { ...site, processes: [pentad.pid ?? 0], postId: await idOf(site.url), requests: 600 }
  await compareAll(ours, { ...wordpress, postId: await idOf(wordpress.url), requests: 30 })
} finally {
  pentad.stop()
  await wordpress.stop()
}

async function compareAll(ours: Peer, theirs: Peer): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `CPU time per request, median of ${ROUNDS} rounds. ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${commit}\n`,
  )
  const ratios = new Map<string, number>()
  console.log('| Request | WordPress, ms | Pentad, ms | Ratio | Target |\n| --- | ---: | ---: | ---: | ---: |')
  for (const [title, one] of Object.entries(cases)) {
    const times: [number[], number[]] = [[], []]
    for (const peer of [theirs, ours]) await send(peer, one, ROUNDS * requestsOf(peer, one))
    await wait(REST)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, peer] of [theirs, ours].entries()) times[at]?.push(await measure(peer, one))
    }
    const [slow, fast] = [median(times[0]), median(times[1])]
    console.log(
      `| ${title} | ${slow.toFixed(1)} | ${fast.toFixed(2)} | ${(slow / fast).toFixed(1)} | ${one.least ?? ''} |`,
    )
    ratios.set(title, slow / fast)
  }
  console.log('\nWordPress / Pentad')
  for (const [title, { least }] of Object.entries(cases)) {
    if (least !== undefined) printTarget(title, ratios.get(title) ?? Number.NaN, least)
  }
}

async function idOf(url: string): Promise<number> {
  const response = await fetch(`${url}${API}?slug=${SLUG}`)
  const [post] = z.tuple([z.object({ id: z.int() })]).parse(await response.json())
  return post.id
}

function logIn(): RequestInit {
  return {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: 'admin', pwd: PASSWORD, testcookie: '1' }),
  }
}

function save({ authorization }: Peer, number: number): RequestInit {
  const text = `<!-- wp:paragraph --><p>${'The night train leaves Tbilisi at ten. '.repeat(30)}${number}</p><!-- /wp:paragraph -->`
  return {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ content: text.repeat(4) }),
  }
}

async function send(peer: Peer, { path, options, status = 200 }: Case, requests: number): Promise<void> {
  const url = peer.url + (typeof path === 'string' ? path : path(peer))
  for (let request = 0; request < requests; request++) {
    const response = await fetch(url, options?.(peer, number++))
    const text = await response.text()
    if (response.status !== status) throw new Error(`${url} responded with ${response.status}: ${text.slice(0, 300)}`)
  }
}

/** Milliseconds of CPU time per request. */
async function measure(peer: Peer, one: Case): Promise<number> {
  const time = () => peer.processes.reduce((sum, pid) => sum + processorTime(pid), 0)
  const requests = requestsOf(peer, one)
  const started = time()
  await send(peer, one, requests)
  return (time() - started) / 1000 / requests
}

function requestsOf(peer: Peer, one: Case): number {
  return one.requests ?? peer.requests
}
