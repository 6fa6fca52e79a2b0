import type { RuleSet } from './matching/rule-set.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { RedirectRule } from './types.ts'

const PERMANENT = new Set([301, 308])

/**
 * The final target of a redirect chain; `undefined` if the redirect already points there. A permanent redirect does not
 * adopt a temporary target, and query strings are preserved.
 */
export function flatTarget(rule: RedirectRule, rules: RuleSet, site: SiteAddresses): string | undefined {
  const { target, match, query, status } = rule
  const first = target === '' || (match !== 'exact' && /[$*]/.test(target)) ? undefined : site.ofTarget(target)
  if (!first) return undefined
  const { hops, end } = rules.trace(first)
  if (end === 'loop' || end === 'unknown') return undefined
  const refusing = hops.findIndex(
    (hop) =>
      hop.location === null ||
      (PERMANENT.has(status) && !PERMANENT.has(hop.rule.status)) ||
      (query === 'pass' && hop.rule.query !== 'pass'),
  )
  const last = hops.at(refusing < 0 ? hops.length - 1 : refusing - 1)
  return refusing === 0 || !last?.location ? undefined : last.location
}
