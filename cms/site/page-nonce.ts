import type { Auth } from '../../core/auth/types.ts'
import type { RestRequest } from '../../core/rest/types.ts'

/**
 * Creates the nonce that scripts of cached pages request from a public route: for the user logged in by the request's cookie, or else for
 * user 0, who has no capabilities. For a cross-site request, it is that of an anonymous visitor.
 *
 * @example
 * ```ts
 * import { defineExtension, pageNonce, success } from 'pentad'
 *
 * export default defineExtension({
 *   id: 'guest-book',
 *   name: 'Guest book',
 *   version: '1.0.0',
 *   setup({ auth, rest }) {
 *     rest.registerRoute('guest-book/v1', {
 *       method: 'GET',
 *       path: '/nonce',
 *       access: 'public',
 *       handler: async (request) => success({ nonce: await pageNonce(auth, request) }),
 *     })
 *   },
 * })
 * ```
 */
export async function pageNonce(
  auth: Pick<Auth, 'createNonce' | 'identifyPage'>,
  { headers, clientAddress }: Pick<RestRequest, 'headers' | 'clientAddress'>,
): Promise<string> {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin'
  const identity = isOwn
    ? await auth.identifyPage({ cookie: headers.cookie, address: clientAddress })
    : { user: null, session: null }
  return auth.createNonce('wp_rest', identity)
}
