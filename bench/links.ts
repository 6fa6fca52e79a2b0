/**
 * Claim: link suggestions and the list of orphans take the same time with 1,000 and with 10,000 posts, because each save
 * updates an index: `npm run bench:links`. For comparison, an implementation without an index: on each request it reads all
 * posts, splits them into words and compares them, or collects the links of all posts.
 *
 * The posts are about 300 topics and link to each other. They are in the database before the service is
 * activated, so its job builds the index first. Rounds alternate between both sites; reported is the median.
 */
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../cms/license/license-key.ts'
import { randomsOf } from '../test/support/randoms.ts'
import { median, printTarget } from './load.ts'

const SIZES = [1_000, 10_000]
const ROUNDS = 15
const REQUESTS = 20
const TOPICS = 300
const SEO = join(import.meta.dirname, '../plugins/seo')

const { privateKey, publicKey } = generateLicenseKeyPair()
const config = { licensePublicKey: publicKey, licenseKey: issueLicense({ licensee: 'Bench', plan: 'pro' }, privateKey) }

const random = randomsOf('links')
const vocabulary = Array.from({ length: 6000 }, () => makeWord())
const common = vocabulary.slice(0, 600)
const topics = Array.from({ length: TOPICS }, () => Array.from({ length: 40 }, () => pick(vocabulary)))

