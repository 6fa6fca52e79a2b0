import { z } from 'zod'
import { RestError } from '../../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../../core/hooks/index.ts'
import { RestResponse } from '../../../../core/rest/response.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import type { Comment, NewComment } from '../../types.ts'
import { askedMeta, COMMENT_META, storeMeta } from '../declared-meta.ts'
import { accessDenied, badRequest, notFound } from '../errors.ts'
import type { Context } from '../fields.ts'
import { given } from '../given.ts'
import { toGmt, toSiteTime } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { deletedShape } from '../response-shapes.ts'
import { checkChangedComment, checkNewComment, mayEditComment } from './write-access.ts'
import { type AskedComment, createSchema, deleteSchema, updateSchema } from './write-parameters.ts'

const PUBLIC_LIMIT = 64 * 1024
const SIGNED_IN_LIMIT = 1024 * 1024

/**
 * The write routes of comments, WordPress's `WP_REST_Comments_Controller`.
 * @param prepare creates the response for a comment
 */
export function registerCommentWrites(
  parts: RouteParts,
  {
    prepare,
    response,
  }: {
    readonly prepare: (comment: Comment, request: RestRequest, context: Context) => Promise<unknown>
    readonly response: z.ZodType
  },
): void {
  const { rest, content, auth, hooks, discussion } = parts

  async function find({ params }: Pick<AccessRequest, 'params'>): Promise<Comment> {
    const comment = await content.comments.get(Number(params.id))
    if (!comment) throw notFound('rest_comment_invalid_id', 'Invalid comment ID.')
    return comment
  }

  function may(code: string, what: string) {
    return async (request: AccessRequest): Promise<boolean> => {
      if (await mayEditComment(await find(request), request)) return true
      // Fails if the comment was deleted in the meantime.
      await find(request)
      throw accessDenied(request.user, code, `Sorry, you are not allowed to ${what} this comment.`)
    }
  }

  /** Name, address and site of a user, if the request names one. */
  async function authorOf(asked: AskedComment): Promise<Partial<NewComment>> {
    if (asked.author === undefined) return {}
    if (asked.author === 0) return { userId: 0 }
    const user = await auth.users.get(asked.author)
    if (!user) throw badRequest('rest_comment_author_invalid', 'Invalid comment author ID.')
    return { userId: user.id, authorName: user.displayName, authorEmail: user.email, authorUrl: user.url }
  }

  /** The supplied fields; dates only from moderators. */
  async function changesOf(asked: AskedComment, moderates: boolean): Promise<Partial<NewComment>> {
    const { content: text } = asked
    const dates = moderates ? { date: asked.date, dateGmt: toGmt(asked.date_gmt) } : {}
    return given({
      ...(await authorOf(asked)),
      ...given({
        content: typeof text === 'object' ? text.raw : text,
        postId: asked.post,
        parentId: asked.parent,
        authorName: asked.author_name,
        authorEmail: asked.author_email,
        authorUrl: asked.author_url,
        authorAddress: asked.author_ip,
        userAgent: asked.author_user_agent,
        date: toSiteTime(dates.date, content.siteSettings().timezone),
        dateGmt: dates.dateGmt,
      }),
    })
  }

  function checkContent(comment: Partial<NewComment>): void {
    if (comment.content !== '' || hooks.applyFilters('allow_empty_comment', false, comment)) return
    throw badRequest('rest_comment_content_invalid', 'Invalid comment content.')
  }

  /** A reply must belong to the same post as its parent. */
  async function checkParent(parentId: number, postId: number): Promise<void> {
    if (parentId === 0) return
    const parent = await content.comments.get(parentId)
    if (parent?.postId === postId && parent.status !== 'spam' && parent.status !== 'trash') return
    throw badRequest('rest_comment_invalid_parent', 'Invalid parent comment: it is not a comment on this post.')
  }

  /** Like `wp_handle_comment_submission`: the author is the logged-in user, unless specified. */
  function signed(changes: Partial<NewComment>, { user }: RestRequest): Partial<NewComment> {
    const { userId, authorName, authorEmail, authorUrl } = changes
    const isNamed = userId || authorName || authorEmail || authorUrl
    if (!user || isNamed) return changes
    const { id, displayName, email, url } = user
    return { ...changes, userId: id, authorName: displayName, authorEmail: email, authorUrl: url }
  }

  async function setStatus(id: number, status: NonNullable<AskedComment['status']>): Promise<Comment> {
    const { comments } = content
    if (status === 'unspam' || status === 'untrash') {
      const comment = await comments.get(id)
      const isThere = comment?.status === (status === 'unspam' ? 'spam' : 'trash')
      return isThere || !comment ? comments.restore(id) : comment
    }
    return comments.setStatus(id, statusOf(status))
  }

  async function finish(comment: Comment, request: RestRequest<AskedComment>, creating: boolean): Promise<void> {
    await hooks.limited(AFTER_COMMIT).doActionAsync('rest_insert_comment', comment, request, creating)
    const values = askedMeta(content, COMMENT_META, request.input.meta)
    await storeMeta(content, COMMENT_META, { id: comment.id, values, request })
    await hooks.limited(AFTER_COMMIT).doActionAsync('rest_after_insert_comment', comment, request, creating)
  }

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/comments',
    summary: 'Creates a comment.',
    async access({ user, ...request }) {
      if (user) return true
      const { commentRegistration, restAllowAnonymousComments } = discussion.settings()
      const allowed = restAllowAnonymousComments === 'on' && commentRegistration === 'off'
      const isAllowed = hooks.applyFilters('rest_allow_anonymous_comments', allowed, { user, ...request })
      if (isAllowed && commentRegistration === 'off') return true
      const message = 'Sorry, you must be logged in to comment.'
      throw new RestError('rest_comment_login_required', message, { status: 401 })
    },
    bodyLimit: ({ user }) => (user ? SIGNED_IN_LIMIT : PUBLIC_LIMIT),
    input: createSchema,
    response,
    async handler(request) {
      const asked = request.input
      if (asked.id) throw badRequest('rest_comment_exists', 'Cannot create existing comment.')
      await checkNewComment(request, asked, parts)
      const moderates = await request.can('moderate_comments')
      const { user, clientAddress, headers } = request
      if (!user) await discussion.allow(clientAddress)
      const changes = signed(await changesOf(asked, moderates), request)
      const comment = {
        ...{ postId: 0, parentId: 0, userId: 0, authorName: '', authorEmail: '', authorUrl: '', content: '' },
        ...{
          authorAddress: clientAddress,
          userAgent: (headers['user-agent'] ?? '').slice(0, 254),
          date: '',
          dateGmt: '',
        },
        ...changes,
      }
      askedMeta(content, COMMENT_META, asked.meta)
      checkContent(comment)
      await checkParent(comment.parentId, comment.postId)
      if (discussion.settings().requireNameEmail === 'on' && (!comment.authorName || !comment.authorEmail)) {
        const message = 'Creating a comment requires valid author name and email values.'
        throw badRequest('rest_comment_author_data_required', message)
      }
      const stored = await discussion.submit(comment, {
        sender: user,
        async prepare(ready) {
          const prepared = asked.status === undefined ? ready : { ...ready, status: statusOf(asked.status) }
          return hooks.applyFiltersAsync('rest_pre_insert_comment', prepared, request)
        },
      })
      await finish(stored, request, true)
      return new RestResponse(await prepare(stored, request, moderates ? 'edit' : 'view'), {
        status: 201,
        headers: { Location: rest.url(`/${NAMESPACE}/comments/${stored.id}`) },
      })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: ['POST', 'PUT', 'PATCH'],
    path: '/comments/{id:\\d+}',
    summary: 'Updates a comment.',
    access: may('rest_cannot_edit', 'edit'),
    input: updateSchema,
    response,
    async handler(request) {
      const asked = request.input
      const before = await find(request)
      if (asked.type !== undefined && asked.type !== (before.type || 'comment')) {
        throw notFound('rest_comment_invalid_type', 'Sorry, you are not allowed to change the comment type.')
      }
      await checkChangedComment(request, asked, before)
      const changes = await changesOf(asked, true)
      if (changes.postId !== undefined && !(await content.posts.get(changes.postId))) {
        throw new RestError('rest_comment_invalid_post_id', 'Invalid post ID.', { status: 403 })
      }
      askedMeta(content, COMMENT_META, asked.meta)
      checkContent(changes)
      discussion.checkLengths(changes)
      if (changes.parentId !== undefined) {
        await checkParent(changes.parentId, changes.postId ?? before.postId)
        if (await isBelow(changes.parentId, before.id)) {
          throw badRequest('rest_comment_invalid_parent', 'A comment cannot be a reply to itself.')
        }
      }
      if (Object.keys(changes).length > 0) {
        await content.comments.update(before.id, await discussion.clean(changes, request.user))
      }
      if (asked.status !== undefined) await setStatus(before.id, asked.status)
      const after = await find(request)
      await finish(after, request, false)
      return prepare(after, request, 'edit')
    },
  })

  /** Whether a comment is the other one, or a direct or indirect reply to it. */
  async function isBelow(id: number, otherId: number): Promise<boolean> {
    const seen = new Set<number>()
    for (let at = id; at > 0 && !seen.has(at); at = (await content.comments.get(at))?.parentId ?? 0) {
      if (at === otherId) return true
      seen.add(at)
    }
    return false
  }

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/comments/{id:\\d+}',
    summary: 'Moves a comment to the trash, or, with `force`, deletes it permanently.',
    access: may('rest_cannot_delete', 'delete'),
    input: deleteSchema,
    response: z.union([deletedShape(response), response]),
    async handler(request) {
      const comment = await find(request)
      let response: unknown
      if (request.input.force) {
        response = { deleted: true, previous: await prepare(comment, request, 'edit') }
        if (!(await content.comments.delete(comment.id)))
          throw notFound('rest_comment_invalid_id', 'Invalid comment ID.')
      } else {
        if (comment.status === 'trash') {
          const message = 'The comment has already been trashed.'
          throw new RestError('rest_already_trashed', message, { status: 410 })
        }
        response = await prepare(await content.comments.setStatus(comment.id, 'trash'), request, 'edit')
      }
      await hooks.limited(AFTER_COMMIT).doActionAsync('rest_delete_comment', comment, response, request)
      return response
    },
  })
}

function statusOf(name: NonNullable<AskedComment['status']>): Comment['status'] {
  if (name === 'spam' || name === 'trash') return name
  return name === 'hold' || name === '0' ? 'hold' : 'approved'
}
