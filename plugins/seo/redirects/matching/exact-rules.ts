import type { ActiveRule } from './active-rule.ts'
import { type Address, folded, identityOf, parseAddress, sortedQuery } from './address.ts'
import { createBloomFilter } from './bloom-filter.ts'

/** Rules for one path. */
interface Place {
  /** Rule for any query string. */
  plain?: ActiveRule
  /** Rules by exact query string. */
  whole?: Map<string, ActiveRule>
  /** Rules by one of their required parameters, `name=value`: the least frequent one. */
  parts?: Map<string, readonly Wanting[]>
}

interface Wanting {
  readonly rule: ActiveRule
  readonly parameters: readonly string[]
}

/** Maximum number of request parameters that are looked up. */
const MOST_PARAMETERS = 100

/** Exact rules in hash maps: lookups do not depend on the number of rules. */
export interface ExactRules {
  add(rule: ActiveRule): void
  remove(rule: ActiveRule): void
  find(address: Address): ActiveRule | undefined
  /** Query strings that rules of this path require. */
  queriesOf(address: Address): string[]
  rules(): Iterable<ActiveRule>
}

export function createExactRules(): ExactRules {
  // A second lookup is only needed if a rule is case-sensitive.
  const asWritten = new Map<string, Place>()
  const anyCase = new Map<string, Place>()
  const filter = createBloomFilter(() => anyCase.keys())

  function find(address: Address): ActiveRule | undefined {
    const written = asWritten.size > 0 ? findIn(asWritten.get(address.key), address.query) : undefined
    if (written) return written
    const key = folded(address.key)
    return filter.mayHave(key) ? findIn(anyCase.get(key), address.query, folded) : undefined
  }

  return {
    find,
    add(rule) {
      const { places, key, query } = placeOf(rule)
      const place = places.get(key) ?? {}
      places.set(key, place)
      if (places === anyCase) filter.add(key)
      if (rule.query === 'exact') {
        place.whole ??= new Map()
        place.whole.set(sortedQuery(query), rule)
      } else if (query === '') place.plain = rule
      else {
        const parts = place.parts ?? new Map<string, readonly Wanting[]>()
        place.parts = parts
        const parameters = parametersOf(query)
        const alone = parameters.reduce((best, one) => (sharers(parts, one) < sharers(parts, best) ? one : best))
        const all = [...(parts.get(alone) ?? []), { rule, parameters }]
        parts.set(
          alone,
          all.sort((a, b) => b.parameters.length - a.parameters.length),
        )
      }
    },
    remove(rule) {
      const { places, key, query } = placeOf(rule)
      const place = places.get(key)
      if (!place) return
      if (rule.query === 'exact') {
        const whole = sortedQuery(query)
        if (place.whole?.get(whole)?.id === rule.id) place.whole.delete(whole)
      } else if (query === '') {
        if (place.plain?.id === rule.id) delete place.plain
      } else if (place.parts) takeOut(place.parts, parametersOf(query), rule.id)
      if (!place.plain && !place.whole?.size && !place.parts?.size) places.delete(key)
    },
    queriesOf(address) {
      const places = [asWritten.get(address.key), anyCase.get(folded(address.key))]
      return places.flatMap((place) =>
        place ? [...rulesOf(place)].map(({ source }) => parseAddress(source).query) : [],
      )
    },
    *rules() {
      for (const places of [asWritten, anyCase]) for (const place of places.values()) yield* rulesOf(place)
    },
  }

  function placeOf({ source, caseSensitive }: ActiveRule) {
    const { key, query } = parseAddress(source)
    return caseSensitive
      ? { places: asWritten, key, query }
      : { places: anyCase, key: folded(key), query: folded(query) }
  }
}

function* rulesOf({ plain, whole, parts }: Place): Iterable<ActiveRule> {
  if (plain) yield plain
  if (whole) yield* whole.values()
  for (const wanting of parts?.values() ?? []) for (const { rule } of wanting) yield rule
}

function sharers(parts: Place['parts'], parameter: string): number {
  return parts?.get(parameter)?.length ?? 0
}

function takeOut(parts: Map<string, readonly Wanting[]>, parameters: readonly string[], id: number): void {
  for (const parameter of parameters) {
    const rest = parts.get(parameter)?.filter(({ rule }) => rule.id !== id)
    if (rest?.length) parts.set(parameter, rest)
    else parts.delete(parameter)
  }
}

function findIn(
  place: Place | undefined,
  asked: string,
  spell: (query: string) => string = (query) => query,
): ActiveRule | undefined {
  if (!place) return undefined
  const query = asked === '' ? '' : spell(asked)
  const whole = place.whole?.get(sortedQuery(query))
  if (whole) return whole
  if (place.parts && query !== '') {
    const given = new Set(parametersOf(query).slice(0, MOST_PARAMETERS))
    let best: Wanting | undefined
    for (const parameter of given) {
      const wanting = place.parts.get(parameter)?.find(({ parameters }) => parameters.every((one) => given.has(one)))
      if (wanting && wanting.parameters.length > (best?.parameters.length ?? 0)) best = wanting
    }
    if (best) return best.rule
  }
  return place.plain
}

function parametersOf(query: string): string[] {
  return sortedQuery(query).split('&')
}

/** Unique key of an exact rule. */
export function exactIdentity({ source, query, caseSensitive }: Omit<ActiveRule, 'id'>): string {
  const identity = identityOf(parseAddress(source))
  return JSON.stringify([query === 'exact', caseSensitive, caseSensitive ? identity : folded(identity)])
}
