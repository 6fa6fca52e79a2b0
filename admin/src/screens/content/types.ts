import { useRead } from '../../api/query.ts'
import type { SettingSchema } from '../../settings/schema.ts'

/** A type of posts as `wp/v2/types/<name>?context=edit` tells it. */
export interface ContentType {
  readonly name: string
  readonly slug: string
  readonly rest_base: string
  readonly hierarchical: boolean
  readonly viewable: boolean
  readonly supports: Readonly<Record<string, boolean>>
  readonly labels: Readonly<Record<string, string | null>>
  readonly capabilities: Readonly<Record<string, string>>
  /** What `meta` may hold, as JSON schema. */
  readonly meta_schema: SettingSchema
  /** Titles of the theme's templates by name. */
  readonly templates: Readonly<Record<string, string>>
}

/** As `wp/v2/taxonomies?type=<name>&context=edit` tells it. */
export interface ContentTaxonomy {
  readonly slug: string
  readonly name: string
  readonly rest_base: string
  readonly hierarchical: boolean
  readonly labels: Readonly<Record<string, string | null>>
  readonly capabilities: Readonly<Record<string, string>>
}

export interface Term {
  readonly id: number
  /** HTML. */
  readonly name: string
  readonly parent?: number
  readonly count?: number
  readonly taxonomy?: string
}

/** Below `/wp-admin/`, as WordPress's own addresses lead there. */
export function pathOfType(name: string): string {
  return name === 'post' ? 'posts' : name === 'page' ? 'pages' : `content/${name}`
}

/** The type whose screen is at an address. */
export function typeAt(pathname: string): string {
  const [, first = '', second = ''] = pathname.split('/')
  return first === 'posts' ? 'post' : first === 'pages' ? 'page' : decodeURIComponent(second)
}

export const useContentType = (name: string) => useRead<ContentType>(`wp/v2/types/${name}`, { context: 'edit' })

export const useTaxonomies = (type: string) =>
  useRead<Readonly<Record<string, ContentTaxonomy>>>('wp/v2/taxonomies', { type, context: 'edit' })
