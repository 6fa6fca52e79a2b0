import { finiteNumber, json, listOf, membersOf, oneOf, recordOf } from '../../../core/hooks/value-checks.ts'
import type { PostOrder, PostQuery, TermFilter } from '../types.ts'
import { rowId, siteTime } from '../value-shapes.ts'

const ORDERS = [
  ...(['date', 'modified', 'id', 'title', 'slug', 'author', 'parent', 'menu_order'] as const),
  ...(['relevance', 'include', 'include_slugs'] as const),
] satisfies readonly PostOrder[]

const terms = recordOf(membersOf<TermFilter>({ all: 'boolean', withChildren: 'boolean' }, { ids: listOf('number') }))

/** Run-time shape of a filtered `PostQuery`. */
export const postQueryShape = membersOf<PostQuery>(
  {
    types: listOf('string'),
    statuses: listOf('string'),
    authors: listOf('number'),
    notAuthors: listOf('number'),
    include: listOf('number'),
    exclude: listOf('number'),
    slugs: listOf('string'),
    parents: listOf('number'),
    notParents: listOf('number'),
    menuOrder: 'number',
    mimeTypes: listOf('string'),
    terms,
    notTerms: terms,
    meta: recordOf('string', finiteNumber, 'boolean', 'null', json('array'), json('object')),
    search: 'string',
    textContains: 'string',
    searchColumns: listOf(oneOf('title', 'content', 'excerpt')),
    sticky: 'boolean',
    termRelation: oneOf('and', 'or'),
    others: membersOf<NonNullable<PostQuery['others']>>({}, { than: 'number', statuses: listOf('string') }),
    parentsFor: rowId,
    hasPassword: 'boolean',
    readableBy: ['object', 'null'],
    after: siteTime,
    before: siteTime,
    modifiedAfter: siteTime,
    modifiedBefore: siteTime,
    orderBy: oneOf(...ORDERS),
    order: oneOf('asc', 'desc'),
    stickyFirst: 'boolean',
    limit: finiteNumber,
    offset: finiteNumber,
    noFoundRows: 'boolean',
  },
  {},
)
