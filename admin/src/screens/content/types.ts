import type { Answers } from '../../api/answers.ts'
import { useRead } from '../../api/query.ts'
import type { SettingSchema } from '../../settings/schema.ts'

/** A type of posts as `wp/v2/types/<name>?context=edit` tells it. */
export type ContentType = Omit<Answers['Types'], 'meta_schema'> & {
  /** What `meta` may hold. */
  readonly meta_schema: SettingSchema
}

/** As `wp/v2/taxonomies?type=<name>&context=edit` tells it. */
export type ContentTaxonomy = Answers['Taxonomies']

/** A term; one that is embedded has less. */
export type Term = Pick<Answers['Categories'], 'id' | 'name'> &
  Partial<Pick<Answers['Categories'], 'parent' | 'count' | 'taxonomy'>>

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
