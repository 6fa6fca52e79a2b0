import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createYield, type ExtensionHost, RestError } from 'pentad'
import { z } from 'zod'
import { LEFT_OUT, MOST_ERRORS } from './formats/file.ts'
import type { LiveRules } from './live-rules.ts'
import { addressesOf, loopError, loopsThrough, loopsThroughPatterns } from './loops.ts'
import type { ActiveRule } from './matching/active-rule.ts'
import type { Address } from './matching/address.ts'
import type { Pattern } from './matching/pattern.ts'
import type { RuleSet } from './matching/rule-set.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import { importedRule } from './rule-input.ts'
import { isSentOnBySite, loopThroughSite } from './site-loops.ts'
import { BATCH, type RedirectStore, type StoredRule } from './store.ts'
import { identityOfTerms, readTerms } from './terms.ts'
import type { ImportedRule, ImportResult, RedirectRule, Trace } from './types.ts'

/** Time slice for loop checks, in ms. */
const SLICE = 20

interface Candidate {
  readonly line: number
  readonly rule: StoredRule
  /** The compiled pattern, which is expensive to create twice. */
  readonly pattern: Pattern | undefined
  /** A temporary ID, larger than all existing ones. */
  readonly id: number
}

export interface ImportOutcome extends Omit<ImportResult, 'imported'> {
  readonly imported: readonly RedirectRule[]
}

/** Stores valid redirects in batches; requests are served in between. */
export async function importRules(
  rules: Iterable<ImportedRule>,
  parts: { store: RedirectStore; live: LiveRules; site: SiteAddresses; front: ExtensionHost['front'] },
): Promise<ImportOutcome> {
  const { store, live, site, front } = parts
  const imported: RedirectRule[] = []
  const errors: { line: number; message: string }[] = []
  let skipped = 0

  const fail = (line: number, error: unknown) => {
    if (!(error instanceof RestError)) throw error
    errors.push({ line, message: messageOf(error) })
  }

  /** Maps items, skipping those that are rejected. */
  async function attempt<From extends { readonly line: number }, To>(
    all: readonly From[],
    read: (one: From, at: number) => To,
  ): Promise<To[]> {
    const pause = createYield()
    const results: To[] = []
    for (const [at, one] of all.entries()) {
      try {
        results.push(read(one, at))
      } catch (error) {
        fail(one.line, error)
      }
      await pause()
    }
    return results
  }

  /**
   * Runs steps that check the rules, in slices of a few ms. Between slices, requests see the stored rules only, so
   * tentative rules are removed and re-added.
   * @param supposed tentative rules; steps may add to them
   */
  async function inSlices(supposed: ReadonlyMap<number, Candidate>, steps: (set: RuleSet) => Iterator<unknown>) {
    const set = live.rules()
    const running = steps(set)
    for (let done = false; !done; await yieldToEventLoop()) {
      for (const one of supposed.values()) set.add(active(one), one.pattern)
      const end = performance.now() + SLICE
      try {
        do done = running.next().done === true
        while (!done && performance.now() < end)
      } finally {
        for (const one of supposed.values()) set.remove(active(one))
      }
    }
  }

  /** The redirects that do not create a loop with existing and earlier ones. */
  async function withoutLoops(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const off = candidates.filter(({ rule }) => !rule.enabled)
    const on = candidates.filter(({ rule }) => rule.enabled)
    const loops = new Map<number, Trace>()
    const added = new Map<number, Candidate>()
    await inSlices(added, function* (set) {
      for (const one of on) {
        set.add(active(one), one.pattern)
        added.set(one.id, one)
        for (const loop of loopsThrough(active(one), set, site)) {
          if (loop) loops.set(one.id, loop)
          if (loop) break
          yield
        }
        if (!loops.has(one.id)) continue
        set.remove(active(one))
        added.delete(one.id)
      }
      const patterns = new Set([...added.values()].filter(({ pattern }) => pattern).map(({ id }) => id))
      for (const step of loopsThroughPatterns(patterns, set, site)) {
        if (step && !loops.has(step[0])) loops.set(...step)
        yield
      }
    })
    for (const { line, id } of on) {
      const loop = loops.get(id)
      if (loop) fail(line, loopError(loop))
    }
    return [...off, ...on.filter(({ id }) => !loops.has(id))].sort((a, b) => a.id - b.id)
  }

  /** The redirects that do not create a loop with redirects of the site itself; the last one of a loop is rejected. */
  async function withoutLoopsThroughSite(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    let kept = candidates
    const enabled = kept.filter(({ rule }) => rule.enabled)
    // Few candidates need a check against the site.
    const suspects = new Set<Candidate>()
    await inSlices(new Map(enabled.map((one) => [one.id, one])), function* (set) {
      for (const one of enabled) {
        for (const start of addressesOf(active(one))) {
          if (isSentOnBySite(set.trace(start).url, site)) suspects.add(one)
          yield
        }
      }
    })
    const supposed = () => ({
      add: kept.map((one) => ({ ...active(one), enabled: one.rule.enabled, pattern: one.pattern })),
    })
    for (const suspect of [...suspects].toReversed()) {
      const trace = (start: Address) => live.suppose(supposed(), (set) => set.trace(start))
      const loop = await loopThroughSite(active(suspect), trace, { site, front })
      if (!loop) continue
      kept = kept.filter((one) => one !== suspect)
      fail(suspect.line, loopError(loop))
    }
    return kept
  }

  for (const batch of inBatches(rules)) {
    if (errors.length >= MOST_ERRORS) {
      errors.push({ line: batch[0]?.line ?? 0, message: LEFT_OUT })
      break
    }
    // Yields: SQLite runs on this thread.
    await yieldToEventLoop()
    const read = await attempt(batch, ({ line, rule }) => ({ line, rule: toStored(rule, site) }))
    await live.prepare(read.map(({ rule }) => rule))
    const candidates = await attempt(read, ({ line, rule }, at): Candidate => {
      return { line, rule, pattern: live.check(rule), id: Number.MAX_SAFE_INTEGER - BATCH + at }
    })
    if (candidates.length === 0) continue
    const seen = await store.taken(candidates.map(({ rule }) => rule.identity))
    const fresh = candidates.filter(({ rule: { identity } }) => !seen.has(identity) && seen.add(identity))
    await yieldToEventLoop()
    const circleFree = await withoutLoopsThroughSite(await withoutLoops(fresh))
    const stored = circleFree.length > 0 ? await store.insert(circleFree.map(({ rule }) => rule)) : []
    const added = stored.flatMap((rule, at) => (rule ? [{ rule, pattern: circleFree[at]?.pattern }] : []))
    await yieldToEventLoop()
    skipped += candidates.length - fresh.length + circleFree.length - added.length
    live.change({ add: added.map(({ rule, pattern }) => ({ ...rule, pattern })) })
    imported.push(...added.map(({ rule }) => rule))
  }
  return { imported, skipped, errors: errors.sort((a, b) => a.line - b.line) }
}

