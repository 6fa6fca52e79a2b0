import { isReference } from '../../../core/database/row-id.ts'
import { type ContentsCheck, listOf, membersOf, oneOf, recordOf } from '../../../core/hooks/value-checks.ts'
import { describeValue } from '../../../core/hooks/value-kind.ts'
import type { NewPost } from '../types.ts'
import { metaShape, rowId, siteTime } from '../value-shapes.ts'

/** Like in `preparePost`; the menu order may be negative. */
const wholeNumber: ContentsCheck = {
  contentsFault: (value) =>
    typeof value === 'number' && isReference(Math.abs(value))
      ? undefined
      : `${describeValue(value)} that is not a whole number below 2147483648`,
}

const openOrClosed = oneOf('open', 'closed')

const texts = {
  status: 'string',
  slug: 'string',
  title: 'string',
  content: 'string',
  excerpt: 'string',
  password: 'string',
  template: 'string',
  mimeType: 'string',
  guid: 'string',
} as const
const numbers = { authorId: rowId, parentId: wholeNumber, menuOrder: wholeNumber }
const optional = { commentStatus: openOrClosed, pingStatus: openOrClosed, date: siteTime, dateGmt: siteTime }
const more = {
  modified: siteTime,
  modifiedGmt: siteTime,
  id: rowId,
  meta: metaShape,
  terms: recordOf(listOf(rowId)),
  resetDate: 'boolean',
  reserveSlug: 'boolean',
  savedBy: rowId,
  keepsRevision: 'boolean',
  unchangedSince: siteTime,
} as const

/** Run-time shape of filtered fields of a post in a REST request. */
export const askedPostShape = membersOf<NewPost & { readonly type: string }>(
  { ...texts, ...numbers, ...optional, ...more, sticky: 'boolean' },
  { type: 'string' },
)

type Whole = Required<Pick<NewPost, keyof typeof texts | keyof typeof numbers | 'type' | 'sticky'>>

/** Run-time shape for `wp_insert_post_data`, whose value is a complete post. */
export const postDataShape = membersOf<
  { readonly [Field in keyof Whole]: NonNullable<Whole[Field]> } & Pick<NewPost, keyof typeof optional>
>(optional, { ...texts, ...numbers, type: 'string', sticky: 'boolean' })
