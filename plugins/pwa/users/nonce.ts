import { type ExtensionHost, pageNonce, success, successAnswer } from 'pentad'
import { z } from 'zod'

/** `GET /pwa/v1/nonce`: scripts on cached pages ask who they act for. */
export function registerNonceRoute({ auth, rest }: Pick<ExtensionHost, 'auth' | 'rest'>): void {
  rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/nonce',
    access: 'public',
    summary: 'A fresh nonce for scripts on cached pages.',
    answer: successAnswer(z.object({ nonce: z.string() })),
    handler: async (request) => success({ nonce: await pageNonce(auth, request) }),
  })
}
