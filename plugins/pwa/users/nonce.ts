import { type ExtensionHost, pageNonce, success, successSchema } from 'pentad'
import { z } from 'zod'

/** `GET /pwa/v1/nonce`: a nonce of the current user for scripts on cached pages. */
export function registerNonceRoute({ auth, rest }: Pick<ExtensionHost, 'auth' | 'rest'>): void {
  rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/nonce',
    access: 'public',
    summary: 'Returns a nonce for scripts on cached pages.',
    response: successSchema(z.object({ nonce: z.string() })),
    handler: async (request) => success({ nonce: await pageNonce(auth, request) }),
  })
}
