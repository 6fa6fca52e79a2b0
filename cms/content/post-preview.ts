import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../../core/database/index.ts'
import { createPreviews, type Previews } from '../previews.ts'
import type { Meta, Post } from './types.ts'

const text = z.string()
const openOrClosed = z.enum(['open', 'closed'])

/** All fields of `Post`. */
const post = z.object({
  ...{ id: z.int(), type: text, status: text, authorId: z.int(), parentId: z.int(), menuOrder: z.int() },
  ...{ slug: text, path: text, title: text, content: text, excerpt: text, password: text, template: text },
  ...{ commentStatus: openOrClosed, pingStatus: openOrClosed, commentCount: z.int(), sticky: z.boolean() },
  ...{ mimeType: text, guid: text, date: text, dateGmt: text, modified: text, modifiedGmt: text },
})

/** A post as it would be after its unsaved changes are saved. */
export interface PostPreview {
  readonly post: Post
  /** Changed meta; an empty list for a removed key. */
  readonly meta: Meta
  /** Term ids of the taxonomies that changed. */
  readonly terms: Readonly<Record<string, readonly number[]>>
}

/** The unsaved featured image in the URL of a preview, which WordPress's editor does not autosave: `_thumbnail_id=7`, or -1 for none. */
export function imageInUrl(query: URLSearchParams): Meta {
  const asked = query.get('_thumbnail_id')
  if (!asked) return {}
  const id = Number(asked)
  return { _thumbnail_id: Number.isSafeInteger(id) && id > 0 ? [String(id)] : [] }
}

/** The unsaved changes of posts that their editors preview. */
export type PostPreviews = Previews<PostPreview>

export function createPostPreviews(db: Kysely<Schema>): PostPreviews {
  const meta = z.record(text, z.array(z.json()))
  const terms = z.record(text, z.array(z.int()))
  return createPreviews<PostPreview>(db, 'post_preview', z.object({ post, meta, terms }))
}
