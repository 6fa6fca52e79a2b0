import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { PasswordLinks } from './password-links.ts'

/** The route with which users who can edit an account send a link to set its password. */
export function registerPasswordLinkRoute(
  rest: Rest,
  { users, securityLog }: Pick<Auth, 'users' | 'securityLog'>,
  links: Pick<PasswordLinks, 'send'>,
): void {
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/users/{user_id:\\d+}/password-link',
    summary: 'Emails a user a link to set a password.',
    access: ({ can, params }) => can('edit_user', Number(params.user_id)),
    input: z.object({
      occasion: z
        .enum(['reset', 'invitation'])
        .default('reset')
        .describe('Whether the email is about a forgotten password or about a new account.'),
    }),
    response: successSchema(
      z.object({
        email: z.string(),
        storedAsFile: z
          .boolean()
          .describe("Whether the email was stored in the site's mail folder, because no SMTP server is configured."),
      }),
    ),
    async handler({ params, input }) {
      const user = await users.get(Number(params.user_id))
      if (!user) throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
      const sent = await links.send(user, input.occasion)
      await securityLog.record('password_link_sent', { user, detail: { occasion: input.occasion } })
      return success({ email: user.email, storedAsFile: sent.file !== undefined })
    },
  })
}
