import type { Hop, Trace } from '../types.ts'
import type { ActiveRule } from './active-rule.ts'
import { type Address, identityOf, toUrl } from './address.ts'
import { createExactRules } from './exact-rules.ts'
import type { Engine, Pattern } from './pattern.ts'
import { createPatternRules } from './pattern-rules.ts'
import type { SiteAddresses } from './site-address.ts'
import { type Captures, locationOf, passedQuery } from './target.ts'

/** What answers a request. */
export interface Answer {
  readonly rule: ActiveRule
  /** `null` for 410 and 451. */
  readonly location: string | null
}

/** The rules that are switched on, as requests are held against them. Nothing here waits for anything. */
export interface RuleSet {
  /** @param pattern the rule's, where it is compiled already. @throws RestError 400 `invalid_regex` */
  add(rule: ActiveRule, pattern?: Pattern): void
  remove(rule: ActiveRule): void
  /** Exact rules before patterns; of those the oldest. */
  find(address: Address): Answer | undefined
  /** The way of a request until no rule takes it, or it has been where it is. */
  trace(start: Address, mostHops?: number): Trace
  /** Queries that exact rules for this path want. */
  queriesOf(address: Address): string[]
  exactRules(): Iterable<ActiveRule>
}

/** Longer ways than any visitor goes, who is given up after 20 hops; shorter than what an endless one costs. */
const MOST_HOPS = 1_000
/** A rule that was used so often, and whose addresses do not get shorter, makes longer and longer ones for ever. */
const MOST_USES = 20

/** @param engine called once there is a pattern */
export function createRuleSet(site: SiteAddresses, engine: () => Engine): RuleSet {
  const exact = createExactRules()
  const patterns = createPatternRules(engine)

  function answer(rule: ActiveRule, { query }: Address, captures?: Captures): Answer {
    if (rule.target === '') return { rule, location: null }
    const passed = rule.query === 'pass' ? passedQuery(query, rule.source, rule.target) : ''
    return { rule, location: locationOf(rule.target, { captures, hasStars: rule.match === 'wildcard', passed }) }
  }

  function find(address: Address): Answer | undefined {
    const rule = exact.find(address)
    if (rule) return answer(rule, address)
    const found = patterns.find(address)
    return found && answer(found.rule, address, found.captures)
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
