import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExtensionHost, RestError } from 'pentad'
import { z } from 'zod'
import { LEFT_OUT, MOST_ERRORS } from './formats/file.ts'
import type { LiveRules } from './live-rules.ts'
import { addressesOf, loopError, loopsThroughPatterns, loopThrough } from './loops.ts'
import type { ActiveRule } from './matching/active-rule.ts'
import type { Address } from './matching/address.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import { importedRule } from './rule-input.ts'
import { isSentOnBySite, loopThroughSite } from './site-loops.ts'
import { BATCH, type RedirectStore, type StoredRule } from './store.ts'
import { identityOfTerms, readTerms } from './terms.ts'
import type { ImportedRule, ImportResult, RedirectRule, Trace } from './types.ts'

interface Candidate {
  readonly line: number
  readonly rule: StoredRule
  /** One that no other rule has, younger than all there are. */
  readonly id: number
}

export interface ImportOutcome extends Omit<ImportResult, 'imported'> {
  readonly imported: readonly RedirectRule[]
}

/** Stores what can be, a batch at a time; requests are answered in between. */
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

  /** What `read` makes of each, without those that it refuses. */
  function attempt<From extends { readonly line: number }, To>(
    all: readonly From[],
    read: (one: From, at: number) => To,
  ) {
    return all.flatMap((one, at) => {
      try {
        return [read(one, at)]
      } catch (error) {
        fail(one.line, error)
        return []
      }
    })
  }

  /** Those that close no circle with what there is and with those before them. */
  function withoutLoops(candidates: readonly Candidate[]): Candidate[] {
    const off = candidates.filter(({ rule }) => !rule.enabled)
    const on = candidates.filter(({ rule }) => rule.enabled)
    const found = live.suppose({}, (set) => {
      const loops = new Map<number, Trace>()
      const added: ActiveRule[] = []
      for (const { rule: terms, id } of on) {
        const rule = { ...terms, id }
        set.add(rule)
        const loop = loopThrough(rule, set, site)
        if (loop) {
          loops.set(id, loop)
          set.remove(rule)
        } else added.push(rule)
      }
      const patterns = new Set(added.filter(({ match }) => match !== 'exact').map(({ id }) => id))
      for (const [id, loop] of loopsThroughPatterns(patterns, set, site)) loops.set(id, loop)
      for (const rule of added) set.remove(rule)
      return loops
    })
    for (const { line, id } of on) {
      const loop = found.get(id)
      if (loop) fail(line, loopError(loop))
    }
    return [...off, ...on.filter(({ id }) => !found.has(id))].sort((a, b) => a.id - b.id)
  }

  /** Those that close no circle with redirects of the site either; of several in one circle the last is left out. */
  async function withoutLoopsThroughSite(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    let kept = candidates
    const active = ({ rule, id }: Candidate) => ({ ...rule, id })
    const supposed = () => ({ add: kept.map(active) })
    // Only few are worth asking the site for.
    const suspects = live.suppose(supposed(), (set) =>
      kept.filter(
        (one) =>
          one.rule.enabled && addressesOf(active(one)).some((start) => isSentOnBySite(set.trace(start).url, site)),
      ),
    )
    for (const suspect of suspects.toReversed()) {
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
    // SQLite works on this thread, and so do we: visitors get their turn.
    await nextTurn()
    const read = attempt(batch, ({ line, rule }) => ({ line, rule: toStored(rule, site) }))
    await live.prepare(read.map(({ rule }) => rule))
    const candidates = attempt(read, ({ line, rule }, at): Candidate => {
      live.check(rule)
      return { line, rule, id: Number.MAX_SAFE_INTEGER - BATCH + at }
    })
    if (candidates.length === 0) continue
    const seen = await store.taken(candidates.map(({ rule }) => rule.identity))
    const fresh = candidates.filter(({ rule: { identity } }) => !seen.has(identity) && seen.add(identity))
    await nextTurn()
    const circleFree = await withoutLoopsThroughSite(withoutLoops(fresh))
    const stored = circleFree.length > 0 ? await store.insert(circleFree.map(({ rule }) => rule)) : []
    const added = stored.filter((rule) => rule !== undefined)
    await nextTurn()
    skipped += candidates.length - fresh.length + circleFree.length - added.length
    live.change({ add: added })
    imported.push(...added)
  }
  return { imported, skipped, errors: errors.sort((a, b) => a.line - b.line) }
}

/** @throws RestError */
function toStored(rule: unknown, site: SiteAddresses): StoredRule {
  const parsed = importedRule.safeParse(rule)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const message = faultOf(issue?.path.join('.') || 'rule', issue?.message ?? 'It is not a rule.')
    throw new RestError('rest_invalid_param', message, { status: 400 })
  }
  const { data } = parsed
  const terms = readTerms(data, site)
  const { enabled = true, note = '', hits = 0, lastHitAt = null } = data
  const createdAt = data.createdAt ?? new Date().toISOString()
  return { ...terms, enabled, note, hits, lastHitAt, createdAt, identity: identityOfTerms(terms), automatic: false }
}

/** `Source: It must not be empty.` An owner reads it. */
function faultOf(name: string, fault: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${fault}`
}

/** What is wrong, in words: of each parameter, or of the whole. */
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
