import type { ExtensionHost } from 'pentad'
import { addressesOf } from './loops.ts'
import type { ActiveRule } from './matching/active-rule.ts'
import type { Address } from './matching/address.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { Trace } from './types.ts'

/**
 * Maximum number of redirects of the site itself that are followed: from `/?p=7`, an old slug or other case to the
 * canonical URL.
 */
const MOST_STEPS = 3

/**
 * The loop that a rule creates with redirects of the site itself, `undefined` if there is none: `/page/` → `/?p=7`,
 * which redirects to `/page/`. Requests the final URL as a visitor would; patterns are tested with samples.
 * @param trace follows the rules, including the new one
 */
export async function loopThroughSite(
  rule: ActiveRule,
  trace: (start: Address) => Trace,
  parts: { site: SiteAddresses; front: ExtensionHost['front'] },
): Promise<Trace | undefined> {
  if (rule.target === '') return undefined
  for (const start of addressesOf(rule)) {
    const loop = await loopFrom(start, rule, trace, parts)
    if (loop) return loop
  }
  return undefined
}

/** Whether the site itself always redirects a URL: from `/?p=7` and `/index.php/a`. */
export function isSentOnBySite(url: string, site: SiteAddresses): boolean {
  const { key, query } = (url === '' ? undefined : site.ofTarget(url)) ?? { key: '', query: '' }
  return (key === '/' && query !== '') || /^\/index\.php(?:\/|$)/i.test(key)
}

async function loopFrom(
  start: Address,
  rule: ActiveRule,
  trace: (start: Address) => Trace,
  { site, front }: { site: SiteAddresses; front: ExtensionHost['front'] },
): Promise<Trace | undefined> {
  let way = trace(start)
  for (let step = 0; step < MOST_STEPS && way.end === 'page'; step++) {
    const next = await redirectOfSite(way.url)
    if (!next) return undefined
    const on = trace(next)
    const hops = [...way.hops, ...on.hops]
    if (on.hops.some((hop) => hop.rule.id === rule.id)) return { hops, end: 'loop', url: on.hops[0]?.url ?? on.url }
    way = { ...on, hops }
  }
  return undefined

  async function redirectOfSite(url: string): Promise<Address | undefined> {
    // A page that fails to render does not justify rejecting the rule.
    const response = await front.render(url).catch(() => undefined)
    // Current rules respond too, and were checked already.
    if (!response || response.status < 300 || response.status >= 400 || response.headers['x-redirect-by'])
      return undefined
    const { location } = response.headers
    return typeof location === 'string' ? site.ofTarget(location) : undefined
  }
}
