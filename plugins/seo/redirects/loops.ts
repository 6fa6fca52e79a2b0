import { RestError } from 'pentad'
import type { ActiveRule } from './matching/active-rule.ts'
import { type Address, parseAddress } from './matching/address.ts'
import type { RuleSet } from './matching/rule-set.ts'
import { samplesOf, wildcardSamples } from './matching/samples.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { Trace } from './types.ts'

/**
 * The circle that a rule of the set closes with the others. For a rule of one address that is every circle that there can
 * be but those which only certain parameters of a request make; for patterns, of which no program can say all that they
 * take, it is what samples show. What is not seen here is not followed when it is asked for (`answer.ts`).
 */
export function loopThrough(rule: ActiveRule, rules: RuleSet, site: SiteAddresses): Trace | undefined {
  for (const loop of loopsThrough(rule, rules, site)) if (loop) return loop
  return undefined
}

/** As `loopThrough`, step by step: for each address that is tried the circle, or `undefined`. */
export function* loopsThrough(rule: ActiveRule, rules: RuleSet, site: SiteAddresses): Iterable<Trace | undefined> {
  if (rule.target === '') return
  for (const start of startsOf(rule, rules, site)) {
    const trace = rules.trace(start)
    yield trace.end === 'loop' && trace.hops.some((hop) => hop.rule.id === rule.id) ? trace : undefined
  }
}

/** The address that a rule takes; of a pattern, samples. */
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
  // What goes on to the target may be what another rule there waits for.
  for (const query of rules.queriesOf(target)) {
    yield { ...start, query: new URLSearchParams(`${start.query}&${query}`).toString() }
  }
}

/**
 * Circles of exact rules with patterns that are new: one look at each exact rule, however many patterns there are.
 * @returns for each exact rule the pattern's id and the circle, or `undefined`
 */
export function* loopsThroughPatterns(
  patterns: ReadonlySet<number>,
  rules: RuleSet,
  site: SiteAddresses,
): Iterable<readonly [pattern: number, loop: Trace] | undefined> {
  if (patterns.size === 0) return
  // A list, since whoever takes its time removes and adds rules between two steps.
  for (const { source, target } of [...rules.exactRules()]) {
    const address = target === '' ? undefined : site.ofTarget(target)
    const taker = address && rules.find(address)?.rule.id
    const trace = taker !== undefined && patterns.has(taker) ? rules.trace(parseAddress(source)) : undefined
    yield taker !== undefined && trace?.end === 'loop' ? [taker, trace] : undefined
  }
}

/** 409 `redirect_loop`, `data.chain`: the addresses on the way, the last of them for the second time. */
export function loopError({ hops, url }: Trace): RestError {
  const chain = [...hops.map((hop) => hop.url), url]
  const shown = chain.length > 6 ? [...chain.slice(0, 5), '…'] : chain
  return new RestError('redirect_loop', `This redirect would create a loop: ${shown.join(' → ')}.`, {
    status: 409,
    chain,
  })
}
