import type { Undo } from '../../../core/hooks/types.ts'
import type { Description, Owner } from '../../../core/owner.ts'
import type { JoiningHost } from '../../../core/types.ts'
import type { ChangeLog } from '../log.ts'
import { joinLoop } from '../loop.ts'
import type { FollowOptions } from '../types.ts'
import { createCacheDelivery, type FollowedCache } from './delivery.ts'
import type { ReaderStore } from './store.ts'

/** Interval in ms after which settings may have changed, or a process that purged caches may have ended. */
const CHECK_INTERVAL = 2000
/** Interval in ms while a cache is behind: its next attempt may be due. */
const RETRY_INTERVAL = 500

/** The extensions that keep caches up to date. */
export interface Followers {
  /** Adds an extension's caches until undone. */
  add(owner: Owner, options: FollowOptions): Undo
  readonly size: number
  /** Whether a position is one of a cache of these extensions. */
  isFollowed(id: string): boolean
}

/** Purges caches of extensions from the change log, while the site is listening. */
export function joinFollowers(
  host: Pick<JoiningHost, 'database' | 'log' | 'onListen' | 'onClosing' | 'onClosed'>,
  { store, changes, now }: { store: ReaderStore; changes: ChangeLog; now: () => number },
): Followers {
  const { database, log } = host
  const stopping = new AbortController()
  const followers = new Map<object, { readonly owner: Owner; readonly options: FollowOptions }>()
  const delivery = createCacheDelivery({ store, changes, database, log, stopping: stopping.signal, now })

  function cachesOf({ owner, options }: { owner: Owner; options: FollowOptions }): FollowedCache[] | undefined {
    const what: Description = () => `caches of ${options.name}`
    const run = <Result>(work: () => Result) => (owner.run ? owner.run(work, what) : work())
    const { budget } = options
    try {
      return [...new Set(run(() => options.caches()))].map((cache) => ({
        ...{ id: `${owner.id}:${cache}`, name: options.name, cache, isRepeated: options.repeats ?? true },
        budget: budget && { ...budget, cost: (purge) => run(() => budget.cost(purge)) },
        purge: (purge, signal) => run(async () => options.purge(purge, signal)),
        signal: owner.signal,
      }))
    } catch (error) {
      owner.onError(error, what())
      return undefined
    }
  }

  async function deliver(): Promise<number | undefined> {
    if (followers.size === 0) return undefined
    try {
      const rows = new Map((await store.list()).map((row) => [row.id, row]))
      const all: FollowedCache[] = []
      for (const follower of followers.values()) {
        const caches = cachesOf(follower)
        if (!caches) continue
        all.push(...caches)
        const known = new Set(caches.map(({ id }) => id))
        // A cache that is no longer set up loses its position: if it returns, all of its pages are purged.
        for (const id of rows.keys()) {
          if (id.startsWith(`${follower.owner.id}:`) && !known.has(id)) await store.remove(id)
        }
      }
      if (all.length === 0) return CHECK_INTERVAL
      return (await delivery.deliverDue(all, rows)) ? RETRY_INTERVAL : CHECK_INTERVAL
    } catch (error) {
      log.error({ err: error }, 'caches could not be purged')
      return CHECK_INTERVAL
    }
  }

  const wake = joinLoop(host, { next: changes.next, work: deliver, idle: delivery.idle, stopping })

  return {
    add(owner, options) {
      const key = {}
      followers.set(key, { owner, options })
      wake()
      return () => void followers.delete(key)
    },
    isFollowed: (id) => followers.values().some(({ owner }) => id.startsWith(`${owner.id}:`)),
    get size() {
      return followers.size
    },
  }
}
