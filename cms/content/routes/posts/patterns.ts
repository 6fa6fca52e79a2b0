import { z } from 'zod'
import { hasBlocks } from '../../blocks/strip.ts'
import { shownMeta } from '../../meta/fields.ts'
import type { MetaField, Post } from '../../types.ts'
import { ALL, type Fields, VIEW_EDIT } from '../fields.ts'
import type { AroundPosts } from './types.ts'

/** Post type of patterns. */
export const PATTERN = 'wp_block'
/** Whether a pattern changes wherever it was inserted: `unsynced` if it does not, empty if it does. */
export const SYNC_STATUS = 'wp_pattern_sync_status'

/**
 * The fields of a pattern that differ from those of a post; WordPress's `WP_REST_Blocks_Controller`. Its text is raw
 * wherever it is shown: an editor inserts it, and it is rendered only as part of a post.
 */
export const PATTERN_FIELDS: Fields<Post, AroundPosts> = {
  title: {
    contexts: ALL,
    schema: z.object({ raw: z.string().optional() }),
    read: (post, { asked }) => (asked.context === 'embed' ? {} : { raw: post.title }),
  },
  content: {
    contexts: VIEW_EDIT,
    schema: z.object({ raw: z.string(), protected: z.boolean(), block_version: z.int().optional() }),
    read: (post, { asked, content }) => ({
      raw: content.currentAddresses(post.content),
      protected: post.password !== '',
      ...(asked.context === 'edit' && { block_version: hasBlocks(post.content) ? 1 : 0 }),
    }),
  },
}

/** The separate field for that declared meta key of a pattern. */
export const SYNC_STATUS_FIELD: Fields<Post, AroundPosts> = {
  [SYNC_STATUS]: {
    contexts: ALL,
    schema: z.string(),
    read(post, { metaFields, metas }) {
      const field = metaFields.find(({ key }) => key === SYNC_STATUS)
      return field ? shownMeta(field, metas.get(post.id) ?? {}) : ''
    },
  },
}

/** The declared keys that `meta` shows. */
export function keysOfMeta(fields: readonly MetaField[], post: Post): readonly MetaField[] {
  return post.type === PATTERN ? fields.filter(({ key }) => key !== SYNC_STATUS) : fields
}
