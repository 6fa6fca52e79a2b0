/**
 * Claims: a lookup takes the same time with 10, 1,000 and 100,000 exact rules, within a factor of 1.5, and less than a
 * millisecond with 1,000 patterns: `npm run bench:redirects`. For comparison, a list of regular expressions that are tried
 * sequentially, as in WordPress plugins. Then the impact of 100,000 rules on the start of a site and on a change of one rule.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSite } from '../app/create-site.ts'
import { parseAddress } from '../plugins/seo/redirects/matching/address.ts'
import { loadEngine } from '../plugins/seo/redirects/matching/pattern.ts'
import { createRuleSet, type RuleSet } from '../plugins/seo/redirects/matching/rule-set.ts'
import { createSiteAddresses } from '../plugins/seo/redirects/matching/site-address.ts'
import type { RedirectTerms } from '../plugins/seo/redirects/types.ts'
import { median, printTarget } from './load.ts'

const SIZES = [10, 1_000, 100_000]
const PATTERNS = 1_000
const LOOKUPS = 20_000
const ROUNDS = 15

const engine = await loadEngine()
const site = createSiteAddresses('https://example.org')

/** URLs as in requests: most match no rule; some match one, have a query or are percent-encoded. */
const URLS = Array.from({ length: 500 }, (_, at) => [
  `/a-page-of-the-site/${at}/`,
  `/old/section-${at % 10}/page-${at % 10}/`,
  `/not-there-${at}.php?s=${at}`,
  `/caf%C3%A9/${at}`,
]).flat()

const plain: RedirectTerms = {
  source: '',
  target: '/new/',
  match: 'exact',
  status: 301,
  query: 'ignore',
  caseSensitive: false,
}
const exactSource = (at: number) => `/old/section-${at % 10}/page-${at}`
/** Typical patterns: a prefix with captures, a wildcard, alternatives, an optional ending. */
const patternOf = (at: number): Pick<RedirectTerms, 'source' | 'match'> =>
  [
    { source: `^/blog-${at}/(\\d{4})/(\\d{2})/(.*)$`, match: 'regex' } as const,
    { source: `/shop-${at}/*`, match: 'wildcard' } as const,
    { source: `^/(?:de|fr)/topic-${at}/(.+)$`, match: 'regex' } as const,
    { source: `/archive-${at}\\.html?$`, match: 'regex' } as const,
  ][at % 4] ?? { source: '', match: 'regex' }

function withExact(count: number): RuleSet {
  const rules = createRuleSet(site, () => engine)
  for (let at = 0; at < count; at++) rules.add({ ...plain, id: at + 1, source: exactSource(at) })
  return rules
}

function withPatterns(count: number): RuleSet {
  const rules = createRuleSet(site, () => engine)
  for (let at = 0; at < count; at++) rules.add({ ...plain, id: at + 1, ...patternOf(at), target: '/new/$1' })
  return rules
}

/** For comparison: each rule as a JavaScript regular expression, tested on the decoded URL. */
function peerOf(sources: readonly string[]): (url: string) => unknown {
  const rules = sources.map((source) => new RegExp(source, 'i'))
  return (url) => {
    const decoded = decodeURI(url)
    return rules.find((rule) => rule.test(decoded))
  }
}

const ours = (rules: RuleSet) => (url: string) => rules.find(parseAddress(url))
const expressions = Array.from({ length: PATTERNS }, (_, at) => {
  const { source, match } = patternOf(at)
  return match === 'regex' ? source : `^${source.replace('*', '(.*)')}$`
})
const exactExpressions = (count: number) => Array.from({ length: count }, (_, at) => `^${exactSource(at)}/?$`)

const cases: { name: string; look: (url: string) => unknown; lookups: number; times: number[] }[] = [
  ...SIZES.map((count) => ({ name: `${count} exact rules`, look: ours(withExact(count)), lookups: LOOKUPS })),
  { name: `${PATTERNS} patterns`, look: ours(withPatterns(PATTERNS)), lookups: 2_000 },
  { name: 'list of RegExp: 10 exact rules', look: peerOf(exactExpressions(10)), lookups: 2_000 },
  { name: 'list of RegExp: 1000 exact rules', look: peerOf(exactExpressions(1_000)), lookups: 500 },
  { name: 'list of RegExp: 100000 exact rules', look: peerOf(exactExpressions(100_000)), lookups: 4 },
  { name: `list of RegExp: ${PATTERNS} patterns`, look: peerOf(expressions), lookups: 500 },
].map((one) => ({ ...one, times: [] }))

