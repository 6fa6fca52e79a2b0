import { z } from 'zod'
import type { Auth } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { RestResponse } from '../../core/rest/response.ts'
import type { AccessRequest, Rest } from '../../core/rest/types.ts'
import { notFound } from './application-passwords.ts'
import type { ApplicationPassword } from './types.ts'

const COLLECTION = '/users/{user_id:\\d+|me}/application-passwords'
const ITEM = `${COLLECTION}/{uuid:[\\w-]+}`

const context = z
  .enum(['view', 'embed', 'edit'])
  .default('view')
  .describe('Scope under which the request is made; determines fields present in response.')
const name = z.string().min(1).regex(/\S/, 'must not be empty').describe('The name of the application password.')
const appId = z.union([z.uuid(), z.literal('')]).describe('A UUID provided by the application to uniquely identify it.')

const passwordShape = z
  .looseObject({
    ...{ uuid: z.string(), app_id: z.string(), name: z.string(), password: z.string().optional() },
    ...{ created: z.string().optional(), last_used: z.string().nullish(), last_ip: z.string().nullish() },
  })
  .meta({ id: 'ApplicationPasswords' })

/** `wp/v2/users/{id|me}/application-passwords`, WordPress's `WP_REST_Application_Passwords_Controller`. */
export function registerApplicationPasswordRoutes(rest: Rest, auth: Auth): void {
  const { applicationPasswords } = auth

  /** Id of the user whose passwords are requested. */
  function ownerId({ params, user }: AccessRequest): number {
    const { user_id: given = '' } = params
    if (given !== 'me') return Number(given)
    if (!user) throw new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
    return user.id
  }

  /** Requires permission to edit the user; other callers do not learn whether the user exists. */
  function may(capability: string, code: string, what: string) {
    return async (request: AccessRequest): Promise<boolean> => {
      const id = ownerId(request)
      if (await request.can(capability, id)) return true
      const message = `Sorry, you are not allowed to ${what}.`
      throw new RestError(code, message, { status: request.user ? 403 : 401 })
    }
  }

  async function existingOwner(request: AccessRequest): Promise<number> {
    const id = ownerId(request)
    if (id === request.user?.id || (await auth.users.get(id))) return id
    throw new RestError('rest_user_invalid_id', 'Invalid user ID.', { status: 404 })
  }

  async function find(request: AccessRequest): Promise<{ userId: number; found: ApplicationPassword }> {
    const userId = await existingOwner(request)
    const found = await applicationPasswords.get(userId, request.params.uuid ?? '')
    if (!found) throw notFound()
    return { userId, found }
  }

  const selfUrl = (userId: number, uuid: string) => rest.url(`/wp/v2/users/${userId}/application-passwords/${uuid}`)
  const withLinks = <Fields extends object>(userId: number, fields: Fields, uuid: string) => ({
    ...fields,
    _links: { self: [{ href: selfUrl(userId, uuid) }] },
  })
  const show = (userId: number, item: ApplicationPassword, view: 'view' | 'edit' | 'embed' = 'view') =>
    withLinks(userId, view === 'embed' ? identifying(item) : fieldsOf(item), item.uuid)

  rest.registerRoute('wp/v2', {
    method: 'GET',
    path: COLLECTION,
    summary: 'Lists the application passwords of a user.',
    response: z.array(passwordShape),
    access: may(
      'list_app_passwords',
      'rest_cannot_list_application_passwords',
      'list application passwords for this user',
    ),
    input: z.object({ context }),
    async handler(request) {
      const userId = await existingOwner(request)
      const items = await applicationPasswords.list(userId)
      return items.map((item) => show(userId, item, request.input.context))
    },
  })

  rest.registerRoute('wp/v2', {
    method: 'POST',
    path: COLLECTION,
    summary: 'Creates an application password. Only this response contains the password.',
    response: passwordShape,
    access: may(
      'create_app_password',
      'rest_cannot_create_application_passwords',
      'create application passwords for this user',
    ),
    input: z.object({ name, app_id: appId.optional() }),
    async handler(request) {
      await auth.requireConfirmation(request.identity)
      const userId = await existingOwner(request)
      const { password, ...item } = await applicationPasswords.create(userId, request.input.name, request.input.app_id)
      const body = withLinks(userId, { ...fieldsOf(item), password }, item.uuid)
      return new RestResponse(body, { status: 201, headers: { Location: selfUrl(userId, item.uuid) } })
    },
  })

  rest.registerRoute('wp/v2', {
    method: 'DELETE',
    path: COLLECTION,
    summary: 'Revokes all application passwords of a user.',
    response: z.object({ deleted: z.literal(true), count: z.int() }),
    access: may(
      'delete_app_passwords',
      'rest_cannot_delete_application_passwords',
      'delete application passwords for this user',
    ),
    async handler(request) {
      await auth.requireConfirmation(request.identity)
      return { deleted: true, count: await applicationPasswords.revoke(await existingOwner(request)) }
    },
  })

  rest.registerRoute('wp/v2', {
    method: 'GET',
    path: `${COLLECTION}/introspect`,
    summary: 'Returns the application password that authenticated this request.',
    response: passwordShape,
    access(request) {
      if (ownerId(request) === request.user?.id) return true
      const code = 'rest_cannot_introspect_app_password_for_non_authenticated_user'
      const message = 'The authenticated Application Password can only be introspected for the current user.'
      throw new RestError(code, message, { status: request.user ? 403 : 401 })
    },
    input: z.object({ context }),
    async handler(request) {
      const userId = ownerId(request)
      const uuid = request.identity.applicationPassword
      if (uuid === null) {
        const message = 'Cannot introspect Application Password.'
        throw new RestError('rest_no_authenticated_app_password', message, { status: 404 })
      }
      const item = await applicationPasswords.get(userId, uuid)
      if (!item) throw notFound()
      return show(userId, item, request.input.context)
    },
  })

  rest.registerRoute('wp/v2', {
    method: 'GET',
    path: ITEM,
    summary: 'Returns an application password.',
    response: passwordShape,
    access: may('read_app_password', 'rest_cannot_read_application_password', 'read this application password'),
    input: z.object({ context }),
    async handler(request) {
      const { userId, found } = await find(request)
      return show(userId, found, request.input.context)
    },
  })

  rest.registerRoute('wp/v2', {
    method: ['POST', 'PUT', 'PATCH'],
    path: ITEM,
    summary: 'Renames an application password.',
    response: passwordShape,
    access: may('edit_app_password', 'rest_cannot_edit_application_password', 'edit this application password'),
    input: z.object({ name: name.optional(), app_id: appId.optional() }),
    async handler(request) {
      await auth.requireConfirmation(request.identity)
      const { userId, found } = await find(request)
      const { name: newName } = request.input
      const renamed = newName === undefined ? found : await applicationPasswords.rename(userId, found.uuid, newName)
      return show(userId, renamed)
    },
  })

  rest.registerRoute('wp/v2', {
    method: 'DELETE',
    path: ITEM,
    summary: 'Revokes an application password.',
    response: z.object({ deleted: z.literal(true), previous: passwordShape }),
    access: may('delete_app_password', 'rest_cannot_delete_application_password', 'delete this application password'),
    async handler(request) {
      await auth.requireConfirmation(request.identity)
      const { userId, found } = await find(request)
      await applicationPasswords.revoke(userId, found.uuid)
      return { deleted: true, previous: fieldsOf(found) }
    },
  })
}

/** WordPress's names; its times are UTC without `Z`. */
function fieldsOf(item: ApplicationPassword) {
  return {
    ...identifying(item),
    created: item.created.replace('Z', ''),
    last_used: item.lastUsed?.replace('Z', '') ?? null,
    last_ip: item.lastAddress,
  }
}

function identifying({ uuid, appId: app_id, name }: ApplicationPassword) {
  return { uuid, app_id, name }
}
