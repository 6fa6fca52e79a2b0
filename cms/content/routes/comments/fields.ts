import { z } from 'zod'
import type { Hooks } from '../../../../core/hooks/types.ts'
import type { ProfilePicture } from '../../profile-pictures.ts'
import type { Comment, Content, Meta, Post } from '../../types.ts'
import { avatarUrls } from '../avatars.ts'
import { COMMENT_META, declaredMeta } from '../declared-meta.ts'
import { ALL, type Context, EDIT, type Fields, VIEW_EDIT } from '../fields.ts'
import { embeddable, type Links, link } from '../links.ts'
import { avatarShape, metaValues, shownText } from '../response-shapes.ts'

/** Related data for the comments of a response. */
export interface AroundComments {
  readonly context: Context
  readonly posts: ReadonlyMap<number, Post>
  /** Comments that have replies. */
  readonly withReplies: ReadonlySet<number>
  readonly metas: ReadonlyMap<number, Meta>
  /** Of the authors, by id of the user. */
  readonly pictures: ReadonlyMap<number, ProfilePicture>
}

/** The fields of a comment in WordPress's order. */
export function commentFields(content: Content, hooks: Hooks): Fields<Comment, AroundComments> {
  return {
    id: { contexts: ALL, schema: z.int(), read: (comment) => comment.id },
    post: { contexts: VIEW_EDIT, schema: z.int(), read: (comment) => comment.postId },
    parent: { contexts: ALL, schema: z.int(), read: (comment) => comment.parentId },
    author: { contexts: ALL, schema: z.int(), read: (comment) => comment.userId },
    author_name: { contexts: ALL, schema: z.string(), read: (comment) => comment.authorName },
    author_email: { contexts: EDIT, schema: z.string(), read: (comment) => comment.authorEmail },
    author_url: { contexts: ALL, schema: z.string(), read: (comment) => comment.authorUrl },
    author_ip: { contexts: EDIT, schema: z.string(), read: (comment) => comment.authorAddress },
    author_user_agent: { contexts: EDIT, schema: z.string(), read: (comment) => comment.userAgent },
    date: { contexts: ALL, schema: z.string(), read: (comment) => comment.date },
    date_gmt: { contexts: VIEW_EDIT, schema: z.string(), read: (comment) => comment.dateGmt },
    content: {
      contexts: ALL,
      schema: shownText,
      read: (comment, { context }) => ({
        rendered: content.renderComment(comment),
        ...(context === 'edit' && { raw: content.currentAddresses(comment.content) }),
      }),
    },
    link: {
      contexts: ALL,
      schema: z.string(),
      read(comment, { posts }) {
        const post = posts.get(comment.postId)
        return post ? `${content.link(post)}#comment-${comment.id}` : ''
      },
    },
    status: { contexts: VIEW_EDIT, schema: z.string(), read: (comment) => comment.status },
    type: { contexts: ALL, schema: z.string(), read: (comment) => comment.type || 'comment' },
    author_avatar_urls: {
      contexts: ALL,
      schema: avatarShape,
      read: (comment, { pictures }) => avatarUrls(hooks, comment.authorName, pictures.get(comment.userId)?.details),
    },
    meta: {
      contexts: VIEW_EDIT,
      schema: metaValues,
      read: (comment, { metas, context }) =>
        declaredMeta(content, COMMENT_META, { stored: metas.get(comment.id), context }),
    },
  }
}

/** The `_links` of a comment in WordPress's order. */
export function commentLinks(
  comment: Comment,
  { posts, withReplies }: AroundComments,
  { content, url }: { content: Content; url: (route: string) => string },
): Links {
  const post = posts.get(comment.postId)
  const type = post && content.postTypes().get(post.type)
  return {
    self: link(url(`/comments/${comment.id}`)),
    collection: link(url('/comments')),
    ...(comment.userId > 0 && { author: embeddable(url(`/users/${comment.userId}`)) }),
    ...(post &&
      type &&
      type.restBase !== null && {
        up: [{ embeddable: true, post_type: post.type, href: url(`/${type.restBase}/${post.id}`) }],
      }),
    ...(comment.parentId > 0 && { 'in-reply-to': embeddable(url(`/comments/${comment.parentId}`)) }),
    ...(withReplies.has(comment.id) && { children: embeddable(`${url('/comments')}?parent=${comment.id}`) }),
  }
}
