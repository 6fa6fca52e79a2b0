import { z } from 'zod'
import type { User } from '../../../../core/auth/types.ts'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import type { Undo } from '../../../../core/hooks/types.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import { askedPostShape } from '../../posts/post-shape.ts'
import type { NewPost, Post } from '../../types.ts'
import { accessDenied, badRequest, notFound } from '../errors.ts'
import { given } from '../given.ts'
import { toGmt } from '../parameters.ts'
import { NAMESPACE, type RouteParts, type WriteParts } from '../parts.ts'
import { deletedShape } from '../response-shapes.ts'
import './hooks.ts'
import { one } from '../nouns.ts'
import { checkAuthorAndSticky, preparePost } from './prepare.ts'
import { createSchema, deleteSchema, updateSchema } from './write-parameters.ts'

/** Creates the response for one post in the context `edit`. */
type Show = (post: Post, request: RestRequest) => Promise<unknown>

/** The write routes of one post type: create, update, trash and delete. Returns a function that removes them. */
export function registerPostWriteRoutes(
  parts: RouteParts & WriteParts,
  { show, response }: { readonly show: Show; readonly response: z.ZodType },
): Undo {
  const { rest, content, hooks, postPreviews, type, taxonomies } = parts
  const path = `/${type.restBase}`
  const filterName: `rest_pre_insert_${string}` = `rest_pre_insert_${type.name}`
  const undeclare = hooks.declareFilters({ [filterName]: askedPostShape })

  async function postOf({ params }: AccessRequest): Promise<Post> {
    const post = await content.posts.get(Number(params.id))
    if (post?.type !== type.name) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
    return post
  }

  async function mayUpdate(request: AccessRequest): Promise<boolean> {
    const { id } = await postOf(request)
    if (await request.can('edit_post', id)) return true
    // Fails if the post was deleted in the meantime.
    await postOf(request)
    return false
  }
  const cannotEdit = (user: User | null) =>
    accessDenied(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')

  async function changesOf(
    request: RestRequest,
    before: Post | undefined,
    options?: { readonly isPreview: boolean },
  ): Promise<NewPost> {
    const changes = await preparePost(request, parts, before, options)
    const filtered = hooks.hasFilter(filterName) ? await hooks.applyFiltersAsync(filterName, changes, request) : changes
    return { ...filtered, type: type.name }
  }

  async function store(request: RestRequest, before: Post | undefined): Promise<Post> {
    const wanted = await changesOf(request, before)
    await rejectEmpty(wanted, before)
    const post = before
      ? await content.posts.update(before.id, { ...wanted, unchangedSince: versionSeen(request) })
      : await content.posts.insert(wanted)
    const { doActionAsync } = hooks.limited(AFTER_COMMIT)
    await doActionAsync(`rest_insert_${type.name}`, post, request, before === undefined)
    await doActionAsync(`rest_after_insert_${type.name}`, post, request, before === undefined)
    return post
  }

  /** @throws RestError `empty_content`, as WordPress's `wp_insert_post` */
  async function rejectEmpty(post: NewPost, before: Post | undefined): Promise<void> {
    const texts = ['title', 'content', 'excerpt'] as const
    const hasAll = ['title', 'editor', 'excerpt'].every((feature) => type.supports.includes(feature))
    const whole = { ...before, ...given(post) }
    const isEmpty = hasAll && texts.every((field) => (whole[field] ?? '') === '')
    if (await hooks.applyFiltersAsync('wp_insert_post_empty_content', isEmpty, whole))
      throw badRequest('empty_content', 'Content, title, and excerpt are empty.')
  }

  const create = rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path,
    access: type.capabilities.create_posts,
    accessError: (user) =>
      accessDenied(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.'),
    explainDenial: (request) => checkAuthorAndSticky(request, parts),
    summary: `Creates ${one(type)}.`,
    input: createSchema(type, taxonomies),
    response,
    async handler(request) {
      if (request.input.id) throw badRequest('rest_post_exists', 'Cannot create existing post.')
      const post = await store(request, undefined)
      const location = rest.url(`/${NAMESPACE}${path}/${post.id}`)
      return new RestResponse(await show(post, request), { status: 201, headers: { Location: location } })
    },
  })

  const update = rest.registerRoute(NAMESPACE, {
    method: ['POST', 'PUT', 'PATCH'],
    path: `${path}/{id:\\d+}`,
    access: mayUpdate,
    accessError: cannotEdit,
    summary: `Updates ${one(type)}.`,
    input: updateSchema(type, taxonomies),
    response,
    handler: async (request) => show(await store(request, await postOf(request)), request),
  })

  const preview =
    type.public &&
    rest.registerRoute(NAMESPACE, {
      method: 'POST',
      path: `${path}/{id:\\d+}/preview`,
      access: mayUpdate,
      accessError: cannotEdit,
      summary: `Previews unsaved changes to ${one(type)}: returns a URL that shows them to the same user for an hour. Nothing is saved.`,
      input: updateSchema(type, taxonomies),
      response: z.object({ link: z.string() }),
      async handler(request) {
        const before = await postOf(request)
        const changes = await changesOf(request, before, { isPreview: true })
        const post = await content.posts.preview(before, changes)
        const { meta = {}, terms = {} } = changes
        const link = new URL(content.link(before))
        link.searchParams.set('preview', 'true')
        return { link: `${link.href}&${await postPreviews.add(request.user?.id ?? 0, { post, meta, terms })}` }
      },
    })

  const remove = rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: `${path}/{id:\\d+}`,
    async access(request) {
      const { id } = await postOf(request)
      if (await request.can('delete_post', id)) return true
      await postOf(request)
      return false
    },
    accessError: (user) => accessDenied(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.'),
    summary: `Moves ${one(type)} to the trash, or deletes it permanently.`,
    input: deleteSchema,
    response: z.union([deletedShape(response), response]),
    async handler(request) {
      const post = await postOf(request)
      const response = request.input.force ? await erase(post, request) : await trash(post, request)
      await hooks.limited(AFTER_COMMIT).doActionAsync(`rest_delete_${type.name}`, post, response, request)
      return response
    },
  })

  async function erase(post: Post, request: RestRequest): Promise<unknown> {
    const previous = await show(post, request)
    const deleted = await content.posts.delete(post.id, { unchangedSince: versionSeen(request) })
    if (!deleted) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
    return { deleted: true, previous }
  }

  async function trash(post: Post, request: RestRequest): Promise<unknown> {
    const name: `rest_${string}_trashable` = `rest_${type.name}_trashable`
    if (!(await hooks.applyFiltersAsync(name, true, post))) {
      const message = "The post does not support trashing. Set 'force=true' to delete."
      throw new RestError('rest_trash_not_supported', message, { status: 501 })
    }
    if (post.status === 'trash')
      throw new RestError('rest_already_trashed', 'The post has already been deleted.', { status: 410 })
    const changes = { status: 'trash', unchangedSince: versionSeen(request) }
    return show(await content.posts.update(post.id, changes), request)
  }

  return () => {
    undeclare()
    create()
    update()
    if (preview) preview()
    remove()
  }
}

/**
 * The version that the caller has seen: the `modified_gmt` parameter, or the `If-Unmodified-Since` header (RFC 9110, 13.1.4; ignored if
 * invalid). Saving over a newer version or deleting it is rejected with 409 `rest_post_modified`, whose `data.modified_gmt` identifies the
 * newer one. Without either, the last save wins, and both versions are stored as revisions.
 */
export function versionSeen({ input, headers }: RestRequest): string | undefined {
  if (typeof input.modified_gmt === 'string') return toGmt(input.modified_gmt)
  const at = Date.parse(headers['if-unmodified-since'] ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 19)
}