const sites: TestHost[] = []
for (const posts of SIZES) {
  const site = await createTestHost({ config })
  await fill(site, posts)
  const started = performance.now()
  await site.host.extensions.activate(await site.host.extensions.add(SEO))
  await indexed(site)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${posts} posts: index built in ${seconds.toFixed(1)} s, ${((1000 * seconds) / posts).toFixed(2)} ms each`,
  )
  sites.push(site)
}

const rows: Record<string, Record<string, string>> = {}
const cases: Record<string, (number: number, posts: number) => string> = {
  'link suggestions': (number, posts) => `/seo/v1/link-suggestions?postId=${2 + ((number * 37) % posts)}`,
  'orphans, first page': () => '/seo/v1/orphans',
  'orphans, fifth page': () => '/seo/v1/orphans?page=5',
}
for (const [title, route] of Object.entries(cases)) {
  await measureAll(title, (site, posts, number) => ask(site, route(number, posts)), ROUNDS, REQUESTS)
}
await measureAll(
  'without index: suggestions',
  (site, posts, number) => suggestPerRequest(site, 2 + (number % posts)),
  3,
  1,
)
await measureAll('without index: orphans', (site) => orphansPerRequest(site), 3, 1)
console.log('Milliseconds per request without HTTP, median of the rounds; × is relative to the smaller site')
console.table(rows)
for (const site of sites) await site.close()

async function measureAll(
  title: string,
  work: (site: TestHost, posts: number, number: number) => Promise<unknown>,
  rounds: number,
  requests: number,
): Promise<void> {
  const times = SIZES.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [at, site] of sites.entries()) {
      const started = performance.now()
      for (let number = 0; number < requests; number++) await work(site, SIZES[at] ?? 0, round * requests + number)
      // The first round is a warm-up.
      if (round > 0) times[at]?.push((performance.now() - started) / requests)
    }
  }
  const [small = 0, large = 0] = times.map(median)
  if (requests > 1) printTarget(`${title}, ${SIZES[1]} posts / ${SIZES[0]}`, large / small, 1.5, 'at most')
  rows[title] = {
    [`${SIZES[0]} posts`]: small.toFixed(2),
    [`${SIZES[1]} posts`]: `${large.toFixed(2)} (${(large / small).toFixed(2)}×)`,
  }
}

async function ask({ host }: TestHost, route: string): Promise<void> {
  const [user = null] = (await host.auth.users.query({ roles: ['administrator'], limit: 1 })).items
  const nobody = { session: null, applicationPassword: null, freshNonce: null }
  const { status } = await host.rest.dispatch({
    method: 'GET',
    route,
    identity: { user, via: 'application-password', ...nobody },
  })
  if (status !== 200) throw new Error(`${route} responded with ${status}`)
}

/** Inserts posts directly into the table, so that the service has to detect them. */
async function fill({ host }: TestHost, posts: number): Promise<void> {
  const { db } = host.database
  for (let at = 0; at < posts; at += 200) {
    const values = Array.from({ length: Math.min(200, posts - at) }, (_, offset) => {
      const number = at + offset
      const date = new Date(Date.UTC(2020, 0, 1) + number * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
      const { title, content } = write(posts)
      return {
        ...{ type: 'post', status: 'publish', author_id: 1, slug: `post-${number}`, path: `/post-${number}/` },
        ...{
          title,
          content,
          excerpt: '',
          password: '',
          template: '',
          mime_type: '',
          parent_id: 0,
          menu_order: 0,
          comment_status: 'open',
          ping_status: 'open',
          guid: `bench-${number}`,
        },
        ...{ date, date_gmt: date, modified: date, modified_gmt: date },
      }
    })
    await db.insertInto('posts').values(values).execute()
  }
}

/** Four paragraphs of 60 words, a third of them from the topic, with two links. */
function write(posts: number): { title: string; content: string } {
  const topic = topics[Math.floor(random() * TOPICS)] ?? []
  const paragraph = () => Array.from({ length: 60 }, () => pick(random() < 0.33 ? topic : common)).join(' ')
  const link = () => `<a href="/post-${Math.floor(random() * posts)}/">${pick(topic)}</a>`
  const paragraphs = [`${paragraph()} ${link()}`, paragraph(), `${paragraph()} ${link()}`, paragraph()]
  return {
    title: [pick(topic), pick(topic), pick(common), pick(topic)].join(' '),
    content: paragraphs.map((text) => `<p>${text}.</p>`).join('\n'),
  }
}

async function indexed({ host }: TestHost): Promise<void> {
  const jobs = () => host.jobs.list({ type: 'seo-links' })
  while ((await jobs()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  while ((await jobs()).some(({ state }) => state === 'running'))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Reads and weights all texts for one response. */
async function suggestPerRequest(site: TestHost, postId: number): Promise<number[]> {
  const counts = new Map<number, Map<string, number>>()
  const spread = new Map<string, number>()
  for (const { id, title, content } of await allPosts(site)) {
    const words = new Map<string, number>()
    for (const [word] of `${title} ${content.replace(/<[^>]*>/g, ' ')}`.toLowerCase().matchAll(/\p{L}+/gu))
      words.set(word, (words.get(word) ?? 0) + 1)
    counts.set(id, words)
    for (const word of words.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
  }
  const rarity = (word: string) => Math.log(counts.size / (spread.get(word) ?? 1))
  const own = counts.get(postId) ?? new Map<string, number>()
  const scores = counts.entries().map(([id, words]): [number, number] => {
    let product = 0
    for (const [word, count] of own) product += count * (words.get(word) ?? 0) * rarity(word) ** 2
    return [id, product / Math.hypot(...words.entries().map(([word, count]) => count * rarity(word)))]
  })
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([id]) => id)
}

async function orphansPerRequest(site: TestHost): Promise<string[]> {
  const posts = await allPosts(site)
  const linked = new Set(
    posts.flatMap(({ content }) => [...content.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)),
  )
  return posts.map(({ path }) => path).filter((path) => !linked.has(path))
}

function allPosts({ host }: TestHost) {
  const posts = host.database.db.selectFrom('posts').select(['id', 'title', 'content', 'path'])
  return posts.where('type', '=', 'post').where('status', '=', 'publish').execute()
}

/** A word of two to four syllables. */
function makeWord(): string {
  const syllables =
    'ba be bi do du fa fi ga gel hin ka ko la lem ma min no nu pa pel ra rin sa sol ta ter vo wan'.split(' ')
  return Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join('')
}

function pick(words: readonly string[]): string {
  return words[Math.floor(random() * words.length)] ?? ''
}
