import type { AsyncActions } from 'pentad'

/** Parameter of `speed_purged`. */
export type Purge = AsyncActions['speed_purged'][0]

const SCOPES: readonly Purge['scope'][] = ['url', 'urls', 'pages', 'cache', 'everything']
/** Maximum queued URLs and tags. More of them purge all pages. */
const MOST_WAITING = 2000

/** Merges two purges into one. */
export function mergePurges(one: Purge, other: Purge): Purge {
  const wider = SCOPES.indexOf(one.scope) > SCOPES.indexOf(other.scope) ? one : other
  const urls = [...new Set([...one.urls, ...other.urls])]
  const tags = [...new Set([...one.tags, ...other.tags])]
  if (SCOPES.indexOf(wider.scope) > 1) return { ...wider, urls: [], tags: [] }
  if (urls.length + tags.length > MOST_WAITING) return { ...other, scope: 'pages', urls: [], tags: [] }
  return { scope: 'urls', urls, tags, reason: other.reason }
}
