import type { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import type { Undo } from '../../../../core/hooks/types.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import { deletedShape } from '../response-shapes.ts'
import '../../media/hooks.ts'
import { askedPostShape } from '../../posts/post-shape.ts'
import type { NewPost, Post } from '../../types.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { WriteParts } from '../parts.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { versionSeen } from '../posts/write.ts'
import { editImage } from './edit.ts'
import { attachmentFields } from './prepare.ts'
import { sentFile } from './sent-file.ts'
import {
  type AskedMedia,
  createSchema,
  deleteSchema,
  editSchema,
  postProcessSchema,
  updateSchema,
} from './write-parameters.ts'

/** Creates the response for users who can edit the attachment. */
type Show = (post: Post, request: RestRequest) => Promise<unknown>

/** The write routes of `wp/v2/media`: upload, update, delete, regenerate sizes, edit. Returns a function that removes them. */
export function registerMediaWrites(
  parts: RouteParts & WriteParts,
  { show, response: schema }: { readonly show: Show; readonly response: z.ZodType },
): Undo {
  const { rest, content, hooks, uploads, type } = parts
  const path = `/${type.restBase}`

  async function created(post: Post, request: RestRequest): Promise<RestResponse> {
    const headers = { Location: rest.url(`/${NAMESPACE}${path}/${post.id}`) }
    return new RestResponse(await show(post, request), { status: 201, headers })
  }

  async function attachment(id: unknown): Promise<Post> {
    const post = await content.posts.get(Number(id))
    if (post?.type === 'attachment') return post
    throw notFound('rest_post_invalid_id', 'Invalid post ID.')
  }

  async function prepare(request: RestRequest<AskedMedia>, before?: Post): Promise<NewPost> {
    const fields = await attachmentFields(request, parts, before)
    return { ...(await hooks.applyFiltersAsync('rest_pre_insert_attachment', fields, request)) }
  }

  async function mayUpload({ user, can }: AccessRequest): Promise<boolean> {
    if (await can('upload_files')) return true
    throw accessDenied(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
  }

  async function mayEdit({ user, can, params }: AccessRequest): Promise<boolean> {
    const { id } = await attachment(params.id)
    if (await can('edit_post', id)) return true
    // Fails if the attachment was deleted in the meantime.
    await attachment(params.id)
    throw accessDenied(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
  }

  async function mayEditImage(request: AccessRequest): Promise<boolean> {
    if (await request.can('upload_files')) return mayEdit(request)
    throw accessDenied(
      request.user,
      'rest_cannot_edit_image',
      'Sorry, you are not allowed to upload media on this site.',
    )
  }

  async function mayDelete({ user, can, params }: AccessRequest): Promise<boolean> {
    const { id } = await attachment(params.id)
    if (await can('delete_post', id)) return true
    await attachment(params.id)
    throw accessDenied(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.')
  }

  const withdraw = [
    hooks.declareFilters({ rest_pre_insert_attachment: askedPostShape }),
    rest.registerRoute(NAMESPACE, {
      method: 'POST',
      path,
      access: mayUpload,
      summary:
        'Uploads a file, either in the `file` field of a multipart form or as the request body with its name in `Content-Disposition`.',
      input: createSchema,
      response: schema,
      upload: { folder: uploads.folder, maxBytes: () => hooks.applyFilters('upload_size_limit', uploads.maxBytes) },
      async handler(request) {
        const fields = await prepare(request)
        const { path, name, from } = await sentFile(request)
        const post = await content.media
          .upload({ source: path, name }, fields, (inserted) =>
            hooks.doActionAsync('rest_insert_attachment', inserted, request, true),
          )
          .catch((error: unknown) => {
            throw sideloadError(error, from)
          })
        await hooks.limited(AFTER_COMMIT).doActionAsync('rest_after_insert_attachment', post, request, true)
        return created(post, request)
      },
    }),

    rest.registerRoute(NAMESPACE, {
      method: ['POST', 'PUT', 'PATCH'],
      path: `${path}/{id:\\d+}`,
      access: mayEdit,
      summary: 'Updates a media item.',
      input: updateSchema,
      response: schema,
      async handler(request) {
        const before = await attachment(request.input.id)
        const changes = await prepare(request, before)
        const post = await content.posts.update(before.id, { ...changes, unchangedSince: versionSeen(request) })
        await hooks.limited(AFTER_COMMIT).doActionAsync('rest_insert_attachment', post, request, false)
        await hooks.limited(AFTER_COMMIT).doActionAsync('rest_after_insert_attachment', post, request, false)
        return show(post, request)
      },
    }),

    rest.registerRoute(NAMESPACE, {
      method: 'DELETE',
      path: `${path}/{id:\\d+}`,
      access: mayDelete,
      summary: 'Deletes a media item permanently.',
      input: deleteSchema,
      response: deletedShape(schema),
      async handler(request) {
        const post = await attachment(request.input.id)
        if (!request.input.force) {
          const message = "The post does not support trashing. Set 'force=true' to delete."
          throw new RestError('rest_trash_not_supported', message, { status: 501 })
        }
        const previous = await show(post, request)
        const deleted = await content.posts.delete(post.id, { unchangedSince: versionSeen(request) })
        if (!deleted) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
        const response = { deleted: true, previous }
        await hooks.limited(AFTER_COMMIT).doActionAsync('rest_delete_attachment', deleted, response, request)
        return response
      },
    }),

    rest.registerRoute(NAMESPACE, {
      method: 'POST',
      path: `${path}/{id:\\d+}/post-process`,
      access: mayEdit,
      summary: 'Regenerates the sizes of an image.',
      input: postProcessSchema,
      response: schema,
      async handler(request) {
        return show(await content.media.regenerate(request.input.id), request)
      },
    }),

    rest.registerRoute(NAMESPACE, {
      method: 'POST',
      path: `${path}/{id:\\d+}/edit`,
      access: mayEditImage,
      summary: 'Creates an edited copy of an image.',
      input: editSchema,
      response: schema,
      async handler(request) {
        const post = await attachment(request.input.id)
        const edited = await editImage(post, request, content)
        return created(edited, request)
      },
    }),
  ]
  return () => {
    for (const undo of withdraw) undo()
  }
}

/** WordPress names a bad file of a form `rest_upload_unknown_error`, one of a body `rest_upload_sideload_error`. */
function sideloadError(error: unknown, from: 'form' | 'body'): unknown {
  if (from === 'form' || !(error instanceof RestError) || error.code !== 'rest_upload_unknown_error') return error
  return new RestError('rest_upload_sideload_error', `The file was rejected: ${error.message}`, {
    ...error.data,
    status: 400,
  })
}
