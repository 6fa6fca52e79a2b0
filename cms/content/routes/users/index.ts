import { z } from 'zod'
import type { User, UserQuery } from '../../../../core/auth/types.ts'
import { RestError } from '../../../../core/errors.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { accessDenied, invalidParameter, notFound } from '../errors.ts'
import { type Context, readFields, wantedFields } from '../fields.ts'
import { link } from '../links.ts'
import { listResponse } from '../lists.ts'
import { contextSchema, LIST, orderSchema, pathId, slugList, startOf } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { itemShape } from '../response-shapes.ts'
import { lookAroundUsers, userFields } from './fields.ts'
import { registerUserWrites } from './write.ts'

const ORDERS = ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'] as const

const listSchema = z.object({
  ...LIST,
  order: orderSchema('asc'),
  orderby: z.enum(ORDERS).default('name').describe('Sort collection by user attribute.'),
  slug: slugList.optional(),
  roles: z.array(z.string()).optional().describe('Limit result set to users matching at least one specific role.'),
  capabilities: z
    .array(z.string())
    .optional()
    .describe('Limit result set to users matching at least one specific capability.'),
  who: z.enum(['authors']).optional().describe('Limit result set to users who are considered authors.'),
  has_published_posts: z
    .union([z.boolean(), z.array(z.string())])
    .optional()
    .describe('Limit result set to users who have published posts.'),
})

type Asked = z.output<typeof listSchema>

const itemSchema = z.object({ id: pathId, context: contextSchema })
const meSchema = z.object({ context: contextSchema })

