import type { z } from 'zod'
import type { JsonValue } from '../options/types.ts'
import type { MetaKind } from './types.ts'

export interface PostType {
  readonly name: string
  readonly label: string
  readonly singularLabel: string
  readonly hierarchical: boolean
  readonly public: boolean
  /** Last part of its `wp/v2` route; `null` for no route. */
  readonly restBase: string | null
  readonly taxonomies: readonly string[]
  readonly supports: readonly string[]
  /** Prefix of its capabilities: `post` → `edit_posts`. */
  readonly capabilityType: readonly [singular: string, plural: string]
  readonly description: string
}

/**
 * A type as it is registered. Default: public, not hierarchical, labels and `restBase` as its name, and the
 * capabilities of posts.
 */
export type NewPostType = Partial<PostType> & Pick<PostType, 'name'>

/** A taxonomy as it is registered. Default: public, not hierarchical, labels, `restBase` and `rewriteSlug` as its name. */
export type NewTaxonomy = Partial<Taxonomy> & Pick<Taxonomy, 'name'>

/** How a meta key is declared; WordPress's `register_meta`. */
export interface MetaOptions {
  /** What one value is; default `string`. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | undefined
  /** What one value is, exactly; in place of `type`. */
  readonly schema?: z.ZodType | undefined
  /** One value, not a list of them. Default `false`, as in WordPress. */
  readonly single?: boolean | undefined
  /** Whether `wp/v2` shows and takes it in `meta`. Default `false`. */
  readonly showInRest?: boolean | undefined
  /** What is shown where none is stored. */
  readonly default?: JsonValue | undefined
  /** Only for things of this type or taxonomy: `page`. */
  readonly objectSubtype?: string | undefined
  readonly description?: string | undefined
  /** Who may write it; default: who may edit the thing, but for keys that begin with `_` nobody. */
  readonly authCallback?: ((userId: number, objectId: number, key: string) => boolean) | undefined
}

/** A declared meta key. */
export interface MetaField {
  readonly kind: MetaKind
  readonly key: string
  readonly schema: z.ZodType
  readonly single: boolean
  readonly showInRest: boolean
  readonly default: JsonValue | undefined
  readonly objectSubtype: string | undefined
  readonly description: string
}

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