for (const { look } of cases) for (const url of URLS.slice(0, 20)) look(url)
for (let round = 0; round < ROUNDS; round++) {
  for (const { look, lookups, times } of cases) {
    const started = performance.now()
    for (let at = 0; at < lookups; at++) look(URLS[(at * 7 + round) % URLS.length] ?? '')
    times.push(((performance.now() - started) * 1_000) / lookups)
  }
}
const medians = new Map(cases.map(({ name, times }) => [name, median(times)]))
const base = medians.get(`${SIZES[0]} exact rules`) ?? 0
console.log(`Microseconds per lookup, median of ${ROUNDS} rounds; × is relative to ${SIZES[0]} exact rules`)
console.table(
  Object.fromEntries(
    [...medians].map(([name, time]) => [
      name,
      { microseconds: time.toFixed(2), ratio: `${(time / base).toFixed(2)}×` },
    ]),
  ),
)

const timeOf = (name: string) => medians.get(name) ?? Number.NaN
printTarget(`${SIZES.at(-1)} exact rules / ${SIZES[0]}`, timeOf(`${SIZES.at(-1)} exact rules`) / base, 1.5, 'at most')
printTarget(`${PATTERNS} patterns, milliseconds`, timeOf(`${PATTERNS} patterns`) / 1000, 1, 'at most')

const evil = ours(withEvil())
const started = performance.now()
for (let at = 0; at < 10; at++) evil(`/${'a'.repeat(2_000)}!${at}`)
console.log(`(a+)+$ on 2,000 characters that do not match: ${((performance.now() - started) / 10).toFixed(2)} ms`)

if (!process.argv.includes('--quick')) await measureSite()

function withEvil(): RuleSet {
  const rules = createRuleSet(site, () => engine)
  rules.add({ ...plain, id: 1, source: '^/(a+)+$', match: 'regex' })
  return rules
}

/** Measures the start of a site with and without 100,000 rules, and a change of one rule. */
async function measureSite(): Promise<void> {
  const siteDir = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
  process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
  const open = async () => {
    const began = performance.now()
    const host = await createSite({ siteDir, port: 0, logLevel: 'error', environment: 'production' })
    const opened = performance.now() - began
    const first = await ask(host, 'POST', '/redirects/test', { url: '/old/section-1/page-1' })
    return { host, opened, known: performance.now() - began, hops: first.hops.length }
  }
  const cold = await open()
  await cold.host.close()
  const empty = await open()
  const rules = Array.from({ length: 100_000 }, (_, at) => ({ source: exactSource(at), target: '/new/' }))
  const began = performance.now()
  const { imported } = await ask(empty.host, 'POST', '/redirects/import', { rules })
  const took = performance.now() - began
  await empty.host.close()
  const full = await open()
  const changes: number[] = []
  for (let at = 0; at < 50; at++) {
    const change = performance.now()
    await ask(full.host, 'POST', '/redirects', { source: `/one-more-${at}`, target: '/new/' })
    changes.push(performance.now() - change)
  }
  await full.host.close()
  console.table({
    'site opened, no rules': { milliseconds: Math.round(empty.opened) },
    'site opened, 100,000 rules': { milliseconds: Math.round(full.opened) },
    'until all 100,000 rules are loaded': { milliseconds: Math.round(full.known) },
    [`import of ${imported} rules`]: { milliseconds: Math.round(took) },
    'one more rule, median': { milliseconds: Number(median(changes).toFixed(1)) },
  })
}

async function ask(host: Awaited<ReturnType<typeof createSite>>, method: 'POST', path: string, body: object) {
  const administrator = await host.auth.users.getByLogin('admin')
  const answer = await host.rest.dispatch({
    method,
    route: `/seo/v1${path}`,
    body: { ...body },
    identity: {
      ...{ user: administrator ?? null, via: 'application-password' },
      ...{ session: null, applicationPassword: null, freshNonce: null },
    },
  })
  const { data } = JSON.parse(JSON.stringify(answer.body))
  if (answer.status >= 400) throw new Error(JSON.stringify(answer.body))
  return data
}
