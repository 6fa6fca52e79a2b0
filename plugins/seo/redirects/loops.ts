import { RestError } from 'pentad'
import type { ActiveRule } from './matching/active-rule.ts'
import { type Address, parseAddress } from './matching/address.ts'
import type { RuleSet } from './matching/rule-set.ts'
import { samplesOf, wildcardSamples } from './matching/samples.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { Trace } from './types.ts'

/**
 * The loop that a rule would create with the others. Complete for exact rules, except loops that only occur with
 * certain query parameters. For patterns, whose matches cannot be enumerated, samples are tested. Loops that are not
 * detected here are not followed at request time (`apply-redirects.ts`).
 */
export function loopThrough(rule: ActiveRule, rules: RuleSet, site: SiteAddresses): Trace | undefined {
  for (const loop of loopsThrough(rule, rules, site)) if (loop) return loop
  return undefined
}

/** As `loopThrough`, step by step: the loop or `undefined` for each URL tried. */
export function* loopsThrough(rule: ActiveRule, rules: RuleSet, site: SiteAddresses): Iterable<Trace | undefined> {
  if (rule.target === '') return
  for (const start of startsOf(rule, rules, site)) {
    const trace = rules.trace(start)
    yield trace.end === 'loop' && trace.hops.some((hop) => hop.rule.id === rule.id) ? trace : undefined
  }
}

/** The URLs that a rule matches; samples for a pattern. */
export function addressesOf({ source, match }: ActiveRule): Address[] {
  if (match === 'exact') return [parseAddress(source)]
  const samples = match === 'wildcard' ? wildcardSamples(source) : samplesOf(source)
  return samples.map((sample) => parseAddress(sample.startsWith('/') ? sample : `/${sample}`))
}

function* startsOf(rule: ActiveRule, rules: RuleSet, site: SiteAddresses): Iterable<Address> {
  yield* addressesOf(rule)
  const start = parseAddress(rule.source)
  const target = rule.match === 'exact' && rule.query === 'pass' ? site.ofTarget(rule.target) : undefined
  if (!target) return
  // A passed-on query string can match another rule of the target.
  for (const query of rules.queriesOf(target)) {
    yield { ...start, query: new URLSearchParams(`${start.query}&${query}`).toString() }
  }
}

/**
 * Loops of exact rules with new patterns: one check per exact rule, for any number of patterns. @returns the ID of the
 * pattern and the loop, or `undefined`, for each exact rule
 */
export function* loopsThroughPatterns(
  patterns: ReadonlySet<number>,
  rules: RuleSet,
  site: SiteAddresses,
): Iterable<readonly [pattern: number, loop: Trace] | undefined> {
  if (patterns.size === 0) return
  // A copy, because callers may add and remove rules between steps.
  for (const { source, target } of [...rules.exactRules()]) {
    const address = target === '' ? undefined : site.ofTarget(target)
    const taker = address && rules.find(address)?.rule.id
    const trace = taker !== undefined && patterns.has(taker) ? rules.trace(parseAddress(source)) : undefined
    yield taker !== undefined && trace?.end === 'loop' ? [taker, trace] : undefined
  }
}

/** 409 `redirect_loop`; `data.chain` has the URLs of the loop, the last one repeated. */
export function loopError({ hops, url }: Trace): RestError {
  const chain = [...hops.map((hop) => hop.url), url]
  const shown = chain.length > 6 ? [...chain.slice(0, 5), '…'] : chain
  return new RestError('redirect_loop', `This redirect would create a loop: ${shown.join(' → ')}.`, {
    status: 409,
    chain,
  })
}
