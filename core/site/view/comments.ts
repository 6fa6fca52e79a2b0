import sanitizeHtml from 'sanitize-html'
import { linkAddresses } from '../../content/render/link-addresses.ts'
import { toParagraphs } from '../../content/render/paragraphs.ts'
import { remember } from '../../content/render/remember.ts'
import { convertSmilies } from '../../content/render/smilies.ts'
import { COMMENT_RULES, safeHtml } from '../../content/sanitize.ts'
import type { Comment } from '../../content/types.ts'
import { plainText } from '../../plain-text.ts'

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

/** What strangers link to is theirs to answer for. */
const RULES: sanitizeHtml.IOptions = {
  ...COMMENT_RULES,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow ugc' }) },
}

const cleaned = remember((text) => safeHtml(toParagraphs(text), RULES))

/** A comment's text as safe HTML with paragraphs and links. It comes from strangers and from imports, so it is done at the output. */
export const commentHtml: (content: string) => string = remember((content) => linkAddresses(cleaned(content)))

/** Text of a term's or author's description as safe HTML. */
export function descriptionHtml(description: string): string {
  return description.trim() === '' ? '' : cleaned(description)
}

/**
 * Approved comments as threads, oldest first. A comment whose parent is missing stands on its own.
 * @param write the site's form of a date
 * @param options.smilies whether emoticons become emoji
 * @param options.depth how deep answers are set in; what is deeper stands beside what it answers
 */
export function toThreads(
  comments: readonly Comment[],
  postAuthorId: number,
  write: (date: string) => string,
  {
    depth,
    smilies,
    replyUrl,
  }: {
    depth: number
    smilies: boolean
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
      content: smilies ? convertSmilies(commentHtml(comment.content)) : commentHtml(comment.content),
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
