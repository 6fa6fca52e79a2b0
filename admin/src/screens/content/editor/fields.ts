import type { Responses } from '../../../api/responses.ts'
import type { ContentTaxonomy, ContentType } from '../types.ts'

type AnyPost = Responses['Posts'] & Responses['Pages']
/** What every type of posts has; the rest depends on what it supports. */
type Common = 'id' | 'type' | 'link' | 'status' | 'slug' | 'date' | 'date_gmt' | 'modified_gmt' | 'password' | 'title'

/** A post as `wp/v2` returns it with `context=edit`. */
export type StoredPost = Pick<AnyPost, Common | 'meta' | '_links'> &
  Partial<Omit<AnyPost, Common | 'meta' | '_links'>> & {
    /** Term ids by the route of their taxonomy. */
    readonly [restBase: string]: unknown
  }

/** The fields that the editor changes, by their names in `wp/v2`. */
export interface Fields {
  readonly title: string
  readonly content: string
  readonly excerpt: string
  readonly slug: string
  readonly status: string
  /** Local time of the site, `2026-01-31T12:00:00`; empty: the time of publication. */
  readonly date: string
  readonly password: string
  readonly author: number
  readonly featured_media: number
  readonly parent: number
  readonly menu_order: number
  readonly template: string
  readonly comment_status: string
  readonly ping_status: string
  readonly sticky: boolean
  readonly format: string
  readonly meta: Readonly<Record<string, unknown>>
  readonly terms: Readonly<Record<string, readonly number[]>>
}

export type Changes = Partial<Fields>

/** The fields of a new post. */
export function newFields(authorId: number): Fields {
  return {
    ...{ title: '', content: '', excerpt: '', slug: '', status: 'draft', date: '', password: '', author: authorId },
    ...{ featured_media: 0, parent: 0, menu_order: 0, template: '', format: 'standard', sticky: false },
    ...{ comment_status: '', ping_status: '', meta: {}, terms: {} },
  }
}

export function fieldsOf(post: StoredPost, taxonomies: readonly ContentTaxonomy[]): Fields {
  const isDated = post.date_gmt !== null && post.status !== 'draft' && post.status !== 'pending'
  return {
    ...{ title: post.title.raw, content: post.content?.raw ?? '', excerpt: post.excerpt?.raw ?? '' },
    ...{ slug: post.slug, status: post.status, date: isDated ? post.date : '', password: post.password },
    ...{ author: post.author ?? 0, featured_media: post.featured_media ?? 0, parent: post.parent ?? 0 },
    ...{ menu_order: post.menu_order ?? 0, template: post.template ?? '', format: post.format ?? 'standard' },
    ...{ comment_status: post.comment_status ?? '', ping_status: post.ping_status ?? '', sticky: post.sticky ?? false },
    meta: Array.isArray(post.meta) ? {} : { ...post.meta },
    terms: Object.fromEntries(taxonomies.map(({ rest_base: base }) => [base, idsOf(post[base])])),
  }
}

const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** The changes that differ from the stored values. */
export function realChanges(stored: Fields, changes: Changes): Changes {
  const names = Object.keys(changes).filter((name): name is keyof Fields => name in stored)
  return Object.fromEntries(
    names.filter((name) => !isSame(stored[name], changes[name])).map((name) => [name, changes[name]]),
  )
}

/** Changes in the form that the route accepts: only fields that the type supports, and only changed meta keys. */
export function bodyOf(stored: Fields, changes: Changes, type: ContentType): Record<string, unknown> {
  const { meta, terms, date, ...others } = changes
  const own = Object.entries(others).filter(([name]) => hasField(type, name))
  const keys = Object.entries(meta ?? {}).filter(([key, value]) => !isSame(stored.meta[key], value))
  const changed = Object.entries(terms ?? {}).filter(([base, ids]) => !isSame(stored.terms[base] ?? [], ids))
  return {
    ...Object.fromEntries(own),
    ...(date !== undefined && { date: date === '' ? null : date }),
    ...(keys.length > 0 && { meta: Object.fromEntries(keys) }),
    ...Object.fromEntries(changed),
  }
}

const NEEDS: Readonly<Record<string, string>> = {
  ...{ content: 'editor', author: 'author', featured_media: 'thumbnail', menu_order: 'page-attributes' },
  ...{ comment_status: 'comments', ping_status: 'comments' },
}

/** Whether the type supports a field. */
export function hasField(type: ContentType, name: string): boolean {
  if (name === 'parent') return type.hierarchical
  if (name === 'excerpt') return type.supports.excerpt === true || type.slug === 'page'
  if (name === 'sticky' || name === 'format') return type.slug === 'post'
  const feature = NEEDS[name]
  return feature === undefined || type.supports[feature] === true
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
