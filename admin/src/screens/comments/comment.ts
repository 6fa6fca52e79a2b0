import type { Responses } from '../../api/responses.ts'

export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash'

/** A comment as `wp/v2/comments` returns it to a moderator. */
export type CommentItem = Omit<Responses['Comments'], 'status' | '_embedded'> & {
  readonly status: CommentStatus
  readonly _embedded?: { readonly up?: readonly Partial<Pick<Responses['Posts'], 'title'>>[] }
}

export type CommentCounts = Responses['GET /host/v1/comment-counts']

export const COMMENTS = 'wp/v2/comments'
export const COUNTS = 'host/v1/comment-counts'
