import { z } from 'zod'
import { isAutosave } from '../../posts/revisions.ts'
import type { Content, Post, PostType } from '../../types.ts'
import { ALL, type Context, EDIT, type Fields, VIEW_EDIT } from '../fields.ts'
import { shownText } from '../response-shapes.ts'

/** Sources of the fields of a revision. */
export interface AroundRevisions {
  readonly content: Content
  readonly context: Context
}

type RevisionFields = Fields<Post, AroundRevisions>

const COMMON: RevisionFields = {
  author: { contexts: ALL, schema: z.int(), read: (post) => post.authorId },
  date: { contexts: ALL, schema: z.string(), read: (post) => post.date },
  date_gmt: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.dateGmt },
  id: { contexts: ALL, schema: z.int(), read: (post) => post.id },
  modified: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.modified },
  modified_gmt: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.modifiedGmt },
  parent: { contexts: ALL, schema: z.int(), read: (post) => post.parentId },
  slug: { contexts: ALL, schema: z.string(), read: (post) => post.slug },
  guid: {
    contexts: VIEW_EDIT,
    schema: shownText,
    read: (post, { context }) => ({ rendered: post.guid, ...(context === 'edit' && { raw: post.guid }) }),
  },
  title: {
    contexts: ALL,
    schema: shownText,
    read: (post, { content, context }) => ({
      ...(context === 'edit' && { raw: post.title }),
      rendered: content.renderTitle(post),
    }),
  },
}

/** The fields of the revisions of a type, in WordPress's order (`WP_REST_Revisions_Controller`). */
export function revisionFields(type: PostType): RevisionFields {
  const supports = (feature: string) => type.supports.includes(feature)
  return {
    ...COMMON,
    ...(supports('editor') && {
      content: {
        contexts: VIEW_EDIT,
        schema: shownText,
        read: async (post: Post, { content, context }: AroundRevisions) => ({
          ...(context === 'edit' && { raw: content.currentAddresses(post.content) }),
          rendered: await content.renderContent(post),
        }),
      },
    }),
    ...(supports('excerpt') && {
      excerpt: {
        contexts: ALL,
        schema: shownText,
        read: async (post: Post, { content, context }: AroundRevisions) => ({
          ...(context === 'edit' && { raw: content.currentAddresses(post.excerpt) }),
          rendered: await content.renderExcerpt(post),
        }),
      },
    }),
  }
}

/** Fields of an autosave, which also has a preview link. */
export function autosaveFields(type: PostType): RevisionFields {
  return {
    ...revisionFields(type),
    preview_link: {
      contexts: EDIT,
      schema: z.string(),
      async read(autosave, { content }) {
        // The own draft is saved itself.
        const post = isAutosave(autosave) ? await content.posts.get(autosave.parentId) : autosave
        if (!post) return ''
        const url = new URL(content.link(post))
        url.searchParams.set('preview', 'true')
        return url.href
      },
    },
  }
}
