import type { z } from 'zod'
import type { JsonValue } from '../../../core/options/types.ts'

/** Values by key; a key may have several, in order. */
export type Meta = Readonly<Record<string, readonly JsonValue[]>>

export type MetaKind = 'post' | 'user' | 'term' | 'comment'

/** Free key-value pairs on posts, users, terms and comments. */
export interface MetaStore {
  of(kind: MetaKind, ids: readonly number[]): Promise<Map<number, Meta>>
  get(kind: MetaKind, id: number, key: string): Promise<JsonValue | undefined>
  /** Replaces all values of the key. @throws RestError 404 `rest_invalid_id` if the object does not exist */
  set(kind: MetaKind, id: number, key: string, ...values: JsonValue[]): Promise<void>
  delete(kind: MetaKind, id: number, key: string): Promise<void>
}

/** Declaration of a meta key; WordPress's `register_meta`. */
export interface MetaOptions {
  /** Type of a single value; default `string`. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | undefined
  /** Schema of a single value, instead of `type`. */
  readonly schema?: z.ZodType | undefined
  /** One value, not a list of them. Default `false`, as in WordPress. */
  readonly single?: boolean | undefined
  /** Whether `wp/v2` includes it in `meta` for reading and writing. Default `false`. */
  readonly showInRest?: boolean | undefined
  /** Contexts of `wp/v2` that contain it: `['edit']` limits it to users who can edit the object. Default: `view` and `edit`. */
  readonly contexts?: readonly ('view' | 'edit')[] | undefined
  /** Value if none is stored. */
  readonly default?: JsonValue | undefined
  /** Only for objects of this post type or taxonomy: `page`. */
  readonly objectSubtype?: string | undefined
  /** Human-readable name: `Search description`. */
  readonly label?: string | undefined
  readonly description?: string | undefined
  /** Who may write it; default: users who can edit the object, but no one for keys that begin with `_`. */
  readonly authCallback?: ((userId: number, objectId: number, key: string) => boolean) | undefined
}

/** A declared meta key. */
export interface MetaField {
  readonly kind: MetaKind
  readonly key: string
  readonly schema: z.ZodType
  readonly single: boolean
  readonly showInRest: boolean
  readonly contexts: readonly ('view' | 'edit')[]
  readonly default: JsonValue | undefined
  readonly objectSubtype: string | undefined
  /** Empty if none was given. */
  readonly label: string
  readonly description: string
}
