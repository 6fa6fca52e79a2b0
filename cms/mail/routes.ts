import { z } from 'zod'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import type { HostMail } from './types.ts'

/** `POST host/v1/mail/test`: sends a test email with the stored settings, and reports what the server said. */
export function registerMailRoute(rest: Rest, mail: Pick<HostMail, 'test'>): void {
  const limit = createRateLimit({ points: 5, seconds: 60, message: 'Too many test emails. Try again in a minute.' })

  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/mail/test',
    access: 'manage_options',
    summary: "Sends a test email and returns the SMTP server's response.",
    input: z.object({ to: z.email().max(100).describe('Recipient.') }),
    response: successSchema(
      z.object({
        to: z.string(),
        storedAsFile: z
          .boolean()
          .describe('Whether the email was only stored as a file, because no SMTP server is configured.'),
        response: z.string().describe('What the server responded; empty if there is none.'),
      }),
    ),
    async handler({ input: { to }, clientAddress }) {
      await limit.consume(clientAddress)
      const { file, response = '' } = await mail.test(to)
      return success({ to, storedAsFile: file !== undefined, response })
    },
  })
}
