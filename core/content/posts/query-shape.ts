import { type ContentsCheck, finiteNumber, json, listOf, membersOf, oneOf, recordOf } from '../../hooks/contents.ts'
import { describeValue } from '../../hooks/shapes.ts'
import { isRowId } from '../rows.ts'
import { readTime } from '../site-time.ts'
import type { PostOrder, PostQuery, TermFilter } from '../types.ts'

const ORDERS = [
  ...(['date', 'modified', 'id', 'title', 'slug', 'author', 'parent', 'menu_order'] as const),
  ...(['relevance', 'include', 'include_slugs'] as const),
] satisfies readonly PostOrder[]

const rowId: ContentsCheck = {
  contentsFault: (value) =>
    typeof value === 'number' && isRowId(value) ? undefined : `${describeValue(value)} that is no id`,
}

/** Site time, as `PostQuery` takes it. */
const siteTime: ContentsCheck = {
  contentsFault(value) {
    if (typeof value !== 'string') return `${describeValue(value)} instead of string`
    try {
      readTime('time', value)
      return undefined
    } catch {
      return 'a text that is no date (YYYY-MM-DDTHH:MM:SS)'
    }
  },
}

const terms = recordOf(membersOf<TermFilter>({ all: 'boolean', withChildren: 'boolean' }, { ids: listOf('number') }))

/** What a filter of a `PostQuery` may return: `content.posts.query` takes all that passes. */
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
