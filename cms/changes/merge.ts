import type { Purge, PurgeScope } from './types.ts'

/** Narrowest to widest. */
const SCOPES: readonly PurgeScope[] = ['url', 'urls', 'pages', 'cache', 'everything']
/** Maximum reasons in one line. */
const REASONS = 3

/** Whether a purge with this scope covers only the listed pages; otherwise it covers all pages. */
export function isOfPages(scope: PurgeScope): boolean {
  return scope === 'url' || scope === 'urls'
}

/** Merges two purges into one that covers both. */
export function mergePurges(one: Purge, other: Purge): Purge {
  return mergeAll([one, other])
}

/** Merges purges into one that covers all of them; it is soft only if all of them are. */
export function mergeAll(purges: readonly Purge[]): Purge {
  const widest = Math.max(...purges.map(({ scope }) => SCOPES.indexOf(scope)))
  const scope = SCOPES[widest] ?? 'pages'
  const reason = joinReasons(purges.map((purge) => purge.reason))
  const soft = purges.every((purge) => purge.soft)
  if (!isOfPages(scope)) return { scope, urls: [], tags: [], reason, soft }
  const urls = new Set(purges.flatMap((purge) => purge.urls))
  const tags = new Set(purges.flatMap((purge) => purge.tags))
  return { scope: purges.length > 1 ? 'urls' : scope, urls: [...urls], tags: [...tags], reason, soft }
}

/** `Post 7 was updated. A menu changed. (and 12 more)` */
export function joinReasons(reasons: Iterable<string>): string {
  const all = [...new Set(reasons)]
  const more = all.length > REASONS ? ` (and ${all.length - REASONS} more)` : ''
  return all.slice(0, REASONS).join(' ') + more
}
