import type { ActiveRule } from './active-rule.ts'
import type { Address } from './address.ts'
import { literalFold } from './literals.ts'
import { compilePattern, type Engine, type Pattern } from './pattern.ts'
import type { Captures } from './target.ts'

interface Entry {
  readonly rule: ActiveRule
  readonly pattern: Pattern
}

/** A rule whose pattern matches a URL. */
export interface PatternMatch {
  readonly rule: ActiveRule
  readonly captures: Captures
}

/** Length of the prefixes that group patterns. */
const LONGEST_PREFIX = 32

/**
 * Pattern rules; the oldest match wins. Only patterns are tried whose literal prefix is that of the URL (a hash lookup
 * per prefix length) and whose longest literal occurs in the URL.
 */
export interface PatternRules {
  /** @param pattern compiled pattern of the rule, if there is one. @throws RestError 400 `invalid_regex` */
  add(rule: ActiveRule, pattern?: Pattern): void
  remove(rule: ActiveRule): void
  find(address: Address): PatternMatch | undefined
}

/** @param engine called when the first pattern is added */
export function createPatternRules(engine: () => Engine): PatternRules {
  const entries = new Map<number, Entry>()
  let groups: { readonly length: number; readonly byPrefix: ReadonlyMap<string, readonly Entry[]> }[] | undefined

  function sortIntoGroups() {
    const byLength = new Map<number, Map<string, Entry[]>>()
    for (const entry of entries.values()) {
      const key = entry.pattern.literals.prefix.slice(0, LONGEST_PREFIX)
      const byPrefix = byLength.get(key.length) ?? new Map<string, Entry[]>()
      byLength.set(key.length, byPrefix)
      const group = byPrefix.get(key)
      if (group) group.push(entry)
      else byPrefix.set(key, [entry])
    }
    return [...byLength].map(([length, byPrefix]) => ({ length, byPrefix }))
  }

  /** Oldest first. */
  function candidates({ path, query }: Address): readonly Entry[] {
    groups ??= sortIntoGroups()
    const whole = literalFold(`${path}?${query}`)
    const found: Entry[] = []
    for (const { length, byPrefix } of groups) {
      for (const entry of byPrefix.get(whole.slice(0, length)) ?? []) {
        if (whole.includes(entry.pattern.literals.needle)) found.push(entry)
      }
    }
    return found.sort(byAge)
  }

  return {
    add(rule, pattern = compilePattern(engine(), rule)) {
      entries.set(rule.id, { rule, pattern })
      groups = undefined
    },
    remove({ id }) {
      if (entries.delete(id)) groups = undefined
    },
    find(address) {
      if (entries.size === 0) return undefined
      for (const { rule, pattern } of candidates(address)) {
        const captures = pattern.match(address)
        if (captures) return { rule, captures }
      }
      return undefined
    },
  }
}

function byAge(a: Entry, b: Entry): number {
  return a.rule.id - b.rule.id
}

/** Unique key of a pattern rule. */
export function patternIdentity({ source, match, query, caseSensitive }: Omit<ActiveRule, 'id'>): string {
  return JSON.stringify([match, query === 'exact', caseSensitive, source])
}
