import type { Answers } from '../../api/answers.ts'

export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash'

/** A comment as `wp/v2/comments` returns it to a moderator. */
export type CommentItem = Omit<Answers['Comments'], 'status' | '_embedded'> & {
  readonly status: CommentStatus
  readonly _embedded?: { readonly up?: readonly Partial<Pick<Answers['Posts'], 'title'>>[] }
}

export type CommentCounts = Answers['GET /host/v1/comment-counts']

export const COMMENTS = 'wp/v2/comments'
export const COUNTS = 'host/v1/comment-counts'
