import type { RestRequest } from '../../../../core/rest/types.ts'
import { cleanPostText } from '../../large-text/index.ts'
import { sanitizeTextField } from '../../sanitize.ts'
import { cleanTitle } from '../../sanitize-post.ts'
import type { Content, NewPost, Post } from '../../types.ts'
import { accessDenied, badRequest } from '../errors.ts'
import { toGmt, toSiteTime } from '../parameters.ts'
import type { WriteParts } from '../parts.ts'
import { metaChanges } from '../posts/meta.ts'
import { rejectUnknownStatus } from '../posts/prepare.ts'
import type { AskedMedia } from './write-parameters.ts'

/**
 * Validates the fields of an attachment in a request like WordPress's `prepare_item_for_database`.
 * @param before the current attachment, for an update
 * @throws RestError `rest_cannot_edit`, `rest_cannot_edit_others`, `rest_invalid_author`, `rest_invalid_param`, `rest_cannot_publish`
 */
export async function attachmentFields(
  request: RestRequest<AskedMedia>,
  parts: WriteParts,
  before?: Post,
): Promise<NewPost> {
  const { input, user, can } = request
  const { content, auth } = parts
  const verb = before ? 'update' : 'create'
  // An unchanged parent is not checked, because clients may send back the complete record.
  if (input.post !== before?.parentId) await checkParent(request, content)
  if (input.author !== undefined && input.author !== (before?.authorId ?? user?.id)) {
    if (!(await can('edit_others_posts'))) {
      throw accessDenied(user, 'rest_cannot_edit_others', `Sorry, you are not allowed to ${verb} posts as this user.`)
    }
    if (!(await auth.users.get(input.author))) throw badRequest('rest_invalid_author', 'Invalid author ID.')
  }
  const status = input.status === before?.status ? undefined : input.status
  if (status !== undefined) rejectUnknownStatus(status)
  if (status === 'private' && !(await can('publish_posts'))) {
    throw accessDenied(
      user,
      'rest_cannot_publish',
      `Sorry, you are not allowed to ${verb} private posts in this post type.`,
    )
  }
  const isTrusted = await can('unfiltered_html')
  const clean = (text: string | undefined, cleaned: (text: string) => string | Promise<string>) =>
    text === undefined || isTrusted ? text : cleaned(text)
  const { timezone } = content.siteSettings()
  return {
    type: 'attachment',
    title: await clean(input.title, cleanTitle),
    excerpt: await clean(input.caption, cleanPostText),
    content: await clean(input.description, cleanPostText),
    parentId: input.post,
    authorId: input.author ?? (before ? undefined : user?.id),
    date: toSiteTime(input.date, timezone),
    dateGmt: toGmt(input.date_gmt),
    slug: input.slug,
    // An attachment is as public as what it belongs to, or private.
    status: status === undefined ? undefined : status === 'private' ? 'private' : 'inherit',
    commentStatus: input.comment_status,
    pingStatus: input.ping_status,
    template: input.template,
    savedBy: user?.id,
    meta: {
      ...(await metaChanges(request, parts, input.meta, before)),
      ...(input.alt_text !== undefined && { _wp_attachment_image_alt: [sanitizeTextField(input.alt_text)] }),
    },
  }
}

async function checkParent({ input, user, can }: RestRequest<AskedMedia>, content: Content): Promise<void> {
  if (input.post === undefined || input.post === 0) return
  const parent = await content.posts.get(input.post)
  if (parent?.type === 'revision' || parent?.type === 'attachment') {
    throw badRequest('rest_invalid_param', 'Invalid parent type.')
  }
  if (await can('edit_post', input.post)) return
  throw accessDenied(user, 'rest_cannot_edit', 'Sorry, you are not allowed to upload media to this post.')
}
