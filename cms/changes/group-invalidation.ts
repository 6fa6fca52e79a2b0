import type { Hooks } from '../../core/hooks/types.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import { RestResponse } from '../../core/rest/response.ts'

/** Caches support at least 32 groups per response (RFC 9875, 2.1). With more, everything is invalidated. */
const MOST_GROUPS = 32

/**
 * Adds `Cache-Group-Invalidation` (RFC 9875) to the responses of writes: the tags of the pages that the write made stale. A cache that
 * forwards a write removes these pages before it forwards the response. Pages have the same tags in `Cache-Groups`.
 */
export function sendGroupInvalidation(hooks: Hooks): void {
  const outdated = new WeakMap<object, Set<string>>()
  hooks.addFilter('purge_urls', (urls, { scope, tags }, isPreview, isExternal) => {
    const request = currentRequest()
    if (!request || isPreview || isExternal) return urls
    const groups = outdated.get(request) ?? new Set()
    for (const tag of scope === 'url' || scope === 'urls' ? tags : ['site']) groups.add(tag)
    outdated.set(request, groups)
    return urls
  })
  hooks.addFilter('rest_post_dispatch', (response) => {
    const request = currentRequest()
    const groups = request && outdated.get(request)
    if (!groups || groups.size === 0) return response
    const { body, status, headers } = response
    const value = formatGroups(groups.size > MOST_GROUPS || groups.has('site') ? ['site'] : [...groups])
    return new RestResponse(body, { status, headers: { ...headers, 'Cache-Group-Invalidation': value } })
  })
}

/** Tags as a list of strings (RFC 9651, 3.1); they contain only letters, digits, `-`, and `_`. */
function formatGroups(groups: readonly string[]): string {
  return groups.map((group) => `"${group}"`).join(', ')
}
