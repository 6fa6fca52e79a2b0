import { toGmt } from '../../../core/database/gmt.ts'
import { messageOf } from '../../../core/errors.ts'
import { outsideRequests } from '../../../core/http/request-context.ts'
import { backOff, toGmtAtLeast } from '../../jobs/time.ts'
import { createLeasedWork, type HeldLease, type LeasedWorkParts } from '../leased-work.ts'
import type { ChangeLog } from '../log.ts'
import { PurgeRejectedError } from '../rejected.ts'
import type { CacheBudget, CachePurge, Purge } from '../types.ts'
import { createBuckets } from './buckets.ts'
import { mergeWithinLimit, nextPurge } from './next-purge.ts'
import type { ReaderRow, ReaderStore } from './store.ts'

/** Time limit of a purge, in ms. */
const TIMEOUT = 60_000
/** Maximum delay before a retry, in ms. */
const LONGEST_WAIT = 300_000
/** Delay in ms after which a purge is repeated: a cache that fetched a page just before a purge stores it just after. */
const REPEAT_AFTER = 5000
/** Position of a cache about which nothing is known: no entry has this ID. */
const UNKNOWN = ''

/** A cache, and the code that purges it. */
export interface FollowedCache {
  /** ID of its position. */
  readonly id: string
  /** Name of the product. */
  readonly name: string
  readonly cache: string
  readonly isRepeated: boolean
  readonly budget?: CacheBudget | undefined
  purge(purge: CachePurge, signal: AbortSignal): Promise<void>
  /** Aborted when the code is unloaded. */
  readonly signal: AbortSignal
}

export interface CacheDelivery {
  /** Purges the caches that are behind, in the background. @returns whether one of them is */
  deliverDue(caches: readonly FollowedCache[], rows: ReadonlyMap<string, ReaderRow>): Promise<boolean>
  /** Resolves when no purge is in progress. */
  idle(): Promise<void>
}

interface Parts extends LeasedWorkParts {
  readonly store: ReaderStore
  readonly changes: Pick<ChangeLog, 'read' | 'newest' | 'requestOf'>
  readonly now: () => number
}

export function createCacheDelivery(parts: Parts): CacheDelivery {
  const { store, changes, log, now } = parts
  const purging = createLeasedWork('cache', 'cache could not be purged', parts)
  /** Purges to repeat, by ID of the position, and when. */
  const repeats = new Map<string, { readonly purge: Purge; readonly at: number }[]>()
  const buckets = createBuckets(now)

  const isDue = (row: ReaderRow | undefined) => !row?.next_attempt_gmt || row.next_attempt_gmt <= toGmt(now())

  function takeRepeats(id: string): Purge[] {
    const all = repeats.get(id) ?? []
    const later = all.filter(({ at }) => at > now())
    if (later.length > 0) repeats.set(id, later)
    else repeats.delete(id)
    return all.slice(0, all.length - later.length).map(({ purge }) => purge)
  }

  function repeatLater(id: string, purge: Purge, at = now() + REPEAT_AFTER): void {
    repeats.set(id, [...(repeats.get(id) ?? []), { purge, at }])
  }

  /** @returns `false` if there is nothing more to do at the moment */
  async function deliverNext(cache: FollowedCache, { signal, write }: HeldLease): Promise<boolean> {
    const { id, name } = cache
    const row = await store.get(id)
    if (signal.aborted || !isDue(row)) return false
    const next = await nextPurge(changes, row ? row.position : UNKNOWN)
    const repeated = takeRepeats(id)
    if (!next && repeated.length === 0) return false
    const repeatNow = () => {
      if (repeated.length > 0) repeatLater(id, mergeWithinLimit(repeated), now())
    }
    const merged = mergeWithinLimit([...repeated, ...(next ? [next.purge] : [])])
    const { purge, delay } = withinBudget(cache, merged)
    if (delay > 0) {
      repeatNow()
      const { failures = 0, error = '', failing_since_gmt = null } = row ?? {}
      const wait = { position: row ? row.position : UNKNOWN, next_attempt_gmt: toGmtAtLeast(now() + delay) }
      await write((on) => store.save({ id, name, failures, error, failing_since_gmt, ...wait }, on))
      return false
    }
    const requestId = next && (await changes.requestOf(next.id))
    const sent = { ...purge, soft: purge.soft ?? false, cache: cache.cache, id: next?.id ?? `repeat-${row?.position}` }
    const error = await outsideRequests(() => attempt(cache, sent, signal), requestId)
    if (signal.aborted) {
      repeatNow()
      return false
    }
    const position = row ? row.position : UNKNOWN
    if (error !== undefined && !(error instanceof PurgeRejectedError)) {
      repeatNow()
      const failures = (row?.failures ?? 0) + 1
      log.warn({ err: error, cache: id, failures, requestId }, 'cache could not be purged, will be retried')
      const failed = {
        ...{ id, name, failures, error: messageOf(error), position },
        failing_since_gmt: row?.failing_since_gmt ?? toGmt(now()),
        next_attempt_gmt: toGmtAtLeast(now() + backOff(failures, error, LONGEST_WAIT)),
      }
      await write((on) => store.save(failed, on))
      return false
    }
    const rejected = error && { error: messageOf(error), failing_since_gmt: row?.failing_since_gmt ?? toGmt(now()) }
    if (rejected) log.error({ err: error, cache: id, requestId }, 'cache rejected a purge')
    if (next && !rejected && cache.isRepeated) repeatLater(id, next.purge)
    const purged = {
      ...{ id, name, position: next ? next.position : position, failures: 0, next_attempt_gmt: null },
      ...(rejected ?? { error: '', failing_since_gmt: null }),
    }
    return write((on) => store.save(purged, on))
  }

  /** Takes the tokens of a purge. `delay`: the milliseconds after which there are enough. */
  function withinBudget({ id, budget }: FollowedCache, purge: Purge): { purge: Purge; delay: number } {
    if (!budget) return { purge, delay: 0 }
    const cost = budget.cost(purge)
    if (cost <= budget.burst) return { purge, delay: buckets.take(id, budget, cost) }
    const all: Purge = { ...purge, scope: 'pages', urls: [], tags: [] }
    return { purge: all, delay: buckets.take(id, budget, budget.cost(all)) }
  }

  /** @returns why the purge failed */
  async function attempt(cache: FollowedCache, purge: CachePurge, signal: AbortSignal): Promise<unknown> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
    try {
      limited.throwIfAborted()
      await Promise.race([cache.purge(purge, limited), rejection(limited)])
      return undefined
    } catch (error) {
      return error ?? new Error('The purge failed.')
    }
  }

  return {
    async deliverDue(caches, rows) {
      const newest = (await changes.newest()) ?? null
      let isBehind = false
      for (const cache of caches) {
        const { id } = cache
        const row = rows.get(id)
        const isCurrent = row !== undefined && row.position === newest
        isBehind ||= !isCurrent
        const hasRepeat = repeats.get(id)?.some(({ at }) => at <= now()) ?? false
        if ((isCurrent && !hasRepeat) || !isDue(row) || purging.isRunning(id)) continue
        purging.start(id, async (lease) => {
          const signal = AbortSignal.any([lease.signal, cache.signal])
          while (await deliverNext(cache, { ...lease, signal })) {}
        })
      }
      return isBehind
    },
    idle: purging.idle,
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
