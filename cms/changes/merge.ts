import type { Purge, PurgeScope } from './types.ts'

/** Narrowest to widest. */
const SCOPES: readonly PurgeScope[] = ['url', 'urls', 'pages', 'cache', 'everything']
/** Maximum reasons in one line. */
const REASONS = 3

/** Merges two purges into one that covers both. */
export function mergePurges(one: Purge, other: Purge): Purge {
  const wider = SCOPES.indexOf(one.scope) < SCOPES.indexOf(other.scope) ? other.scope : one.scope
  const reason = joinReasons([one.reason, other.reason])
  if (wider !== 'url' && wider !== 'urls') return { scope: wider, urls: [], tags: [], reason }
  return {
    scope: wider,
    urls: [...new Set([...one.urls, ...other.urls])],
    tags: [...new Set([...one.tags, ...other.tags])],
    reason,
  }
}

/** `Post 7 was updated. A menu changed. (and 12 more)` */
export function joinReasons(reasons: Iterable<string>): string {
  const all = [...new Set(reasons)]
  const more = all.length > REASONS ? ` (and ${all.length - REASONS} more)` : ''
  return all.slice(0, REASONS).join(' ') + more
}
