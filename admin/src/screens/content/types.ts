import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import type { SettingSchema } from '../../settings/schema.ts'
import { translateLabels } from './labels.ts'

/** A post type as `wp/v2/types/<name>?context=edit` returns it. */
export type ContentType = Omit<Responses['Types'], 'meta_schema'> & {
  /** What `meta` may hold. */
  readonly meta_schema: SettingSchema
}

/** A taxonomy as `wp/v2/taxonomies?type=<name>&context=edit` returns it. */
export type ContentTaxonomy = Responses['Taxonomies']

/** A term; one that is embedded has less. */
export type Term = Pick<Responses['Categories'], 'id' | 'name'> &
  Partial<Pick<Responses['Categories'], 'parent' | 'count' | 'taxonomy'>>

/** Path below `/wp-admin/`; WordPress's own admin URLs redirect there. */
export function pathOfType(name: string): string {
  return name === 'post' ? 'posts' : name === 'page' ? 'pages' : `content/${name}`
}

/** The post type of a path. */
export function typeAt(pathname: string): string {
  const [, first = '', second = ''] = pathname.split('/')
  return first === 'posts' ? 'post' : first === 'pages' ? 'page' : decodeURIComponent(second)
}

/** The post type of patterns. */
export const PATTERN = 'wp_block'

/** The meta key with the sync status of a pattern. */
export const SYNC_STATUS = 'wp_pattern_sync_status'

/** Whether a pattern changes wherever it was inserted, from its sync status. */
export const isSynced = (status: unknown): boolean => status !== 'unsynced'

export const syncStatusOf = (synced: boolean): string => (synced ? '' : 'unsynced')

export const useContentType = (name: string) =>
  useRead<ContentType>(`wp/v2/types/${name}`, { context: 'edit' }, { select: translateLabels })

export const useTaxonomies = (type: string) =>
  useRead<Taxonomies>('wp/v2/taxonomies', { type, context: 'edit' }, { select: translateAll })

type Taxonomies = Readonly<Record<string, ContentTaxonomy>>

const translateAll = (taxonomies: Taxonomies): Taxonomies =>
  Object.fromEntries(Object.entries(taxonomies).map(([name, taxonomy]) => [name, translateLabels(taxonomy)]))
