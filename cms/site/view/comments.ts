import type { Comment } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'

/** One comment and the answers to it. */
export interface TemplateComment {
  readonly id: number
  readonly author: string
  /** The author's own site, http(s) only; empty without one. */
  readonly authorUrl: string
  readonly date: string
  readonly datetime: string
  /** HTML, safe. */
  readonly content: string
  /** Written by the author of the post. */
  readonly byPostAuthor: boolean
  /** Waits for approval; only its author sees it. */
  readonly awaiting: boolean
  /** Leads to the form that answers it; `undefined` where nobody can. */
  readonly replyUrl: string | undefined
  readonly replies: TemplateComment[]
}

/**
 * Approved comments as threads, oldest first. A comment whose parent is missing stands on its own.
 * @param write the site's form of a date
 * @param options.render what makes HTML of a comment's text
 * @param options.depth how deep answers are set in; what is deeper stands beside what it answers
 */
export function toThreads(
  comments: readonly Comment[],
  postAuthorId: number,
  write: (date: string) => string,
  {
    depth,
    render,
    replyUrl,
  }: {
    depth: number
    render: (comment: Comment) => string
    replyUrl: (comment: Comment) => string | undefined
  },
): TemplateComment[] {
  const threads: TemplateComment[] = []
  const placed = new Map<number, { list: TemplateComment[]; depth: number; comment: TemplateComment }>()
  for (const comment of comments) {
    const entry: TemplateComment = {
      id: comment.id,
      author: plainText(comment.authorName) || 'Anonymous',
      authorUrl: /^https?:\/\//i.test(comment.authorUrl) ? comment.authorUrl : '',
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
