import { hasCookie } from './page/request.ts'
import type { PageContext } from './types.ts'

/**
 * Whether a cache in front of the site may keep an answer for everybody: a page that is there, the same for all
 * visitors, and named by its content, so that it can be purged by itself. For callbacks of `wp_headers` that come last
 * and tell such a cache how long.
 *
 * @param headers of the answer, with the `Surrogate-Key` that the performance service adds: `site post-7`
 * @example
 * ```ts
 * import { defineExtension, isSharedPage } from 'pentad'
 *
 * export default defineExtension({
 *   id: 'own-cache',
 *   name: 'Own cache',
 *   version: '1.0.0',
 *   setup({ hooks }) {
 *     const forCaches = { 'CDN-Cache-Control': 'max-age=3600' }
 *     hooks.addFilter('wp_headers', (headers, page) => ({ ...headers, ...(isSharedPage(headers, page) && forCaches) }), 1000)
 *   },
 * })
 * ```
 */
export function isSharedPage(headers: Readonly<Record<string, string>>, page: PageContext): boolean {
  const { user, status, request } = page
  const isPublic = user === null && !hasCookie(request) && /\bpublic\b/.test(headers['Cache-Control'] ?? '')
  // Every page has `site`; one that has nothing else could go with all others only.
  return isPublic && status === 200 && headers['Surrogate-Key']?.includes(' ') === true
}
