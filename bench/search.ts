/**
 * Claim: `/context/search` and `/webmcp/search` take about the same time with 10,000 posts as with 1,000: `npm run bench:search`. A
 * word that occurs in every other post takes 1.5 times as long, because its rank depends on the number of matches. For comparison, on
 * the same sites: `LIKE` over title and text, which is WordPress's search, and the site's own `/?s=`, which ranks up to 500 matches.
 *
 * Short rounds alternate between both sites; reported is the median. The same forty queries are repeated, so that all shown posts have
 * been rendered before. CPU time is measured, so other processes do not affect the results.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import { createTestHost, type TestHost } from 'pentad/testing'
import { randomsOf } from '../test/support/randoms.ts'
import { median, printTarget } from './load.ts'

const SIZES = [1_000, 10_000]
const ROUNDS = 25
const REQUESTS = 20
const AI = join(import.meta.dirname, '../plugins/ai')

const random = randomsOf('search')
const common = 'anchor bridge candle desert engine forest garden harbor island jungle kernel lantern'.split(' ')

const sites: TestHost[] = []
for (const posts of SIZES) {
  const site = await createTestHost({ extensions: [AI] })
  await request(site, '/ai/v1/settings', { settings: { webMcpTools: 'on' } })
  await fill(site, posts)
  sites.push(site)
}

const searches: [title: string, query: (number: number) => string][] = [
  ['word in one post', (number) => `needle${number % 40}q`],
  ['word in twenty posts', (number) => `word${number % 40}q`],
  ['two words, in twenty posts', (number) => `lantern word${number % 40}q`],
  ['word in every other post', (number) => common[number % common.length] ?? ''],
  ['prefix of a word', (number) => (common[number % common.length] ?? '').slice(0, 3)],
  ['no match', (number) => `nowhere${number}`],
  ['empty query: most recently modified', () => ''],
]
const rows: Record<string, Record<string, string>> = {}
/** Milliseconds on the larger site. */
const largest = new Map<string, number>()
for (const [title, query] of searches) {
  const ask = (path: string) => (site: TestHost, number: number) =>
    request(site, `${path}${encodeURIComponent(query(number))}`)
  await measure(`/context/search, ${title}`, ask('/ai/v1/context/search?query='))
  await measure(`/webmcp/search, ${title}`, ask('/ai/v1/webmcp/search?query='))
}
const everyOther = searches[3]?.[1] ?? String
await measure('LIKE, word in every other post', (site, number) => like(site, everyOther(number)))
await measure('LIKE, word in one post', (site, number) => like(site, `needle${number}q`))
await measure('/?s=, word in every other post', (site, number) =>
  site.host.content.posts.query({ types: ['post', 'page'], search: everyOther(number), orderBy: 'relevance' }),
)
console.log(
  `Milliseconds of CPU time per request without HTTP, median of ${ROUNDS} rounds; × is relative to the smaller site`,
)
console.table(rows)
for (const [title, time] of largest) {
  if (title.startsWith('/')) printTarget(`${title}, ms with ${SIZES[1]} posts`, time, 2, 'at most')
}
for (const site of sites) await site.close()

async function measure(title: string, work: (site: TestHost, number: number) => Promise<unknown>): Promise<void> {
  const times = SIZES.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, site] of sites.entries()) {
      const started = processorTime()
      for (let number = 0; number < REQUESTS; number++) await work(site, round * REQUESTS + number)
      // The first round is a warm-up.
      if (round > 0) times[at]?.push((processorTime() - started) / REQUESTS)
    }
  }
  const [small = 0, large = 0] = times.map(median)
  largest.set(title, large)
  rows[title] = {
    [`${SIZES[0]} posts`]: small.toFixed(2),
    [`${SIZES[1]} posts`]: `${large.toFixed(2)} (${(large / small).toFixed(1)}×)`,
  }
}

/** Dispatches a request as the administrator: a PUT if there is a body, otherwise a GET. */
async function request({ host }: TestHost, route: string, body?: Record<string, unknown>): Promise<void> {
  const user = (await host.auth.users.get(1)) ?? null
  const nothing = { session: null, applicationPassword: null, freshNonce: null }
  const identity = { user, via: 'application-password' as const, ...nothing }
  const { status } = await host.rest.dispatch({ method: body ? 'PUT' : 'GET', route, body, identity })
  if (status !== 200) throw new Error(`${route} responded with ${status}`)
}

/** WordPress's `WP_Query` with `s`. */
function like({ host }: TestHost, word: string) {
  const pattern = `%${word}%`
  return sql`select id from posts where type in ('post', 'page') and status = 'publish'
    and (title like ${pattern} or excerpt like ${pattern} or content like ${pattern})
    order by title like ${pattern} desc, date desc limit 10`.execute(host.database.db)
}

/**
 * Posts of 150 words: half of the common words, some rare ones, and a unique one. Inserted directly into table and
 * index, because the words need no normalization.
 */
async function fill({ host: { database } }: TestHost, posts: number): Promise<void> {
  const { db } = database
  const rare = rareWords(posts)
  for (let at = 0; at < posts; at += 200) {
    const values = Array.from({ length: Math.min(200, posts - at) }, (_, offset) => rowOf(at + offset, rare))
    const ids = await db.insertInto('posts').values(values).returning('id').execute()
    const indexed = values.map(({ title, content }, place) => sql`(${ids[place]?.id ?? 0}, ${title}, ${content})`)
    await sql`insert into post_search (rowid, title, content) values ${sql.join(indexed)}`.execute(db)
  }
}

function rowOf(number: number, rare: readonly string[]) {
  const date = new Date(Date.UTC(2020, 0, 1) + number * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const own = common.filter(() => random() < 0.5)
  const words = Array.from({ length: 150 }, () => pick(random() < 0.9 ? own : rare))
  return {
    ...{ type: 'post', status: 'publish', author_id: 1, slug: `post-${number}`, path: `/post-${number}/` },
    ...{ title: `post about the ${pick(own)}`, content: `${words.join(' ')} needle${number}q`, excerpt: '' },
    ...{ password: '', template: '', mime_type: '', parent_id: 0, menu_order: 0, guid: `bench-${number}` },
    ...{ comment_status: 'open', ping_status: 'open', date, date_gmt: date, modified: date, modified_gmt: date },
  }
}

/** Rare words; each occurs in about twenty posts. */
function rareWords(posts: number): string[] {
  return Array.from({ length: (posts * 15) / 20 }, (_, at) => `word${at}q`)
}

function pick(words: readonly string[]): string {
  return words[Math.floor(random() * words.length)] ?? ''
}

/** CPU time of this process, in ms. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