const active = ({ rule, id }: Candidate): ActiveRule => ({ ...rule, id })

/** @throws RestError */
function toStored(rule: unknown, site: SiteAddresses): StoredRule {
  const parsed = importedRule.safeParse(rule)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const message = faultOf(issue?.path.join('.') || 'rule', issue?.message ?? 'Not a redirect.')
    throw new RestError('rest_invalid_param', message, { status: 400 })
  }
  const { data } = parsed
  const terms = readTerms(data, site)
  const { enabled = true, note = '', hits = 0, lastHitAt = null } = data
  const createdAt = data.createdAt ?? new Date().toISOString()
  return { ...terms, enabled, note, hits, lastHitAt, createdAt, identity: identityOfTerms(terms), automatic: false }
}

/** `Source: It must not be empty.`, shown to administrators. */
function faultOf(name: string, fault: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${fault}`
}

/** The error message: of each parameter, or of the whole. */
function messageOf({ data, message }: RestError): string {
  const params = z.record(z.string(), z.string()).safeParse(data.params)
  return params.success
    ? Object.entries(params.data)
        .map(([name, fault]) => faultOf(name, fault))
        .join(' ')
    : message
}

function* inBatches(rules: Iterable<ImportedRule>): Iterable<ImportedRule[]> {
  let batch: ImportedRule[] = []
  for (const rule of rules) {
    batch.push(rule)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
