import { registeredAuthors } from '../../../content/profile-pictures.ts'
import type { Comment, MediaDetails, Post } from '../../../content/types.ts'
import { type CommentsOfPage, createCommentsView } from '../../comments/view.ts'
import { currentPage } from '../../current-page.ts'
import { type BlockParts, isClosed, tagPage } from '../parts.ts'

/** The comments of a post that the reader can see. */
export interface CommentList {
  /** Top-level comments, oldest first. */
  readonly top: readonly Comment[]
  readonly byId: ReadonlyMap<number, Comment>
  repliesTo(comment: Comment): readonly Comment[]
  /** Depth in the thread, from 1. */
  depthOf(comment: Comment): number
  /** Profile pictures of the authors, by ID of the user. */
  portraits(): Promise<ReadonlyMap<number, MediaDetails>>
  /** The comment form and its links; `undefined` for a post on another page. */
  readonly ofPage: CommentsOfPage | undefined
}

export type FindComments = (post: Post) => Promise<CommentList>

/** Comments of posts, loaded once for all blocks of a page. */
export function createCommentLists({ content, discussion, portraits }: BlockParts): FindComments {
  const known = new WeakMap<object, Map<number, Promise<CommentList>>>()
  const view = createCommentsView({ content, discussion, approved: (id) => content.comments.ofPost(Number(id)) })

  async function find(post: Post): Promise<CommentList> {
    const page = currentPage()
    const ofPage = page?.post?.id === post.id ? await view(page, post) : undefined
    const others = async () => (isClosed(post) || post.commentCount === 0 ? [] : content.comments.ofPost(post.id))
    const comments = ofPage?.comments ?? (await others())
    const byId = new Map(comments.map((comment) => [comment.id, comment]))
    const isThreaded = discussion.settings().threadComments === 'on'
    const parentOf = (comment: Comment) => (isThreaded ? byId.get(comment.parentId) : undefined)
    const replies = Map.groupBy(comments, (comment) => parentOf(comment)?.id ?? 0)
    let found: Promise<ReadonlyMap<number, MediaDetails>> | undefined
    return {
      top: replies.get(0) ?? [],
      byId,
      ofPage,
      repliesTo: ({ id }) => replies.get(id) ?? [],
      portraits: () => (found ??= portraits(registeredAuthors(comments))),
      depthOf(comment) {
        let depth = 1
        for (let at = parentOf(comment); at && depth <= comments.length; at = parentOf(at)) depth++
        return depth
      },
    }
  }

  return (post) => {
    const page = currentPage()
    tagPage(`post-${post.id}`)
    if (!page) return find(post)
    const ofPage = known.get(page) ?? new Map<number, Promise<CommentList>>()
    known.set(page, ofPage)
    const found = ofPage.get(post.id) ?? find(post)
    ofPage.set(post.id, found)
    return found
  }
}
