import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PageContext } from '../types.ts'
import type { AppearanceSettings } from './settings.ts'

/** Query parameter of a preview. */
export const PREVIEW_PARAMETER = 'appearance_preview'
/** Lifetime of unsaved values, in ms. */
const LIFETIME = 3_600_000
/** Previews of a user; the screen shows only the last one. */
const ENTRIES = 5
const USERS = 100

/** The look of a page: the stored settings, or the unsaved ones of a preview. */
export interface Look {
  readonly settings: AppearanceSettings
  /** IDs of unsaved images; `undefined` for the stored ones. */
  readonly siteLogo?: number | undefined
  readonly siteIcon?: number | undefined
}

/**
 * Unsaved values for previews, by a random key. Only the user who stored them sees them: a key alone shows nothing. Each
 * user has the newest five. They are not persistent; a screen that shows a preview stores them again with every change.
 */
export interface Previews {
  /** Stores unsaved values. @returns the key */
  add(userId: number, look: Look): string
  /** The unsaved values that a page shows. */
  of(page: Pick<PageContext, 'request' | 'user'>): Look | undefined
}

export function createPreviews(): Previews {
  const stored = new LRUCache<number, LRUCache<string, Look>>({ max: USERS })
  return {
    add(userId, look) {
      const key = randomBytes(16).toString('base64url')
      const ofUser = stored.get(userId) ?? new LRUCache({ max: ENTRIES, ttl: LIFETIME })
      stored.set(userId, ofUser.set(key, look))
      return key
    },
    of({ request, user }) {
      const key = user && request.query.get(PREVIEW_PARAMETER)
      // A preview that is viewed does not outlive newer ones.
      return user && key ? stored.get(user.id)?.peek(key) : undefined
    },
  }
}
