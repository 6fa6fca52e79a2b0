import { type ExtensionHost, pageNonce, success, successSchema } from 'pentad'
import { z } from 'zod'
import { type FormAge, MINIMUM_TIME } from './form-age.ts'

/**
 * `GET /ai/v1/helpdesk-agent/nonce`: data that a cached page cannot contain: the nonce of the visitor, and the time
 * when the form was opened.
 */
export function registerNonce(
  { auth, rest }: Pick<ExtensionHost, 'auth' | 'rest'>,
  { formAge }: { formAge: FormAge },
): void {
  rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/helpdesk-agent/nonce',
    access: 'public',
    response: successSchema(
      z.object({
        nonce: z.string(),
        formToken: z.string(),
        minimumTime: z.number().describe('Time after which a form may be submitted, in ms.'),
      }),
    ),
    summary: 'Returns a fresh nonce for the helpdesk on cached pages.',
    async handler(request) {
      const nonce = await pageNonce(auth, request)
      return success({ nonce, formToken: formAge.issue(), minimumTime: MINIMUM_TIME })
    },
  })
}
