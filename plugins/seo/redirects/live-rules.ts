import { createYield, type ExtensionHost } from 'pentad'
import type { ActiveRule } from './matching/active-rule.ts'
import { compilePattern, type Engine, loadEngine, type Pattern } from './matching/pattern.ts'
import { createRuleSet, type RuleSet } from './matching/rule-set.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import type { RedirectStore } from './store.ts'
import type { RedirectTerms } from './types.ts'

/** Delay before rules are loaded without a request, in ms: the start of the site goes first. */
const READ_AFTER = 1_000
/** Interval of checks for changes by other processes, in ms. */
const LOOK_EVERY = 2_000

/** Rules to add and remove; disabled rules are ignored. */
export interface Difference {
  readonly add?: readonly SwitchedRule[]
  readonly remove?: readonly SwitchedRule[]
}

type SwitchedRule = ActiveRule & {
  readonly enabled: boolean
  /** The compiled pattern, if there is one. */
  readonly pattern?: Pattern | undefined
}

/** The enabled rules in memory, in sync with the database. */
export interface LiveRules {
  /** Resolves after the first load, which it starts. */
  ready(): Promise<void>
  /** Whether the first load has succeeded. */
  readonly isReady: boolean
  /** The current rules. */
  rules(): RuleSet
  /** Loads the engine that these rules need. */
  prepare(rules: readonly Pick<RedirectTerms, 'match'>[]): Promise<void>
  /** @returns the compiled rule, if it is a pattern. @throws RestError 400 `invalid_regex` */
  check(rule: RedirectTerms): Pattern | undefined
  /** Applies stored changes. */
  change(difference: Difference): void
  /** Runs a check with tentative changes, which are reverted afterward. */
  suppose<Result>(difference: Difference, look: (rules: RuleSet) => Result): Result
  /** Runs changes one at a time, after the first load. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** A change stored by this process, which needs no reload. */
  noteVersion(version: number): void
}

/** @param foreignChange called after a reload because of a change by another process */
export function createLiveRules(
  host: Pick<ExtensionHost, 'log' | 'setInterval' | 'setTimeout' | 'signal'>,
  parts: { store: RedirectStore; site: SiteAddresses; foreignChange: () => void },
): LiveRules {
  const { store, site, foreignChange } = parts
  let engine: Engine | undefined
  const loadedEngine = () => {
    if (!engine) throw new Error('The regular expression engine is not loaded.')
    return engine
  }
  let rules = createRuleSet(site, loadedEngine)
  let version = 0

  async function prepare(wanted: readonly Pick<RedirectTerms, 'match'>[]): Promise<void> {
    if (!engine && wanted.some(({ match }) => match !== 'exact')) engine = await loadEngine()
  }

  /** Loads all rules, yielding to requests in between. */
  async function read(): Promise<void> {
    const asOf = await store.version()
    const fresh = createRuleSet(site, loadedEngine)
    const pause = createYield()
    for (let last = 0; !host.signal.aborted; ) {
      const batch: readonly SwitchedRule[] = await store.termsAfter(last)
      if (batch.length === 0) break
      await prepare(batch)
      for (const rule of batch) {
        addTo(fresh, rule)
        await pause()
      }
      last = batch.at(-1)?.id ?? last
    }
    rules = fresh
    version = asOf
  }

  function addTo(set: RuleSet, rule: SwitchedRule): void {
    if (!rule.enabled) return
    try {
      set.add(toActive(rule), rule.pattern)
    } catch (error) {
      host.log.warn({ err: error, redirect: rule.id }, 'redirect skipped')
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  function queue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  let first: Promise<void> | undefined
  let hasFailed = false
  let isReady = false
  function ready(): Promise<void> {
    if (!first) {
      first = queue(async () => {
        await read()
        // Pages rendered before the rules were loaded may be cached.
        if (hasFailed) foreignChange()
        hasFailed = false
        isReady = true
      })
      first.catch((error: unknown) => {
        first = undefined
        hasFailed = true
        host.log.error({ err: error }, 'redirects not loaded, will be retried')
      })
    }
    return first
  }
  host.setTimeout(() => void ready().catch(() => {}), READ_AFTER)

  host.setInterval(() => {
    if (hasFailed) ready().catch(() => {})
    if (!first || hasFailed) return
    queue(async () => {
      if ((await store.version()) === version) return
      await read()
      foreignChange()
    }).catch((error: unknown) => host.log.warn({ err: error }, 'redirects not reloaded'))
  }, LOOK_EVERY)

  return {
    ready,
    get isReady() {
      return isReady
    },
    rules: () => rules,
    prepare,
    check(rule) {
      return rule.match === 'exact' ? undefined : compilePattern(loadedEngine(), rule)
    },
    change({ add = [], remove = [] }) {
      for (const rule of remove) rules.remove(rule)
      for (const rule of add) addTo(rules, rule)
    },
    suppose({ add = [], remove = [] }, look) {
      const away = remove.filter(({ enabled }) => enabled)
      const added: ActiveRule[] = []
      for (const rule of away) rules.remove(rule)
      try {
        for (const rule of add) {
          if (!rule.enabled) continue
          rules.add(rule, rule.pattern)
          added.push(rule)
        }
        return look(rules)
      } finally {
        for (const rule of added) rules.remove(rule)
        for (const rule of away) addTo(rules, rule)
      }
    },
    exclusive(work) {
      ready().catch(() => {})
      return queue(work)
    },
    noteVersion(stored) {
      // Any other version means that another process made changes, which the next check loads.
      if (stored === version + 1) version = stored
    },
  }
}

/** Without columns that requests do not need: there may be many rules. */
function toActive({ id, source, target, match, status, query, caseSensitive }: ActiveRule): ActiveRule {
  return { id, source, target, match, status, query, caseSensitive }
}
