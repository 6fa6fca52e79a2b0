import type { Hop, Trace } from '../types.ts'
import type { ActiveRule } from './active-rule.ts'
import { type Address, identityOf, toUrl } from './address.ts'
import { createExactRules } from './exact-rules.ts'
import type { Engine, Pattern } from './pattern.ts'
import { createPatternRules } from './pattern-rules.ts'
import type { SiteAddresses } from './site-address.ts'
import { type Captures, locationOf, passedQuery } from './target.ts'

/** The match of a request. */
export interface RedirectMatch {
  readonly rule: ActiveRule
  /** `Location` header; `null` for 410 and 451. */
  readonly location: string | null
}

/** The enabled rules, matched synchronously. */
export interface RuleSet {
  /** @param pattern compiled pattern of the rule, if there is one. @throws RestError 400 `invalid_regex` */
  add(rule: ActiveRule, pattern?: Pattern): void
  remove(rule: ActiveRule): void
  /** Exact rules before patterns; among patterns the oldest. */
  find(address: Address): RedirectMatch | undefined
  /** Follows redirects until no rule matches, or a URL repeats. */
  trace(start: Address, mostHops?: number): Trace
  /** Query strings that exact rules for this path require. */
  queriesOf(address: Address): string[]
  exactRules(): Iterable<ActiveRule>
}

/** Maximum number of hops: more than browsers follow (20), few enough to bound an endless chain. */
const MOST_HOPS = 1_000
/** A rule that matches this often with growing URLs never ends. */
const MOST_USES = 20

/** @param engine called when the first pattern is added */
export function createRuleSet(site: SiteAddresses, engine: () => Engine): RuleSet {
  const exact = createExactRules()
  const patterns = createPatternRules(engine)

  function matchOf(rule: ActiveRule, { query }: Address, captures?: Captures): RedirectMatch {
    if (rule.target === '') return { rule, location: null }
    const passed = rule.query === 'pass' ? passedQuery(query, rule.source, rule.target) : ''
    return { rule, location: locationOf(rule.target, { captures, hasStars: rule.match === 'wildcard', passed }) }
  }

  function find(address: Address): RedirectMatch | undefined {
    const rule = exact.find(address)
    if (rule) return matchOf(rule, address)
    const found = patterns.find(address)
    return found && matchOf(found.rule, address, found.captures)
  }

  return {
    find,
    add: (rule, pattern) => (rule.match === 'exact' ? exact.add(rule) : patterns.add(rule, pattern)),
    remove: (rule) => (rule.match === 'exact' ? exact : patterns).remove(rule),
    queriesOf: exact.queriesOf,
    exactRules: exact.rules,
    trace(start, mostHops = MOST_HOPS) {
      const hops: Hop[] = []
      const seen = new Set<string>()
      const uses = new Map<number, { times: number; length: number }>()
      let address = start
      for (;;) {
        const url = toUrl(address)
        if (seen.has(identityOf(address))) return { hops, end: 'loop', url }
        const found = find(address)
        if (!found) return { hops, end: 'page', url }
        if (hops.length === mostHops) return { hops, end: 'unknown', url }
        seen.add(identityOf(address))
        const { rule, location } = found
        const use = uses.get(rule.id) ?? { times: 0, length: url.length }
        if (++use.times > MOST_USES && url.length >= use.length) return { hops, end: 'loop', url }
        uses.set(rule.id, use)
        hops.push({ url, rule, location })
        if (location === null) return { hops, end: 'gone', url }
        const next = site.ofTarget(location)
        if (!next) return { hops, end: 'elsewhere', url: location }
        address = next
      }
    },
  }
}
