import type { RuleSet } from './matching/rule-set.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { RedirectRule } from './types.ts'

const PERMANENT = new Set([301, 308])

/**
 * Where the visitors of a rule end in the end, as its new target; `undefined` if they are there already. A permanent
 * redirect does not take over what is only so for a while, and a query is not lost on the shorter way.
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