/** The routes of users. Visitors see only authors of published posts, and only public fields. */
export function registerUserRoutes(parts: RouteParts): void {
  const { rest, auth, content, hooks } = parts
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const fields = userFields(parts)
  const response = itemShape('Users', fields)

  async function prepare(users: readonly User[], request: RestRequest, context: Context): Promise<unknown[]> {
    const wants = wantedFields(request.query)
    const around = await lookAroundUsers(content, users, { context, wants })
    return Promise.all(
      users.map(async (user) => {
        const data = await readFields(fields, user, around, { context, wants })
        if (wants('_links')) data._links = { self: link(url(`/users/${user.id}`)), collection: link(url('/users')) }
        return hooks.hasFilter('rest_prepare_user')
          ? hooks.applyFiltersAsync('rest_prepare_user', data, user, request)
          : data
      }),
    )
  }

  async function prepareOne(user: User, request: RestRequest, context: Context): Promise<unknown> {
    const [response] = await prepare([user], request, context)
    return response
  }

  /** Post types that make their authors public. */
  const publicTypes = () =>
    [...content.postTypes().values()]
      .filter(({ restBase, capabilities }) => restBase !== null && capabilities.read === 'read')
      .map(({ name }) => name)

  async function hasPublished(id: number): Promise<boolean> {
    const query: UserQuery = { include: [id], hasPublishedPosts: publicTypes(), limit: 1 }
    return (await auth.users.query(query)).total > 0
  }

  /** WordPress's `get_items_permissions_check`. */
  async function checkList(request: RestRequest, asked: Asked, listsUsers: boolean): Promise<void> {
    const refuse = (code: string, message: string) => accessDenied(request.user, code, message)
    if (asked.who === 'authors' && !(await editsSomething(request))) {
      throw refuse('rest_forbidden_who', 'Sorry, you are not allowed to query users by this parameter.')
    }
    if (listsUsers) return
    if (asked.roles?.length)
      throw refuse('rest_user_cannot_view', 'Sorry, you are not allowed to filter users by role.')
    if (asked.capabilities?.length) {
      throw refuse('rest_user_cannot_view', 'Sorry, you are not allowed to filter users by capability.')
    }
    if (asked.context === 'edit') throw refuse('rest_forbidden_context', 'Sorry, you are not allowed to list users.')
    if (asked.orderby === 'email' || asked.orderby === 'registered_date') {
      throw refuse('rest_forbidden_orderby', 'Sorry, you are not allowed to order users by this parameter.')
    }
  }

  async function editsSomething(request: RestRequest): Promise<boolean> {
    for (const { capabilities, supports } of content.postTypes().values()) {
      if (supports.includes('author') && (await request.can(capabilities.edit_posts))) return true
    }
    return false
  }

  /** Names of roles with one of the capabilities, restricted to `roles` if given. */
  function rolesOf({ roles, capabilities, who }: Asked): string[] | undefined {
    const named = (wanted: readonly string[]) =>
      [...auth.roles()].filter(([, role]) => wanted.some((one) => role.capabilities.has(one))).map(([name]) => name)
    const sets = [
      ...(roles?.length ? [[...auth.roles().keys()].filter((name) => roles.includes(name))] : []),
      ...(capabilities?.length ? [named(capabilities)] : []),
      ...(who === 'authors' ? [named(['edit_posts'])] : []),
    ]
    if (sets.length === 0) return undefined
    return sets.reduce<string[]>((kept, set) => kept.filter((name) => set.includes(name)), [...(sets[0] ?? [])])
  }

  function published(asked: Asked, listsUsers: boolean): string[] | undefined {
    const types = publicTypes()
    const { has_published_posts: wanted } = asked
    const names = [...content.postTypes().keys()]
    const unknown = Array.isArray(wanted) ? wanted.findIndex((name) => !names.includes(name)) : -1
    if (unknown >= 0) {
      const parameter = 'has_published_posts'
      const message = `${parameter}[${unknown}] is not one of ${names.join(', ')}.`
      throw invalidParameter(parameter, { code: 'rest_not_in_enum', message, data: null })
    }
    const some = Array.isArray(wanted) ? types.filter((name) => wanted.includes(name)) : types
    return listsUsers && (wanted === undefined || wanted === false) ? undefined : some
  }

  async function find(asked: Asked, listsUsers: boolean): Promise<{ items: User[]; total: number }> {
    const roles = rolesOf(asked)
    const hasPublishedPosts = published(asked, listsUsers)
    if (roles?.length === 0 || hasPublishedPosts?.length === 0) return { items: [], total: 0 }
    const query: UserQuery = {
      // For the repository, an empty list matches no user.
      include: asked.include.length > 0 ? asked.include : undefined,
      exclude: asked.exclude,
      slugs: asked.slug,
      roles,
      search: asked.search,
      searchColumns: listsUsers ? undefined : ['slug', 'displayName'],
      hasPublishedPosts,
      order: asked.order,
    }
    const { limit, offset } = startOf(asked)
    if (asked.orderby !== 'include_slugs') {
      const orderBy = asked.orderby === 'registered_date' ? 'registered' : asked.orderby
      return auth.users.query({ ...query, orderBy, limit, offset })
    }
    const slugs = asked.slug ?? []
    const { items, total } = await auth.users.query({ ...query, orderBy: 'slug', limit: slugs.length })
    const ordered = items.toSorted((one, other) => slugs.indexOf(one.slug) - slugs.indexOf(other.slug))
    return { items: ordered.slice(offset, offset + limit), total }
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/users',
    access: 'public',
    summary: 'Lists users.',
    input: listSchema,
    response: z.array(response),
    async handler(request) {
      const asked = request.input
      const listsUsers = await request.can('list_users')
      await checkList(request, asked, listsUsers)
      const { items, total } = await find(asked, listsUsers)
      const responses = await prepare(items, request, asked.context)
      return listResponse(request, {
        url: url('/users'),
        items: responses,
        total,
        page: asked.page,
        perPage: asked.per_page,
      })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/users/me',
    access: 'public',
    summary: 'Returns the current user.',
    input: meSchema,
    response,
    async handler(request) {
      if (!request.user) {
        throw new RestError('rest_not_logged_in', 'You are not currently logged in.', { status: 401 })
      }
      return prepareOne(request.user, request, request.input.context)
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/users/{id:\\d+}',
    access: 'public',
    summary: 'Returns a user.',
    input: itemSchema,
    response,
    async handler(request) {
      const { context } = request.input
      const id = Number(request.params.id)
      const user = await auth.users.get(id)
      if (!user) throw notFound('rest_user_invalid_id', 'Invalid user ID.')
      if (request.user?.id !== id) {
        if (context === 'edit' && !(await request.can('edit_user', id))) {
          throw accessDenied(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this user.')
        }
        // As observed in WordPress: users who can edit posts may see other users.
        const isKnown = (await request.can('list_users')) || (await editsSomething(request)) || (await hasPublished(id))
        if (!isKnown) {
          throw accessDenied(request.user, 'rest_user_cannot_view', 'Sorry, you are not allowed to list users.')
        }
      }
      return prepareOne(user, request, context)
    },
  })

  registerUserWrites(parts, { prepare: (user, request) => prepareOne(user, request, 'edit'), response })
}
