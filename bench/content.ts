/**
 * Claim: the time for a page of results is about the same for any number of posts: `npm run bench:content`. The last two
 * searches are the exception: all matches are ranked and counted, and here their number grows with the site.
 * Short rounds alternate between sites of 100, 1,000 and 10,000 posts with five terms each; reported is the median.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSite, type Site } from '../app/create-site.ts'
import { median, printTarget } from './load.ts'

const SIZES = [100, 1_000, 10_000]
const ROUNDS = 15
const REQUESTS = 20
const TERMS = { category: 30, post_tag: 300 }
const WORDS = 'anchor bridge candle desert engine forest garden harbor island jungle kernel lantern'.split(' ')

const sites: Site[] = []
for (const posts of SIZES) {
  const started = performance.now()
  sites.push(await fillSite(posts))
  console.log(`${posts} posts written in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

// Terms 2 to 31 are the categories created below, 32 to 331 the tags; 1 is the default category, with one post.
const category = '2'
const cases: Record<string, string> = {
  'newest ten': '/wp/v2/posts',
  'newest ten with _embed': '/wp/v2/posts?_embed=1',
  'in a category': `/wp/v2/posts?categories=${category}`,
  'with a tag, not in a category': `/wp/v2/posts?tags=40&categories_exclude=${category}`,
  'in a category, with a tag': `/wp/v2/posts?categories=${category}&tags=32`,
  'by an author, sorted by title': '/wp/v2/posts?author=1&orderby=title&order=asc',
  'before a date': '/wp/v2/posts?before=2025-06-01T00:00:00',
  'by slug': '/wp/v2/posts?slug=post-7',
  'search: word in one post': '/wp/v2/posts?search=%22needle7%22',
  'search: prefix of a word': '/wp/v2/posts?search=needle7',
  'search: word in every other post': '/wp/v2/posts?search=lantern',
  'tenth page': '/wp/v2/posts?page=10',
  categories: '/wp/v2/categories?per_page=30',
}

/** Searches whose matches grow with the site. */
const GROWING = ['search: prefix of a word', 'search: word in every other post']
const ratios: number[] = []
const rows: Record<string, Record<string, string>> = {}
for (const [title, route] of Object.entries(cases)) {
  const times = SIZES.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, site] of sites.entries()) times[at]?.push(await measure(site, route))
  }
  const [first = 0, ...others] = times.map(median)
  if (!GROWING.includes(title)) ratios.push((others.at(-1) ?? 0) / first)
  rows[title] = {
    [`${SIZES[0]} posts`]: milliseconds(first),
    ...Object.fromEntries(
      others.map((time, at) => [`${SIZES[at + 1]} posts`, `${milliseconds(time)} (${(time / first).toFixed(1)}×)`]),
    ),
  }
}
console.log(
  `Milliseconds per request without HTTP, median of ${ROUNDS} rounds of ${REQUESTS}; × is relative to the smallest site`,
)
console.table(rows)
printTarget(`largest ratio, ${SIZES.at(-1)} posts / ${SIZES[0]}`, Math.max(...ratios), 1.5, 'at most')
for (const site of sites) await site.close()

async function fillSite(posts: number): Promise<Site> {
  const siteDir = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
  process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
  const host = await createSite(
    { siteDir, port: 0, logLevel: 'error', environment: 'production' },
    { runServices: false },
  )
  const { content } = host
  const terms: Record<string, number[]> = {}
  for (const [taxonomy, count] of Object.entries(TERMS)) {
    const ids: number[] = []
    for (let number = 0; number < count; number++) {
      ids.push((await content.terms.insert(taxonomy, { name: `${taxonomy} ${number}` })).id)
    }
    terms[taxonomy] = ids
  }
  const pick = (taxonomy: string, number: number) => terms[taxonomy]?.[number % (terms[taxonomy].length || 1)] ?? 0
  for (let number = 0; number < posts; number++) {
    await content.posts.insert({
      title: `Post ${number} about the ${word(number)}`,
      slug: `post-${number}`,
      content: `<p>${Array.from({ length: 60 }, (_, at) => word(number * 7 + at * at)).join(' ')} needle${number}</p>`,
      status: 'publish',
      authorId: 1,
      date: new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString().slice(0, 19),
      terms: {
        category: [pick('category', number), pick('category', number * 7 + 3)],
        post_tag: [pick('post_tag', number), pick('post_tag', number * 11 + 1), pick('post_tag', number * 13 + 2)],
      },
    })
  }
  return host
}

function word(number: number): string {
  return WORDS[number % WORDS.length] ?? ''
}

async function measure(site: Site, route: string): Promise<number> {
  const identity = await site.auth.identifyPage({ cookie: undefined, address: '127.0.0.1' })
  const started = performance.now()
  for (let request = 0; request < REQUESTS; request++) {
    const { status } = await site.rest.dispatch({ method: 'GET', route, identity })
    if (status !== 200) throw new Error(`${route} responded with ${status}`)
  }
  return (performance.now() - started) / REQUESTS
}

function milliseconds(time: number): string {
  return time.toFixed(2)
}
