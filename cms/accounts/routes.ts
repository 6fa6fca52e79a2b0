import { z } from 'zod'
import type { Auth, Session, User } from '../../core/auth/types.ts'
import { PASSWORD_LENGTH } from '../../core/auth/user-fields.ts'
import { RestError } from '../../core/errors.ts'
import { success } from '../../core/rest/response.ts'
import { successSchema } from '../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest } from '../../core/rest/types.ts'
import { registerApplicationPasswordRoutes } from './application-password-routes.ts'
import { registerSecurityLogRoute } from './security-log-routes.ts'

/** Sessions, roles, confirmations and the security log (`host/v1`) and application passwords (`wp/v2`). */
export function registerAccountRoutes(rest: Rest, auth: Auth): void {
  registerSessionRoutes(rest, auth)
  registerSessionsOfUsers(rest, auth)
  registerRoleRoute(rest, auth)
  registerConfirmationRoute(rest, auth)
  registerSecurityLogRoute(rest, auth)
  registerApplicationPasswordRoutes(rest, auth)
}

const roleShape = z.object({ role: z.string(), name: z.string(), capabilities: z.array(z.string()) })
const sessionShape = z.object({
  ...{ id: z.string(), created: z.string(), expires: z.string(), address: z.string(), userAgent: z.string() },
  current: z.boolean(),
})
const endedShape = z.object({ ended: z.int() })

function registerRoleRoute(rest: Rest, auth: Auth): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/roles',
    summary: 'Lists roles with their capabilities.',
    response: successSchema(z.object({ items: z.array(roleShape) })),
    access: async ({ can }) => (await can('list_users')) || (await can('promote_users')),
    handler: () =>
      success({
        items: [...auth.roles()].map(([role, { name, capabilities }]) => ({
          ...{ role, name, capabilities: [...capabilities].filter((one) => !one.startsWith('level_')) },
        })),
      }),
  })
}

function registerConfirmationRoute(rest: Rest, auth: Auth): void {
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/confirm-password',
    summary: "Confirms the user's password for the current session. Sensitive changes require this.",
    response: successSchema(z.object({ expires: z.string() })),
    access: ({ user }) => user !== null,
    input: z.object({
      password: z.string().min(1).max(PASSWORD_LENGTH).describe('The current password of the account.'),
    }),
    batch: false,
    async handler({ identity, input, clientAddress }) {
      return success(await auth.confirmPassword(identity, input.password, clientAddress))
    },
  })
}

const show = ({ id, created, expires, address, userAgent }: Session, current: string | undefined) => ({
  id,
  created,
  expires,
  address,
  userAgent,
  current: id === current,
})

/** Of users that the caller may edit; other callers do not learn whether there is such a user. */
function registerSessionsOfUsers(rest: Rest, { sessions, users, securityLog }: Auth): void {
  const path = '/users/{user_id:\\d+}/sessions'
  const note = async (id: number, ended: number) =>
    ended > 0 && securityLog.record('sessions_ended', { user: (await users.get(id)) ?? null, detail: { count: ended } })
  async function access({ can, params }: AccessRequest): Promise<boolean> {
    const id = Number(params.user_id)
    if (!(await can('edit_user', id))) return false
    if (await users.get(id)) return true
    throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
  }

  rest.registerRoute('host/v1', {
    method: 'GET',
    path,
    summary: "Lists a user's sessions.",
    response: successSchema(z.object({ items: z.array(sessionShape) })),
    access,
    async handler({ params, identity }) {
      const open = await sessions.list(Number(params.user_id))
      return success({ items: open.map((session) => show(session, identity.session?.id)) })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path,
    summary: "Ends all of a user's sessions except the current one.",
    response: successSchema(endedShape),
    access,
    async handler({ params, identity }) {
      const id = Number(params.user_id)
      const own = identity.session?.userId === id ? identity.session : null
      const ended = await (own ? sessions.endOthers(id, own.id) : sessions.end(id))
      await note(id, ended)
      return success({ ended })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: `${path}/{id:[\\w-]+}`,
    summary: "Ends one of a user's sessions.",
    response: successSchema(endedShape),
    access,
    async handler({ params }) {
      const id = Number(params.user_id)
      const ended = await sessions.end(id, params.id ?? '')
      await note(id, ended)
      if (ended > 0) return success({ ended })
      throw new RestError('session_not_found', 'The user has no session with that ID.', { status: 404 })
    },
  })
}

function registerSessionRoutes(rest: Rest, { sessions, securityLog }: Auth): void {
  const access = ({ user }: AccessRequest) => user !== null
  const note = async (user: User | null, ended: number) =>
    ended > 0 && securityLog.record('sessions_ended', { user, detail: { count: ended } })

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/sessions',
    summary: "Lists the current user's sessions.",
    response: successSchema(z.object({ items: z.array(sessionShape) })),
    access,
    async handler({ user, identity }) {
      const open = user ? await sessions.list(user.id) : []
      return success({ items: open.map((session) => show(session, identity.session?.id)) })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/sessions/{id:[\\w-]+}',
    summary: "Ends one of the current user's sessions.",
    response: successSchema(endedShape),
    access,
    async handler({ user, params }) {
      const ended = user ? await sessions.end(user.id, params.id ?? '') : 0
      await note(user, ended)
      if (ended > 0) return success({ ended })
      throw new RestError('session_not_found', 'You have no session with that ID.', { status: 404 })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: '/sessions',
    summary: 'Ends all other sessions of the current user.',
    response: successSchema(endedShape),
    access,
    async handler({ user, identity }) {
      if (!user) return success({ ended: 0 })
      const { session } = identity
      const ended = session ? await sessions.endOthers(user.id, session.id) : await sessions.end(user.id)
      await note(user, ended)
      return success({ ended })
    },
  })
}
