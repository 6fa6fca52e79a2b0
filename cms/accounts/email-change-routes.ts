import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest } from '../../core/rest/types.ts'
import type { EmailChanges } from './email-change.ts'

/** `host/v1/email-change`: changes the current user's email address once the new one confirms it. */
export function registerEmailChangeRoutes(
  rest: Rest,
  auth: Pick<Auth, 'requireConfirmation'>,
  changes: EmailChanges,
): void {
  const common = {
    path: '/email-change',
    access: ({ user }: AccessRequest) => user !== null,
    response: successSchema(
      z.object({ pending: z.string().nullable().describe('The address that is not confirmed.') }),
    ),
  }
  rest.registerRoute('host/v1', {
    ...common,
    method: 'GET',
    summary: "Returns the current user's pending email address, which is not confirmed yet.",
    handler: async ({ user }) => success({ pending: (user && (await changes.pending(user))) ?? null }),
  })
  rest.registerRoute('host/v1', {
    ...common,
    method: 'POST',
    summary: 'Sends a confirmation link to the new email address.',
    input: z.object({ email: z.email().max(100) }),
    async handler({ user, identity, input: { email } }) {
      await auth.requireConfirmation(identity)
      if (!user) throw new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
      await changes.request(user, email)
      return success({ pending: email })
    },
  })
  rest.registerRoute('host/v1', {
    ...common,
    method: 'DELETE',
    summary: 'Cancels the pending email address change.',
    async handler({ user }) {
      if (user) await changes.cancel(user)
      return success({ pending: null })
    },
  })
}
