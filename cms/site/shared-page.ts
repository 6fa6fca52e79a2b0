import { hasCookie } from './page/request.ts'
import type { PageContext } from './types.ts'

/**
 * Whether a shared cache (CDN, reverse proxy) may cache a response: an existing page that is the same for all visitors and
 * has cache tags of its own. For late callbacks of `wp_headers` that set the lifetime in such caches.
 *
 * @param headers headers of the response, including the `Surrogate-Key` of the performance service: `site post-7`
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
  // Every page has the tag `site`; without another tag it could only be purged together with all pages.
  return isPublic && status === 200 && headers['Surrogate-Key']?.includes(' ') === true
}
