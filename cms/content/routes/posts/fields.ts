import { z } from 'zod'
import type { Hooks } from '../../../../core/hooks/types.ts'
import { inMeta } from '../../addresses.ts'
import { hasBlocks } from '../../blocks/strip.ts'
import { shownMeta } from '../../meta/fields.ts'
import { sanitizeTitle } from '../../slug.ts'
import type { Post, PostType, Taxonomy } from '../../types.ts'
import { ALL, EDIT, type Fields, VIEW_EDIT } from '../fields.ts'
import { metaValues, protectedText, shownText } from '../response-shapes.ts'
import { isClosed } from './access.ts'
import { MEDIA_FIELDS } from './media.ts'
import { keysOfMeta, PATTERN, PATTERN_FIELDS, SYNC_STATUS_FIELD } from './patterns.ts'
import type { AroundPosts } from './types.ts'

type PostFields = Fields<Post, AroundPosts>

const IDENTITY: PostFields = {
  id: { contexts: ALL, schema: z.int(), read: (post) => post.id },
  date: { contexts: ALL, schema: z.string(), read: (post) => post.date },
  date_gmt: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.dateGmt },
  guid: {
    contexts: VIEW_EDIT,
    schema: shownText,
    read: (post, { asked }) => ({ rendered: post.guid, ...(asked.context === 'edit' && { raw: post.guid }) }),
  },
  modified: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.modified },
  modified_gmt: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.modifiedGmt },
}

const ADDRESS: PostFields = {
  slug: { contexts: ALL, schema: z.string(), read: (post) => post.slug },
  status: { contexts: VIEW_EDIT, schema: z.string(), read: (post) => post.status },
  type: { contexts: ALL, schema: z.string(), read: (post) => post.type },
  link: { contexts: ALL, schema: z.string(), read: (post, { content }) => content.link(post) },
}

const TEXT: PostFields = {
  content: {
    contexts: VIEW_EDIT,
    schema: protectedText,
    async read(post, { asked, content }) {
      const rendered = isClosed(post, asked) ? '' : await content.renderContent(post)
      if (asked.context !== 'edit') return { rendered, protected: post.password !== '' }
      const version = hasBlocks(post.content) ? 1 : 0
      return {
        raw: content.currentAddresses(post.content),
        rendered,
        protected: post.password !== '',
        block_version: version,
      }
    },
  },
}

const EXCERPT: PostFields = {
  excerpt: {
    contexts: ALL,
    schema: protectedText,
    read: async (post, { asked, content }) => ({
      ...(asked.context === 'edit' && { raw: content.currentAddresses(post.excerpt) }),
      rendered: isClosed(post, asked) ? '' : await content.renderExcerpt(post),
      protected: post.password !== '',
    }),
  },
}

const AUTHOR: PostFields = { author: { contexts: ALL, schema: z.int(), read: (post) => post.authorId } }

const FEATURED: PostFields = {
  featured_media: { contexts: ALL, schema: z.int(), read: (post, { featuredId }) => featuredId(post) },
}

const PARENT: PostFields = { parent: { contexts: VIEW_EDIT, schema: z.int(), read: (post) => post.parentId } }

const MENU_ORDER: PostFields = { menu_order: { contexts: VIEW_EDIT, schema: z.int(), read: (post) => post.menuOrder } }

const DISCUSSION: PostFields = {
  comment_status: { contexts: VIEW_EDIT, schema: z.enum(['open', 'closed']), read: (post) => post.commentStatus },
  ping_status: { contexts: VIEW_EDIT, schema: z.enum(['open', 'closed']), read: (post) => post.pingStatus },
}

const STICKY: PostFields = { sticky: { contexts: VIEW_EDIT, schema: z.boolean(), read: (post) => post.sticky } }

const TEMPLATE: PostFields = {
  template: {
    contexts: VIEW_EDIT,
    schema: z.string(),
    read: (post) => (post.template === 'default' ? '' : post.template),
  },
}

const FORMAT: PostFields = {
  format: { contexts: VIEW_EDIT, schema: z.string(), read: (post, { formats }) => formats.get(post.id) ?? 'standard' },
}

/** PHP writes an empty object as an empty list, and clients expect it. */
const META: PostFields = {
  meta: {
    contexts: VIEW_EDIT,
    schema: metaValues,
    read(post, { metaFields, metas, content }) {
      const shown = keysOfMeta(metaFields, post)
      if (shown.length === 0) return []
      const stored = metas.get(post.id) ?? {}
      const values = shown.map((field) => {
        const own = stored[field.key]
        return [field.key, shownMeta(field, own ? inMeta({ [field.key]: own }, content.currentAddresses) : {})]
      })
      return Object.fromEntries(values)
    },
  },
}

/** The fields of a type of posts, in WordPress's order. */
export function postFields(type: PostType, taxonomies: readonly Taxonomy[], hooks: Hooks, siteUrl: string): PostFields {
  const supports = (feature: string) => type.supports.includes(feature)
  const isMedia = type.name === 'attachment'
  return {
    ...IDENTITY,
    ...(!isMedia && { password: { contexts: EDIT, schema: z.string(), read: (post: Post) => post.password } }),
    ...ADDRESS,
    title: {
      contexts: ALL,
      schema: shownText,
      read: (post, { asked, content }) => ({
        ...(asked.context === 'edit' && { raw: post.title }),
        // As in WordPress, REST has a separate field for protected posts, so the title gets no prefix.
        rendered:
          post.password === '' ? content.renderTitle(post) : hooks.applyFilters('the_title', post.title, post.id),
      }),
    },
    ...(supports('editor') && TEXT),
    ...(type.name === PATTERN && PATTERN_FIELDS),
    ...(supports('excerpt') || type.name === 'page' ? EXCERPT : {}),
    ...(supports('author') && AUTHOR),
    ...(supports('thumbnail') && FEATURED),
    ...(type.hierarchical && PARENT),
    ...(supports('page-attributes') && MENU_ORDER),
    ...(supports('comments') && DISCUSSION),
    ...(type.name === 'post' && STICKY),
    ...TEMPLATE,
    ...(type.name === 'post' && FORMAT),
    ...META,
    ...termFields(taxonomies),
    ...permalinkFields(type, siteUrl),
    ...(isMedia && MEDIA_FIELDS),
    ...(type.name === PATTERN && SYNC_STATUS_FIELD),
  }
}

function termFields(taxonomies: readonly Taxonomy[]): PostFields {
  const fields: Record<string, PostFields[string]> = {}
  for (const { name, restBase } of taxonomies) {
    if (restBase === null) continue
    fields[restBase] = {
      contexts: VIEW_EDIT,
      schema: z.array(z.int()),
      read: (post, { terms }) => terms.get(post.id)?.[name] ?? [],
    }
  }
  return fields
}

/** Fields for the future URL of an unpublished post. */
function permalinkFields(type: PostType, siteUrl: string): PostFields {
  if (!type.public) return {}
  return {
    permalink_template: {
      contexts: EDIT,
      schema: z.string(),
      read: (post, { content }) =>
        siteUrl + content.permalinks().template(post, type.hierarchical ? '%pagename%' : '%postname%'),
    },
    generated_slug: { contexts: EDIT, schema: z.string(), read: (post) => sanitizeTitle(post.title) },
  }
}
