import type { Content, MediaDetails, Meta, MetaField, Post } from '../../types.ts'
import type { Context, Wants } from '../fields.ts'

/** Parameters of a request for posts. */
export interface Asked {
  readonly context: Context
  readonly password: string | undefined
}

/** Related data for the posts of a response, loaded for all of them together, and only if the response includes it. */
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
  /** Declared meta that REST exposes. */
  readonly metaFields: readonly MetaField[]
  readonly metas: ReadonlyMap<number, Meta>
  /** Id of the post's featured image; 0 without one. */
  featuredId(post: Post): number
}
