import { type ExtensionHost, success } from 'pentad'

/**
 * `GET /pwa/v1/nonce`: scripts on cached pages ask who they act for. A visitor's nonce is bound to user 0 and good for
 * nothing that needs a capability. A request that another site made a browser send gets no more than a visitor's.
 */
export function registerNonceRoute({ auth, rest }: Pick<ExtensionHost, 'auth' | 'rest'>): void {
  rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/nonce',
    access: 'public',
    summary: 'A fresh nonce for scripts on cached pages.',
    async handler({ headers, clientAddress }) {
      const site = headers['sec-fetch-site']
      const isOwn = site === undefined || site === 'same-origin'
      const identity = isOwn
        ? await auth.identifyPage({ cookie: headers.cookie, address: clientAddress })
        : { user: null, session: null }
      return success({ nonce: auth.createNonce('wp_rest', identity) })
    },
  })
}
