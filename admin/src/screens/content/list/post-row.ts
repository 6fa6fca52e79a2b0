import type { Responses } from '../../../api/responses.ts'
import type { Query } from '../../../api/rest.ts'
import type { ListQuery } from '../../../parts/list-query.ts'
import { monthRange } from '../../../parts/months.ts'
import { plainText } from '../../../parts/plain-text.ts'
import type { ContentTaxonomy, Term } from '../types.ts'

type Shown = 'id' | 'title' | 'slug' | 'status' | 'date' | 'date_gmt' | 'modified_gmt' | 'link' | 'password'

/** A post in a list. */
export type PostRow = Pick<Responses['Posts'], Shown> &
  Partial<Pick<Responses['Posts'], 'sticky'>> & {
    readonly _embedded?: {
      readonly author?: readonly Partial<Pick<Responses['Users'], 'id' | 'name'>>[]
      readonly 'wp:term'?: readonly (readonly Term[])[]
      readonly up?: readonly Partial<Pick<Responses['Posts'], 'title'>>[]
    }
    /** Term ids by the route of their taxonomy. */
    readonly [restBase: string]: unknown
  }

/** The counts on the status tabs. */
export type PostCounts = Responses['GET /host/v1/post-counts']

export const PER_PAGE = 20
const FIELDS =
  'id,title,slug,status,date,date_gmt,modified_gmt,link,password,sticky,parent,author,wp_pattern_sync_status,_links,_embedded'

/** Converts the URL's filters to parameters of the route. */
export function listRequest(query: ListQuery, userId: number, taxonomies: readonly ContentTaxonomy[]): Query {
  const tab = query.get('status')
  const search = query.get('search')
  const bases = taxonomies.map(({ rest_base }) => rest_base)
  return {
    context: 'edit',
    page: query.page,
    per_page: PER_PAGE,
    status: tab === '' || tab === 'mine' ? 'any' : tab,
    author: tab === 'mine' ? userId : query.get('author'),
    search,
    orderby: query.get('orderby') || (search === '' ? 'date' : 'relevance'),
    order: query.get('order') || 'desc',
    ...monthRange(query.get('month')),
    ...Object.fromEntries(bases.map((base) => [base, query.get(base)])),
    _embed: 'author,wp:term,up',
    _fields: [FIELDS, ...bases].join(','),
  }
}

export function nameOf({ title, id }: Pick<PostRow, 'title' | 'id'>): string {
  return plainText(title.raw) || `#${id}`
}

export function termIds(row: PostRow, restBase: string): number[] {
  const ids = row[restBase]
  return Array.isArray(ids) ? ids.map(Number) : []
}
