import { AsyncLocalStorage } from 'node:async_hooks'
import { getHeapStatistics } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { Hooks } from '../../../core/hooks/types.ts'
import { asVisitor, currentRequest } from '../../../core/http/request-context.ts'
import { forgetOnPurge } from '../../content/forget-on-purge.ts'
import { charactersIn } from '../../text/characters-in.ts'

/** Actions that invalidate the cache. */
const CHANGES: readonly string[] = [
  'save_post',
  'deleted_post',
  'add_attachment',
  'edit_attachment',
  'set_object_terms',
  'created_term',
  'edited_term',
  'delete_term',
  'added_post_meta',
  'updated_post_meta',
  'deleted_post_meta',
  'added_term_meta',
  'updated_term_meta',
  'deleted_term_meta',
  'wp_insert_comment',
  'edit_comment',
  'transition_comment_status',
  'deleted_comment',
  'user_register',
  'profile_update',
  'deleted_user',
  'added_user_meta',
  'updated_user_meta',
  'deleted_user_meta',
  'updated_option',
  // After changes of many rows, for which no other action fires.
  'import_end',
  'permalink_structure_changed',
  'search_replaced',
  // Their callbacks decide who can read what.
  'activated_plugin',
  'deactivated_plugin',
]

/** Time until a change by another process is visible, in ms. */
const CHECK_AFTER = 1000
/** Lifetime of results that depend on the database alone, in ms. */
const LIFETIME = 10_000
const ENTRIES = 2000
/** Characters that the results of one function may have together: less if the process has little memory. */
const CAPACITY = Math.min(4_000_000, Math.floor(getHeapStatistics().heap_size_limit / 256))

/** How the results of one function are cached. */
interface Limits {
  /** Maximum number of cached results. */
  readonly entries?: number
  /** In ms: at most a second for results that depend on filters. */
  readonly lifetime?: number
}

/** Caches the data of pages (posts, authors, terms, images, menus) until the site changes. */
export interface PageDataCache {
  /**
   * Caches the results of `make` by key, as seen by visitors. Failures are not cached; if `make` depends on the reader,
   * each reader gets their own result.
   */
  remember<Value>(make: (key: string) => Promise<Value>, limits?: Limits): (key: string) => Promise<Value>
  /** Invalidates the cache after a change for which no action fires. */
  clear(): void
}

/**
 * Changes by this process invalidate the cache immediately, because they fire one of the actions. Lookups in progress
 * are then not cached. Changes by other processes are detected once a second. Rendered content is never cached, since filters can change.
 * @param parts.dataVersion Reads a value that changes with the database.
 * @param parts.isReadByStatus Whether no extension decides who can read what, which may depend on anything.
 */
export function createPageDataCache(
  hooks: Hooks,
  parts: { dataVersion: () => Promise<string>; isReadByStatus: () => boolean },
): PageDataCache {
  const clearers: (() => void)[] = []
  // A timer keeps the context in which it starts: within a request, the timer of each entry would keep its page in memory.
  const outside = AsyncLocalStorage.snapshot()
  const clear = () => {
    for (const clearOne of clearers) clearOne()
  }
  for (const name of CHANGES) hooks.addAction(name, clear)
  forgetOnPurge(hooks, clear)

  let version: string | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined

  async function checkVersion(): Promise<void> {
    const now = performance.now()
    const found = await parts.dataVersion().catch(() => undefined)
    if (found === undefined || found !== version || !parts.isReadByStatus()) clear()
    version = found
    checkedAt = now
    checking = undefined
  }

  return {
    clear,
    remember<Value>(
      make: (key: string) => Promise<Value>,
      { entries = ENTRIES, lifetime = LIFETIME }: Limits = {},
    ): (key: string) => Promise<Value> {
      // Without `max`, for which the library allocates all entries in advance.
      const least = Math.ceil(CAPACITY / entries)
      const known = new LRUCache<string, ReturnType<typeof asVisitor<Value>>>({
        ...{ ttl: lifetime, ttlAutopurge: true, maxSize: CAPACITY },
        // By default, each cache starts a timer in every millisecond in which it is read.
        ttlResolution: 50,
      })
      // Clearing an empty cache takes time too, and a save fires many actions.
      clearers.push(() => {
        if (known.size > 0) known.clear()
      })
      function look(key: string) {
        const found = known.get(key)
        if (found) return found
        const start = performance.now()
        const made = asVisitor(() => make(key))
        outside(() => known.set(key, made, { size: least }))
        const forget = () => known.delete(key)
        made.then(({ result, isIncomplete }) => {
          if (known.peek(key) !== made) return
          // Setting the same value again would not change its size.
          forget()
          if (isIncomplete) return
          const size = Math.max(least, key.length + charactersIn(result))
          outside(() => known.set(key, made, { size, start }))
        }, forget)
        return made
      }
      return async (key) => {
        if (performance.now() - checkedAt > CHECK_AFTER) {
          checking ??= checkVersion()
          await checking
        }
        const { result, variedByUser, isIncomplete } = await look(key)
        if (isIncomplete) currentRequest()?.markIncomplete()
        return variedByUser ? make(key) : result
      }
    },
  }
}
