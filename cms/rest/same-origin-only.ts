import { deprecate } from 'node:util'
import { RestError } from '../../core/errors.ts'
import type { Route } from '../../core/rest/types.ts'
import { isOwnForm } from '../http/request-form.ts'

/** Body limit in bytes, the same as for every public route. */
const BODY_LIMIT = 65_536

/**
 * Access to a public write route without a nonce, for cached pages: allows pages of this site, and programs, which have no
 * visitor to impersonate. A page of another site would use its visitors' browsers (CSRF). Excluded from batches, whose
 * requests set their own headers.
 *
 * @param siteUrl `host.site.url`
 *
 * @example
 * ```ts
 * import { defineExtension, sameOriginOnly, success } from 'pentad'
 *
 * let likes = 0
 *
 * export default defineExtension({
 *   id: 'likes',
 *   name: 'Likes',
 *   version: '1.0.0',
 *   setup({ rest, site }) {
 *     rest.registerRoute('likes/v1', {
 *       method: 'POST',
 *       path: '/likes',
 *       ...sameOriginOnly(site.url),
 *       handler: () => success({ likes: ++likes }),
 *     })
 *   },
 * })
 * ```
 */
export function sameOriginOnly(siteUrl: string): Pick<Route, 'access' | 'batch' | 'bodyLimit'> {
  return {
    access(request) {
      if (isOwnForm(request, siteUrl)) return true
      throw new RestError('invalid_origin', 'This request is allowed only from pages on this site.', { status: 403 })
    },
    batch: false,
    bodyLimit: BODY_LIMIT,
  }
}

/** @deprecated Since 0.2.0: `sameOriginOnly`. */
export const fromOwnPages = deprecate(
  sameOriginOnly,
  'fromOwnPages was renamed to sameOriginOnly.',
  'PENTAD_FROM_OWN_PAGES',
)
