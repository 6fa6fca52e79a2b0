import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Content, PostQuery, PostType, Taxonomy, TermFilter } from '../../types.ts'
import { badRequest } from '../errors.ts'
import { startOf, toSiteTime } from '../parameters.ts'
import { type AskedList, termsExcludeSchema, termsSchema } from './parameters.ts'
import { allowedStatuses, othersStatuses, parentsFor } from './statuses.ts'

/** Translates the parameters of a list to a query, like WordPress's `get_items`. */
export async function postQuery(
  request: RestRequest,
  asked: AskedList,
  { type, taxonomies, content }: { type: PostType; taxonomies: readonly Taxonomy[]; content: Content },
): Promise<PostQuery> {
  const { timezone } = content.siteSettings()
  checkOrder(asked)
  const statuses = await allowedStatuses(request, asked.status, type)
  return {
    types: [type.name],
    statuses,
    others: await othersStatuses(request, statuses, { type, context: asked.context }),
    parentsFor: type.name === 'attachment' ? await parentsFor(request, content) : undefined,
    authors: asked.author,
    notAuthors: asked.author_exclude,
    include: asked.include,
    exclude: asked.exclude,
    slugs: asked.slug,
    parents: asked.parent,
    notParents: asked.parent_exclude,
    menuOrder: asked.menu_order,
    mimeTypes: [asked.mime_type ?? asked.media_type ?? []].flat(),
    terms: termFilters(request.input, taxonomies, ''),
    notTerms: termFilters(request.input, taxonomies, '_exclude'),
    termRelation: asked.tax_relation === 'OR' ? 'or' : 'and',
    sticky: asked.sticky,
    search: asked.search,
    searchColumns: asked.search_columns.map((column) => COLUMNS[column]),
    after: toSiteTime(asked.after, timezone),
    before: toSiteTime(asked.before, timezone),
    modifiedAfter: toSiteTime(asked.modified_after, timezone),
    modifiedBefore: toSiteTime(asked.modified_before, timezone),
    orderBy: asked.orderby,
    // An explicit list determines the order itself, so the direction is ignored.
    order: asked.orderby.startsWith('include') ? 'asc' : asked.order,
    ...startOf(asked),
  }
}

const COLUMNS = { post_title: 'title', post_content: 'content', post_excerpt: 'excerpt' } as const

function checkOrder({ orderby, include, search }: AskedList): void {
  if (orderby === 'include' && include.length === 0) {
    const message = 'You need to define an include parameter to order by include.'
    throw badRequest('rest_orderby_include_missing_include', message)
  }
  if (orderby === 'relevance' && (search === undefined || search === '')) {
    throw badRequest('rest_no_search_term_defined', 'You need to define a search term to order by relevance.')
  }
}

function termFilters(
  input: Readonly<Record<string, unknown>>,
  taxonomies: readonly Taxonomy[],
  suffix: '' | '_exclude',
): Record<string, TermFilter> {
  const filters: Record<string, TermFilter> = {}
  for (const { name, restBase, hierarchical } of taxonomies) {
    const value = input[`${restBase}${suffix}`]
    if (value === undefined) continue
    const asked = suffix === '' ? termsSchema.parse(value) : termsExcludeSchema.parse(value)
    filters[name] = Array.isArray(asked)
      ? { ids: asked }
      : {
          ids: asked.terms,
          withChildren: hierarchical && asked.include_children,
          all: 'operator' in asked && asked.operator === 'AND',
        }
  }
  return filters
}
