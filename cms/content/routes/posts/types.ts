import type { Content, MediaDetails, Meta, MetaField, Post } from '../../types.ts'
import type { Context, Wants } from '../fields.ts'

/** How posts were asked for. */
export interface Asked {
  readonly context: Context
  readonly password: string | undefined
}

/** What is needed beside the posts of one answer; looked up for all of them together, and only if it is shown. */
export interface AroundPosts {
  readonly asked: Asked
  readonly wants: Wants
  readonly content: Content
  /** Term ids of each post by taxonomy. */
  readonly terms: ReadonlyMap<number, Readonly<Record<string, readonly number[]>>>
  readonly revisions: ReadonlyMap<number, { count: number; latestId: number }>
  readonly media: ReadonlyMap<number, MediaDetails>
  readonly actions: readonly string[]
  /** Formats of those posts that have one. */
  readonly formats: ReadonlyMap<number, string>
  /** Declared meta that REST shows. */
  readonly metaFields: readonly MetaField[]
  readonly metas: ReadonlyMap<number, Meta>
  /** Id of the post's featured image; 0 without one. */
  featuredId(post: Post): number
}
