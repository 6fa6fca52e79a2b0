import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { PasswordLinks } from './password-links.ts'
import type { SecurityEvent } from './types.ts'

/** Events after which a user needs no invitation. */
const STARTED: readonly SecurityEvent[] = ['sign_in', 'password_reset', 'password_changed']

/** The routes with which users who can edit an account send a link to set its password. */
export function registerPasswordLinkRoute(
  rest: Rest,
  { users, securityLog }: Pick<Auth, 'users' | 'securityLog'>,
  links: Pick<PasswordLinks, 'send'>,
): void {
  /** The log retains the newest entries: one that contains the creation of the account contains all that followed. */
  async function needsInvitation(userId: number): Promise<boolean> {
    const { items } = await securityLog.query({ userId, events: ['user_created', ...STARTED], limit: 1000, offset: 0 })
    const events = items.filter(({ user }) => user?.id === userId).map(({ event }) => event)
    return events.length > 0 && events.every((event) => event === 'user_created')
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/users/{user_id:\\d+}/password-link',
    summary: 'Returns whether a user has yet to log in or set a password for the first time.',
    access: ({ can, params }) => can('edit_user', Number(params.user_id)),
    response: successSchema(z.object({ needsInvitation: z.boolean() })),
    async handler({ params }) {
      return success({ needsInvitation: await needsInvitation(Number(params.user_id)) })
    },
  })
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
