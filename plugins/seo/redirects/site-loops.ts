import type { ExtensionHost } from 'pentad'
import { addressesOf } from './loops.ts'
import type { ActiveRule } from './matching/active-rule.ts'
import type { Address } from './matching/address.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { Trace } from './types.ts'

/** Redirects of the site itself that are followed: from `/?p=7`, an old slug or capitals to the page's one address. */
const MOST_STEPS = 3

/**
 * The circle that a rule closes with redirects of the site itself, `undefined` if there is none: `/page/` → `/?p=7`, which
 * the site sends to `/page/`. Asks the site for what is at the end of the way, as a visitor would; of patterns by samples.
 * @param trace the way through the rules, if that rule were there
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

/** Whether the site itself sends on from an address, whatever stands there: from `/?p=7` and `/index.php/a`. */
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
    // A page that cannot be rendered is no reason to refuse the rule.
    const answer = await front.render(url).catch(() => undefined)
    // Rules as they are now answer too, and were looked at already.
    if (!answer || answer.status < 300 || answer.status >= 400 || answer.headers['x-redirect-by']) return undefined
    const { location } = answer.headers
    return typeof location === 'string' ? site.ofTarget(location) : undefined
  }
}
