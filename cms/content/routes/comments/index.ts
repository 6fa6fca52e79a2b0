import { z } from 'zod'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { picturesOf, registeredAuthors } from '../../profile-pictures.ts'
import type { Comment, CommentQuery, Post } from '../../types.ts'
import { COMMENT_META, storedMeta } from '../declared-meta.ts'
import { accessDenied, invalidParameter, notFound } from '../errors.ts'
import { type Context, fieldReader, wantedFields } from '../fields.ts'
import { listResponse } from '../lists.ts'
import { startOf, toSiteTime } from '../parameters.ts'
import { NAMESPACE, type RouteParts } from '../parts.ts'
import { itemShape } from '../response-shapes.ts'
import { checkList, mayReadComment, mayReadPost } from './access.ts'
import { type AroundComments, commentFields, commentLinks } from './fields.ts'
import { type AskedComments, itemSchema, listSchema, statusesOf } from './parameters.ts'
import { registerCommentWrites } from './write.ts'

/** The routes of comments. */
export function registerCommentRoutes(parts: RouteParts): void {
  const { rest, content, hooks, passwordGuesses } = parts
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)
  const fields = commentFields(content, hooks)
  const response = itemShape('Comments', fields)

  async function prepare(
    comments: readonly Comment[],
    posts: ReadonlyMap<number, Post>,
    request: RestRequest,
    context: Context,
  ): Promise<unknown[]> {
    const wants = wantedFields(request.query)
    const ids = comments.map((comment) => comment.id)
    const withReplies = wants('_links') ? await content.comments.withReplies(ids) : new Set<number>()
    const metas = await storedMeta(content, COMMENT_META, { ids, context, wants })
    const users = wants('author_avatar_urls') ? registeredAuthors(comments) : []
    const pictures = await picturesOf(content, await content.meta.of('user', users))
    const around: AroundComments = { context, posts, withReplies, metas, pictures }
    const read = fieldReader(fields, { context, wants })
    return Promise.all(
      comments.map(async (comment) => {
        const data = await read(comment, around)
        if (wants('_links')) data._links = commentLinks(comment, around, { content, url })
        return hooks.hasFilter('rest_prepare_comment')
          ? hooks.applyFiltersAsync('rest_prepare_comment', data, comment, request)
          : data
      }),
    )
  }

  async function commentQuery(request: RestRequest, asked: AskedComments): Promise<CommentQuery> {
    const { timezone } = content.siteSettings()
    const statuses = statusesOf(asked.status)
    if (statuses === undefined) {
      const message = 'status is not one of approve, hold, spam, trash, and all.'
      throw invalidParameter('status', { code: 'rest_not_in_enum', message, data: null })
    }
    const { orderby } = asked
    const moderates = await request.can('moderate_comments')
    return {
      include: asked.include,
      exclude: asked.exclude,
      posts: asked.post,
      parents: asked.parent,
      notParents: asked.parent_exclude,
      authors: asked.author,
      notAuthors: asked.author_exclude,
      authorEmail: asked.author_email,
      statuses: statuses ?? ['approved', 'hold'],
      types: asked.type === 'all' ? undefined : [asked.type],
      // Totals and searches must not reveal anything about posts that the caller cannot see. As in WordPress, comments on posts with a
      // password are counted, but omitted from the page; not counted if the total would confirm a word in them.
      ofPublishedPosts: asked.post.length === 0 && !moderates,
      ofPasswordPosts: !asked.search,
      readableBy: asked.post.length === 0 && !moderates ? request.user : undefined,
      search: asked.search,
      after: toSiteTime(asked.after, timezone),
      before: toSiteTime(asked.before, timezone),
      orderBy: orderby === 'date_gmt' ? 'date' : orderby,
      order: asked.order,
      ...startOf(asked),
    }
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/comments',
    access: 'public',
    summary: 'Lists comments.',
    input: listSchema,
    response: z.array(response),
    async handler(request) {
      const asked = request.input
      await checkList(request, asked, parts)
      const { items, total } = await content.comments.query(await commentQuery(request, asked))
      const posts = await content.posts.getMany(items.map((comment) => comment.postId))
      const password = asked.post.length === 1 ? asked.password : undefined
      const readable = await Promise.all(
        items.map((comment) => mayReadComment(comment, posts.get(comment.postId), request, content, password)),
      )
      const shown = items.filter((_, at) => readable[at])
      const responses = await prepare(shown, posts, request, asked.context)
      return listResponse(request, {
        url: url('/comments'),
        items: responses,
        total,
        page: asked.page,
        perPage: asked.per_page,
      })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/comments/{id:\\d+}',
    access: 'public',
    summary: 'Returns a comment.',
    input: itemSchema,
    response,
    async handler(request) {
      const { context, password } = request.input
      const comment = await content.comments.get(Number(request.params.id))
      if (!comment) throw notFound('rest_comment_invalid_id', 'Invalid comment ID.')
      const post = comment.postId > 0 ? await content.posts.get(comment.postId) : undefined
      if (post) await passwordGuesses.check(post, password, request.clientAddress)
      if (context === 'edit' && !(await request.can('moderate_comments'))) {
        throw accessDenied(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit comments.')
      }
      if (!(await mayReadComment(comment, post, request, content, password))) {
        const isPostHidden = post !== undefined && !(await mayReadPost(post, request, content, password))
        throw isPostHidden
          ? accessDenied(
              request.user,
              'rest_cannot_read_post',
              'Sorry, you are not allowed to read the post for this comment.',
            )
          : accessDenied(request.user, 'rest_cannot_read', 'Sorry, you are not allowed to read this comment.')
      }
      const posts = new Map(post ? [[post.id, post]] : [])
      const [response] = await prepare([comment], posts, request, context)
      return response
    },
  })

  registerCommentWrites(parts, {
    response,
    async prepare(comment, request, context) {
      const posts = await content.posts.getMany([comment.postId])
      const [response] = await prepare([comment], posts, request, context)
      return response
    },
  })
}
