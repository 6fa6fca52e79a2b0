import { LRUCache } from 'lru-cache'
import type { Hooks } from '../../../core/hooks/types.ts'
import { asVisitor, currentRequest } from '../../../core/http/request-context.ts'

/** Actions after which what was remembered may be wrong. */
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
  'wp_insert_comment',
  'edit_comment',
  'transition_comment_status',
  'deleted_comment',
  'user_register',
  'profile_update',
  'deleted_user',
  'updated_option',
]

/** Milliseconds after which a change that another process made is seen. */
const LIFETIME = 1000
const ENTRIES = 500

/** Remembers what a page is made of (post, author, terms, picture, menu) until something of the site changes. */
export interface PageDataCache {
  /**
   * `make`, remembered by its key and made as for a visitor. What failed is not remembered; where something asks who
   * reads on the way, each reader gets their own.
   */
  remember<Value>(make: (key: string) => Promise<Value>): (key: string) => Promise<Value>
}

/**
 * A change that this process makes is seen at once: it fires one of the actions after it is stored. What was being
 * looked up meanwhile is not remembered. Rendered text is never remembered, as filters come and go.
 */
export function createPageDataCache(hooks: Hooks): PageDataCache {
  const clearers: (() => void)[] = []
  const clear = () => {
    for (const clearOne of clearers) clearOne()
  }
  for (const name of CHANGES) hooks.addAction(name, clear)

  return {
    remember<Value>(make: (key: string) => Promise<Value>) {
      const known = new LRUCache<string, ReturnType<typeof asVisitor<Value>>>({ max: ENTRIES, ttl: LIFETIME })
      // Clearing an empty one takes its time too, and a save fires many actions.
      clearers.push(() => {
        if (known.size > 0) known.clear()
      })
      function look(key: string) {
        const found = known.get(key)
        if (found) return found
        const made = asVisitor(() => make(key))
        known.set(key, made)
        const forget = () => known.delete(key)
        made.then(({ isClosed }) => isClosed && forget(), forget)
        return made
      }
      return async (key) => {
        const { result, variedByUser, isClosed } = await look(key)
        if (isClosed) currentRequest()?.close()
        return variedByUser ? make(key) : result
      }
    },
  }
}
