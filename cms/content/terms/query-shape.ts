import { finiteNumber, listOf, membersOf, oneOf } from '../../../core/hooks/value-checks.ts'
import type { TermQuery } from '../types.ts'

/** Run-time shape of a filtered `TermQuery`. */
export const termQueryShape = membersOf<TermQuery>(
  {
    include: listOf('number'),
    exclude: listOf('number'),
    slugs: listOf('string'),
    parent: 'number',
    postId: 'number',
    search: 'string',
    hideEmpty: 'boolean',
    orderBy: oneOf('id', 'name', 'slug', 'count', 'description', 'term_group', 'include', 'include_slugs'),
    order: oneOf('asc', 'desc'),
    limit: finiteNumber,
    offset: finiteNumber,
  },
  { taxonomy: 'string' },
)
