import type { User } from '../../../core/auth/types.ts'
import type { Meta } from '../meta/types.ts'

export interface Comment {
  readonly id: number
  readonly postId: number
  readonly parentId: number
  readonly userId: number
  readonly authorName: string
  readonly authorEmail: string
  readonly authorUrl: string
  readonly authorAddress: string
  readonly userAgent: string
  readonly content: string
  readonly status: 'approved' | 'hold' | 'spam' | 'trash'
  readonly type: string
  readonly date: string
  readonly dateGmt: string
}

export type NewComment = Omit<Comment, 'id'> & { readonly meta?: Meta | undefined }

export interface CommentQuery {
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly posts?: readonly number[] | undefined
  readonly parents?: readonly number[] | undefined
  readonly notParents?: readonly number[] | undefined
  /** Ids of users. */
  readonly authors?: readonly number[] | undefined
  readonly notAuthors?: readonly number[] | undefined
  readonly authorEmail?: string | undefined
  /** Default: all. */
  readonly statuses?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
  /** Only comments on published posts; on password-protected ones only if `ofPasswordPosts` is set. */
  readonly ofPublishedPosts?: boolean | undefined
  readonly ofPasswordPosts?: boolean | undefined
  /** Only comments on posts that this user may read; `null` is an anonymous visitor. `total` as in `PostQuery`. */
  readonly readableBy?: User | null | undefined
  /** Only comments on posts of these types. */
  readonly postTypes?: readonly string[] | undefined
  /** In the text, the author's name and URL. */
  readonly search?: string | undefined
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly after?: string | undefined
  readonly before?: string | undefined
  /** Default `date`. */
  readonly orderBy?: 'date' | 'id' | 'include' | 'post' | 'parent' | 'type' | undefined
  /** Default `desc`. */
  readonly order?: 'asc' | 'desc' | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Does not count: `total` is only the number of comments up to the end of the page. */
  readonly noFoundRows?: boolean | undefined
}

export interface Comments {
  get(id: number): Promise<Comment | undefined>
  query(query: CommentQuery): Promise<{ items: Comment[]; total: number }>
  /** Ids of the comments with an approved reply. */
  withReplies(ids: readonly number[]): Promise<Set<number>>
  /** Approved comments of a post, oldest first. */
  ofPost(postId: number): Promise<Comment[]>
  /**
   * Fires `wp_insert_comment`. With `once`, a comment that its author has already submitted in the same place is rejected, even if
   * submitted concurrently.
   * @throws RestError 403 `rest_comment_invalid_post_id`, 409 `comment_duplicate`
   */
  insert(comment: NewComment, options?: { readonly once?: boolean | undefined }): Promise<Comment>
  /** Fires `edit_comment`, and the hooks of `setStatus`. @throws RestError `rest_comment_invalid_id` */
  update(id: number, changes: Partial<NewComment>): Promise<Comment>
  /** Fires `transition_comment_status`, … if it changes. @throws RestError `rest_comment_invalid_id` */
  setStatus(id: number, status: Comment['status']): Promise<Comment>
  /** Restores a comment from the trash or from spam with its previous status. @throws RestError `rest_comment_invalid_id` */
  restore(id: number): Promise<Comment>
  /**
   * Permanently deletes a comment with its meta; its replies move up one level. Fires `delete_comment` and `deleted_comment`. `undefined`
   * if it did not exist or another request deleted it first.
   */
  delete(id: number): Promise<Comment | undefined>
  /** All comments of a post with any status, oldest first. */
  allOfPost(postId: number): Promise<Comment[]>
}
