import type { Comment, MediaDetails } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { type TemplateImage, toPortrait } from './image.ts'

/** A comment with its replies. */
export interface TemplateComment {
  readonly id: number
  readonly author: string
  /** Website of the author, http(s) only; empty if there is none. */
  readonly authorUrl: string
  /** The profile picture of a registered author. */
  readonly picture: TemplateImage | undefined
  readonly date: string
  readonly datetime: string
  /** Safe HTML. */
  readonly content: string
  /** Written by the author of the post. */
  readonly byPostAuthor: boolean
  /** Awaiting moderation; only visible to its author. */
  readonly awaiting: boolean
  /** URL of the reply form; `undefined` if replies are not allowed. */
  readonly replyUrl: string | undefined
  readonly replies: TemplateComment[]
}

/**
 * Approved comments as threads, oldest first. A comment whose parent is missing is at the top level.
 * @param write formats a date
 * @param options.render renders the text of a comment as HTML
 * @param options.depth maximum nesting; deeper replies are siblings of their parent
 */
export function toThreads(
  comments: readonly Comment[],
  postAuthorId: number,
  write: (date: string) => string,
  {
    depth,
    render,
    replyUrl,
    portraits,
  }: {
    depth: number
    render: (comment: Comment) => string
    replyUrl: (comment: Comment) => string | undefined
    /** By ID of the user. */
    portraits: ReadonlyMap<number, MediaDetails>
  },
): TemplateComment[] {
  const threads: TemplateComment[] = []
  const placed = new Map<number, { list: TemplateComment[]; depth: number; comment: TemplateComment }>()
  for (const comment of comments) {
    const portrait = portraits.get(comment.userId)
    const entry: TemplateComment = {
      id: comment.id,
      author: plainText(comment.authorName) || 'Anonymous',
      authorUrl: /^https?:\/\//i.test(comment.authorUrl) ? comment.authorUrl : '',
      picture: portrait && toPortrait(portrait),
      date: write(comment.date),
      datetime: `${comment.dateGmt}Z`,
      content: render(comment),
      byPostAuthor: comment.userId > 0 && comment.userId === postAuthorId,
      awaiting: comment.status !== 'approved',
      replyUrl: replyUrl(comment),
      replies: [],
    }
    const parent = placed.get(comment.parentId)
    const deeper = parent !== undefined && parent.depth < depth
    const list = parent ? (deeper ? parent.comment.replies : parent.list) : threads
    list.push(entry)
    placed.set(comment.id, { list, depth: parent ? parent.depth + (deeper ? 1 : 0) : 1, comment: entry })
  }
  return threads
}
