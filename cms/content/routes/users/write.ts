import type { z } from 'zod'
import type { User } from '../../../../core/auth/types.ts'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import { PROFILE_PICTURE } from '../../profile-pictures.ts'
import { cleanComment, sanitizeTextField } from '../../sanitize.ts'
import { askedMeta, storeMeta, USER_META } from '../declared-meta.ts'
import { accessDenied, badRequest, invalidParameter, notFound } from '../errors.ts'
import { given } from '../given.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { deletedShape } from '../response-shapes.ts'
import { checkRoles } from './roles.ts'
import {
  type AskedDeletion,
  type AskedUser,
  createSchema,
  deleteMeSchema,
  deleteSchema,
  preparedSchema,
  updateMeSchema,
  updateSchema,
} from './write-parameters.ts'

const UPDATE = ['POST', 'PUT', 'PATCH'] as const
/** Posts processed per query when their author is deleted. */
const BATCH = 100

/** The write routes of users, WordPress's `WP_REST_Users_Controller`. */
export function registerUserWrites(
  parts: RouteParts,
  {
    prepare,
    response,
  }: {
    readonly prepare: (user: User, request: RestRequest) => Promise<unknown>
    readonly response: z.ZodType
  },
): void {
  const { rest, auth, content, hooks } = parts

  async function find({ params }: Pick<AccessRequest, 'params'>): Promise<User> {
    const user = await auth.users.get(Number(params.id))
    if (!user) throw notFound('rest_user_invalid_id', 'Invalid user ID.')
    return user
  }

  function me({ user }: Pick<AccessRequest, 'user'>): User {
    if (user) return user
    throw accessDenied(null, 'rest_not_logged_in', 'You are not currently logged in.')
  }

  async function mayDelete(user: User, request: AccessRequest): Promise<boolean> {
    if (await request.can('delete_user', user.id)) return true
    throw accessDenied(request.user, 'rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.')
  }

  const noEdit = (request: AccessRequest) =>
    accessDenied(request.user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this user.')

  /** Users who may only promote are admitted too: `update` checks that they change nothing else. */
  async function mayEdit(user: User, request: AccessRequest): Promise<boolean> {
    if ((await request.can('edit_user', user.id)) || (await request.can('promote_user', user.id))) return true
    throw noEdit(request)
  }

  /** Checks the site's list of illegal user names. */
  function checkLogin(login: string): void {
    const illegal = hooks.applyFilters('illegal_user_logins', [])
    if (!illegal.some((name) => name.toLowerCase() === login.toLowerCase())) return
    const message = 'Sorry, that username is not allowed.'
    throw invalidParameter('username', { code: 'rest_user_invalid_username', message, data: { status: 400 } })
  }

  async function preparedOf(asked: AskedUser, request: RestRequest): Promise<z.output<typeof preparedSchema>> {
    const prepared = given({
      ...{ login: asked.username, email: asked.email, password: asked.password, url: asked.url },
      ...{ displayName: line(asked.name), firstName: line(asked.first_name), lastName: line(asked.last_name) },
      description: asked.description === undefined ? undefined : cleanComment(asked.description),
      ...{ locale: asked.locale, slug: asked.slug, roles: asked.roles?.length ? asked.roles : undefined },
    })
    return preparedSchema.parse(await hooks.applyFiltersAsync('rest_pre_insert_user', prepared, request))
  }

  /** Roles that can change passwords of other users, so that assigning them requires confirmation. */
  function isAdministration(roles: readonly string[] = []): boolean {
    const known = auth.roles()
    return roles.some((role) => ['edit_users', 'promote_users'].some((cap) => known.get(role)?.capabilities.has(cap)))
  }

  /** Converts password errors to those of an invalid parameter, so that forms show them at the field. */
  async function written(write: () => Promise<User>): Promise<User> {
    try {
      return await write()
    } catch (error) {
      const isPassword = error instanceof RestError && error.code === 'rest_user_invalid_password'
      throw isPassword ? invalidParameter('password', error) : error
    }
  }

  async function finish(user: User, asked: AskedUser, request: RestRequest, creating: boolean): Promise<unknown> {
    const nickname = line(asked.nickname)
    if (nickname !== undefined) await content.meta.set('user', user.id, 'nickname', nickname)
    const { profile_picture: picture } = asked
    if (picture) await content.meta.set('user', user.id, PROFILE_PICTURE, picture)
    if (picture === 0) await content.meta.delete('user', user.id, PROFILE_PICTURE)
    await hooks.limited(AFTER_COMMIT).doActionAsync('rest_insert_user', user, request, creating)
    await storeMeta(content, USER_META, { id: user.id, values: askedMeta(content, USER_META, asked.meta), request })
    await hooks.limited(AFTER_COMMIT).doActionAsync('rest_after_insert_user', user, request, creating)
    return prepare(user, request)
  }

  async function update(user: User, asked: AskedUser, request: RestRequest): Promise<unknown> {
    if (asked.roles?.length) {
      if (!(await request.can('promote_user', user.id))) {
        const message = 'Sorry, you are not allowed to edit roles of this user.'
        throw accessDenied(request.user, 'rest_cannot_edit_roles', message)
      }
      await checkRoles(asked.roles, user.id, request, parts)
    }
    const isOnlyPromotion = asked.roles?.length && [...request.sent].every((name) => name === 'id' || name === 'roles')
    if (!isOnlyPromotion && !(await request.can('edit_user', user.id))) throw noEdit(request)
    const holder = asked.email === undefined ? undefined : await auth.users.getByEmail(asked.email)
    if (holder && holder.id !== user.id) throw badRequest('rest_user_invalid_email', 'Invalid email address.')
    if (asked.username !== undefined && asked.username !== user.login) {
      throw badRequest('rest_user_invalid_argument', "Username isn't editable.")
    }
    if (asked.slug && asked.slug !== user.slug && (await auth.users.getBySlug(asked.slug))) {
      throw badRequest('rest_user_invalid_slug', 'Invalid slug.')
    }
    const changesEmail = asked.email !== undefined && asked.email !== user.email
    const raises = isAdministration(asked.roles?.filter((role) => !user.roles.includes(role)))
    if (changesEmail || raises || asked.password !== undefined) await auth.requireConfirmation(request.identity)
    askedMeta(content, USER_META, asked.meta)
    const { login: _, ...changes } = await preparedOf({ ...asked, username: user.login }, request)
    const { session } = request.identity
    const keepSession = session?.userId === user.id ? session.id : undefined
    return finish(await written(() => auth.users.update(user.id, changes, { keepSession })), asked, request, false)
  }

  /** Everything that a user has written and that is not in the trash, and what type it is of. */
  async function writtenBy(authorId: number): Promise<Map<number, string>> {
    const types = [...content.postTypes().values()].filter((type) => type.supports.includes('author'))
    const query = {
      types: types.map(({ name }) => name).filter((name) => name !== 'revision'),
      statuses: ['publish', 'future', 'draft', 'pending', 'private', 'inherit', 'auto-draft'],
      authors: [authorId],
      orderBy: 'id',
      limit: BATCH,
    } as const
    const written = new Map<number, string>()
    for (let offset = 0; ; offset += BATCH) {
      const { items } = await content.posts.query({ ...query, offset })
      for (const { id, type } of items) written.set(id, type)
      if (items.length < BATCH) return written
    }
  }

  /** Posts and pages go to the trash, everything else goes for good: `wp_delete_user` without a new author. */
  async function deletePosts(authorId: number): Promise<void> {
    for (const [id, type] of await writtenBy(authorId)) {
      if (type === 'post' || type === 'page') await content.posts.update(id, { status: 'trash' })
      else await content.posts.delete(id)
    }
  }

  async function remove(user: User, { force, reassign: asked }: AskedDeletion, request: RestRequest): Promise<unknown> {
    if (!force) {
      const message = "Users do not support trashing. Set 'force=true' to delete."
      throw new RestError('rest_trash_not_supported', message, { status: 501 })
    }
    const reassign = typeof asked === 'number' && asked > 0 ? asked : null
    if (reassign !== null && (reassign === user.id || !(await auth.users.get(reassign)))) {
      throw badRequest('rest_user_invalid_reassign', 'Invalid user ID for reassignment.')
    }
    const response = { deleted: true, previous: await prepare(user, request) }
    await auth.users.delete(user.id, {
      reassign,
      handOver: () => (reassign === null ? deletePosts(user.id) : content.posts.reassign(user.id, reassign)),
    })
    await hooks.limited(AFTER_COMMIT).doActionAsync('rest_delete_user', user, response, request)
    return response
  }

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/users',
    summary: 'Creates a user.',
    async access(request) {
      if (await request.can('create_users')) return true
      throw accessDenied(request.user, 'rest_cannot_create_user', 'Sorry, you are not allowed to create new users.')
    },
    input: createSchema,
    response,
    async handler(request) {
      const asked = request.input
      if (asked.id) throw badRequest('rest_user_exists', 'Cannot create existing user.')
      checkLogin(asked.username)
      if (asked.roles?.length) {
        if (!(await request.can('promote_users'))) {
          const message = 'Sorry, you are not allowed to give users that role.'
          throw new RestError('rest_user_invalid_role', message, { status: 403 })
        }
        await checkRoles(asked.roles, 0, request, parts)
      }
      if (isAdministration(asked.roles)) await auth.requireConfirmation(request.identity)
      askedMeta(content, USER_META, asked.meta)
      const { login = asked.username, ...prepared } = await preparedOf(asked, request)
      const user = await written(() => auth.users.create({ login, ...prepared }))
      const headers = { Location: rest.url(`/${NAMESPACE}/users/${user.id}`) }
      return new RestResponse(await finish(user, asked, request, true), { status: 201, headers })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: UPDATE,
    path: '/users/{id:\\d+}',
    summary: "Updates a user. A new password or role ends the user's sessions.",
    access: async (request) => mayEdit(await find(request), request),
    input: updateSchema,
    response,
    handler: async (request) => update(await find(request), request.input, request),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/users/{id:\\d+}',
    summary: 'Deletes a user; `reassign` is the new owner of their content.',
    access: async (request) => mayDelete(await find(request), request),
    input: deleteSchema,
    response: deletedShape(response),
    handler: async (request) => remove(await find(request), request.input, request),
  })

  rest.registerRoute(NAMESPACE, {
    method: UPDATE,
    path: '/users/me',
    summary: 'Updates the current user.',
    access: (request) => mayEdit(me(request), request),
    input: updateMeSchema,
    response,
    handler: (request) => update(me(request), request.input, request),
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/users/me',
    summary: 'Deletes the current user.',
    access: (request) => mayDelete(me(request), request),
    input: deleteMeSchema,
    response: deletedShape(response),
    handler: (request) => remove(me(request), request.input, request),
  })
}

/** Clients take names for HTML, as WordPress's are. */
function line(name: string | undefined): string | undefined {
  return name === undefined ? undefined : sanitizeTextField(name)
}
