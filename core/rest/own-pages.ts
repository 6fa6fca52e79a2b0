import { RestError } from '../errors.ts'
import { isOwnForm } from '../http/request-form.ts'
import type { Route } from './types.ts'

/** Bytes of a body, as every route for whoever comes has it (contract 1). */
const BODY_LIMIT = 65_536

/**
 * Who may call a route that does something for whoever comes, and needs no nonce, as cached pages have none: pages of
 * this site, and programs, which have no visitor to harm. Another site's page would do it with its visitors' browsers. In
 * a batch a request could say of itself what it likes, so it is not taken from one.
 *
 * @param siteUrl `host.site.url`
 *
 * @example
 * ```ts
 * import { defineExtension, fromOwnPages, success } from 'pentad'
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
 *       ...fromOwnPages(site.url),
 *       handler: () => success({ likes: ++likes }),
 *     })
 *   },
 * })
 * ```
 */
export function fromOwnPages(siteUrl: string): Pick<Route, 'access' | 'batch' | 'bodyLimit'> {
  return {
    access(request) {
      if (isOwnForm(request, siteUrl)) return true
      throw new RestError('invalid_origin', 'This request is only allowed from pages of this site.', { status: 403 })
    },
    batch: false,
    bodyLimit: BODY_LIMIT,
  }
}
