import { type ContentsCheck, membersOf, oneOf } from '../../core/hooks/value-checks.ts'
import type { NewComment } from './types.ts'
import { metaShape, rowId, siteTime } from './value-shapes.ts'

/** No comment is without a post. */
const postId: ContentsCheck = {
  contentsFault: (value) => (value === 0 ? 'the number 0 that is not an ID' : rowId.contentsFault(value)),
}

/** Run-time shape of a filtered new comment. */
export const newCommentShape = membersOf<NewComment>(
  { meta: metaShape },
  {
    ...{ postId, parentId: rowId, userId: rowId },
    ...{ authorName: 'string', authorEmail: 'string', authorUrl: 'string', authorAddress: 'string' },
    ...{ userAgent: 'string', content: 'string', type: 'string', date: siteTime, dateGmt: siteTime },
    status: oneOf('approved', 'hold', 'spam', 'trash'),
  },
)
