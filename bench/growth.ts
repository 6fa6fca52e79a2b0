/**
 * Claim: with 100,000 posts and comments, no request costs more than 1.5 times as much as with 1,000; a search for a word that occurs in half
 * of all posts at most 3 times: `npm run bench:growth`. All services run, and the page cache is off.
 *
 * CPU time of the server is measured, PostgreSQL's included, so other processes hardly affect the results. Rounds alternate between the sites;
 * reported is the median. `SIZES=1000,10000` measures other sizes, `DATABASE=postgres` PostgreSQL, which it starts; `DATABASE_URLS` uses an
 * existing database for each size, `SITE_DIRS` existing folders, and `ONLY` measures the requests whose title contains it.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { createEmptyPostgresDatabase, stopPostgres } from '../test/support/postgres.ts'
import { printTarget, processorTime, startServer } from './load.ts'

const SIZES = (process.env.SIZES ?? '1000,100000').split(',')
const ROUNDS = 5
/** Requests per round. */
const REQUESTS = 20
/** Words of the posts: each of these is in half of them. */
const COMMON = ['anchor', 'bridge', 'candle', 'desert', 'engine', 'forest', 'garden', 'harbor', 'island', 'jungle']

interface Case {
  /** Path and query string of the request with this number. */
  readonly path: (number: number) => string
  /** Maximum ratio of the cost on the largest site to that on the smallest. */
  readonly most?: number
  /** Body of a POST request; default: a GET request. */
  readonly body?: (number: number) => unknown
  readonly isAdmin?: boolean
  /** The cost is per `<loc>` of the response, because the number of these grows until a sitemap is full. */
  readonly perUrl?: boolean
}

const api = '/wp-json/wp/v2'
const common = (number: number) => COMMON[number % COMMON.length]
const rare = (number: number) => `needle${number % 900}q`
const both = (number: number) => `${common(number)}+${common(number + 3)}`
const cases: Record<string, Case> = {
  'home page': { path: () => '/' },
  post: { path: (number) => `/post-${(number % 90) + 1}/` },
  feed: { path: () => '/feed/' },
  'comments feed': { path: () => '/comments/feed/' },
  'REST: posts': { path: () => `${api}/posts` },
  'REST: posts, tenth page': { path: () => `${api}/posts?page=10` },
  'REST: comments': { path: () => `${api}/comments` },
  'REST: comments of a post': { path: (number) => `${api}/comments?post=${(number % 90) + 3}` },
  'admin: posts': { path: () => `${api}/posts?context=edit&status=any`, isAdmin: true },
  'admin: comments': { path: () => `${api}/comments?context=edit&status=all`, isAdmin: true },
  'admin: counts of comments': { path: () => '/wp-json/host/v1/comment-counts', isAdmin: true },
  'create a comment': {
    path: () => `${api}/comments`,
    body: (number) => ({ post: (number % 90) + 3, content: `Comment ${number} of ${process.pid}` }),
    isAdmin: true,
  },
  'search page: rare word': { path: (number) => `/?s=${rare(number)}` },
  'search page: common word': { path: (number) => `/?s=${common(number)}`, most: 3 },
  'search page: two common words': { path: (number) => `/?s=${both(number)}`, most: 3 },
  'REST: posts, rare word': { path: (number) => `${api}/posts?search=${rare(number)}` },
  'REST: posts, common word': { path: (number) => `${api}/posts?search=${common(number)}`, most: 3 },
  'REST: posts, two common words': { path: (number) => `${api}/posts?search=${both(number)}`, most: 3 },
  'REST: search, rare word': { path: (number) => `${api}/search?search=${rare(number)}` },
  'REST: search, common word': { path: (number) => `${api}/search?search=${common(number)}`, most: 3 },
  'admin: comments, word': {
    path: (number) => `${api}/comments?context=edit&status=all&search=${common(number)}`,
    most: 3,
    isAdmin: true,
  },
  'index of sitemaps': { path: () => '/wp-sitemap.xml' },
  'sitemap of posts': { path: () => '/wp-sitemap-posts-post-1.xml', perUrl: true },
  'sitemap of tags': { path: () => '/wp-sitemap-taxonomies-post_tag-1.xml', perUrl: true },
}

interface MeasuredSite {
  readonly url: string
  readonly authorization: string
  /** Of the site, and of PostgreSQL if it uses that. */
  readonly processes: readonly (number | undefined)[]
}

const asked = process.env.ONLY
const urls = process.env.DATABASE_URLS?.split(',') ?? []
if (process.env.DATABASE === 'postgres') {
  process.once('exit', () => stopPostgres(tmpdir()))
  for (const _ of SIZES) urls.push(await createEmptyPostgresDatabase())
}
const folders = process.env.SITE_DIRS?.split(',') ?? []
const servers = []
for (const [at, size] of SIZES.entries()) {
  servers.push(
    await startServer('growth-site.ts', {
      ...{ POSTS: size },
      ...(urls[at] && { DATABASE_URL: urls[at] }),
      ...(folders[at] && { SITE_DIR: folders[at] }),
    }),
  )
}
// Until background work has ended.
await setTimeout(15_000)
const database = urls[0] === undefined ? [] : [await serverOf(urls[0])]
const sites = servers.map(({ line, pid }): MeasuredSite => ({ ...JSON.parse(line), processes: [pid, ...database] }))
console.log(`Milliseconds of CPU time per request, median of ${ROUNDS} rounds of ${REQUESTS}`)
let number = 0
for (const [title, one] of Object.entries(cases)) {
  if (asked && !title.includes(asked)) continue
  const times = SIZES.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, site] of sites.entries()) {
      const time = await measure(site, one)
      // The first round is a warm-up.
      if (round > 0) times[at]?.push(time)
    }
  }
  const medians = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)
  const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 0)
  const { most = 1.5 } = one
  const costs = medians.map((time) => time.toFixed(one.perUrl ? 3 : 2).padStart(9)).join('')
  console.log(`${title.padEnd(32)} ${costs}`)
  printTarget(`${title}, ${SIZES.at(-1)} posts / ${SIZES[0]}`, ratio, most, 'at most')
}
for (const server of servers) server.stop()

/** CPU time in ms per request, or per URL of the responses. */
async function measure({ url, authorization, processes }: MeasuredSite, one: Case): Promise<number> {
  const time = () => processes.reduce<number>((sum, pid) => sum + processorTime(pid), 0)
  const started = time()
  let count = 0
  for (let request = 0; request < REQUESTS; request++, number++) {
    const response = await fetch(url + one.path(number), {
      headers: { ...(one.isAdmin && { authorization }), ...(one.body && { 'content-type': 'application/json' }) },
      ...(one.body && { method: 'POST', body: JSON.stringify(one.body(number)) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${one.path(number)} responded with ${response.status}: ${text.slice(0, 200)}`)
    count += one.perUrl ? text.split('<loc>').length - 1 : 1
  }
  return (time() - started) / 1000 / count
}

/** Process id of the PostgreSQL server, the parent of those that serve connections. */
async function serverOf(connectionString: string): Promise<number> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const [, afterName = ''] = readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8').split(') ')
  await client.end()
  return Number(afterName.split(' ')[1])
}
