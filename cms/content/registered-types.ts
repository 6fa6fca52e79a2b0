import type { PostCapabilityNames } from './capabilities/post-capability-names.ts'

export interface PostType {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
  /** Labels by their names in WordPress, such as `add_new_item`, that replace those made from `label` and `singularLabel`: translations need them. */
  readonly labels: Readonly<Record<string, string>>
  readonly hierarchical: boolean
  readonly public: boolean
  /** Whether its posts are listed at `/<name>/`, with a feed at `/<name>/feed/`. */
  readonly hasArchive: boolean
  /** Last part of its `wp/v2` route; `null` for no route. */
  readonly restBase: string | null
  readonly taxonomies: readonly string[]
  readonly supports: readonly string[]
  /** Prefix of its capabilities: `post` → `edit_posts`. */
  readonly capabilityType: readonly [singular: string, plural: string]
  /** All of its capabilities: those that are named after `capabilityType`, and those that it names itself. */
  readonly capabilities: PostCapabilityNames
  readonly description: string
}

/**
 * Registration of a post type. Default: public, not hierarchical, without an archive, labels and `restBase` from the name, and the
 * capabilities of posts.
 */
export type NewPostType = Partial<Omit<PostType, 'capabilities'>> &
  Pick<PostType, 'name'> & { readonly capabilities?: Partial<PostCapabilityNames> | undefined }

/** Registration of a taxonomy. Default: public, not hierarchical, labels, `restBase` and `rewriteSlug` from the name. */
export type NewTaxonomy = Partial<Taxonomy> & Pick<Taxonomy, 'name'>

export interface Taxonomy {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
  readonly hierarchical: boolean
  readonly public: boolean
  readonly restBase: string | null
  readonly types: readonly string[]
  /** First part of its archive's path: `category`. */
  readonly rewriteSlug: string
  readonly description: string
}
