export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash'

/** A comment as `wp/v2/comments` shows it to a moderator. */
export interface CommentItem {
  readonly id: number
  readonly post: number
  readonly parent: number
  readonly author_name: string
  readonly author_email: string
  readonly author_url: string
  readonly author_ip: string
  readonly date_gmt: string
  readonly content: { readonly raw: string; readonly rendered: string }
  readonly link: string
  readonly status: CommentStatus
  readonly _embedded?: { readonly up?: readonly { readonly title?: { readonly rendered: string } }[] }
}

export interface CommentCounts {
  readonly all: number
  readonly approved: number
  readonly hold: number
  readonly spam: number
  readonly trash: number
}

export const COMMENTS = 'wp/v2/comments'
export const COUNTS = 'host/v1/comment-counts'
