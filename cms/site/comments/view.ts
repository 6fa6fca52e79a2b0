import type { Discussion } from '../../content/discussion/types.ts'
import type { Comment, Content, Post } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import type { PageContext } from '../types.ts'
import { COMMENTS_PATH, HONEYPOT } from './form.ts'

/** How long visitors can see their own pending comment, in ms (as in WordPress). */
const OWN_COMMENT = 10 * 60_000

/** Data of the comment form, as text. */
export interface TemplateCommentForm {
  readonly action: string
  readonly postId: number
  /** ID of the parent comment; 0 for none. */
  readonly parentId: number
  /** Name of the parent comment's author. */
  readonly replyTo: string | undefined
  /** URL of the form without the reply. */
  readonly cancelUrl: string
  /** Name of the signed-in user. */
  readonly user: string | undefined
  readonly requireNameEmail: boolean
  /** Name of the honeypot field. */
  readonly honeypot: string
}

export interface CommentsOfPage {
  /** Approved comments, and pending ones of the visitor. */
  readonly comments: readonly Comment[]
  readonly form: TemplateCommentForm | undefined
  /** Sign-in URL, if commenting requires an account. */
  readonly loginUrl: string | undefined
  /** There are comments, but new ones are not allowed. */
  readonly closed: boolean
  /** URL of the reply form; `undefined` if replies are not allowed. */
  replyUrl(comment: Comment): string | undefined
}

/** The comments of a post that a visitor sees, and the form. */
export function createCommentsView(parts: {
  content: Content
  discussion: Discussion
  approved: (postId: string) => Promise<readonly Comment[]>
}) {
  const { content, discussion, approved } = parts

  /** Pending comments of the visitor: by session, or by the URL they were redirected to. */
  async function waiting({ user, request }: PageContext, postId: number): Promise<readonly Comment[]> {
    if (user) {
      const query = { posts: [postId], authors: [user.id], statuses: ['hold'], order: 'asc' as const, limit: 100 }
      return (await content.comments.query(query)).items
    }
    const hash = request.query.get('moderation-hash')
    if (hash === null) return []
    const comment = await content.comments.get(Number(request.query.get('unapproved')))
    const isOwn = comment?.postId === postId && discussion.isModerationHash(comment, hash)
    if (!isOwn || comment.status !== 'hold') return []
    return Date.now() - Date.parse(`${comment.dateGmt}Z`) < OWN_COMMENT ? [comment] : []
  }

  return async (page: PageContext, post: Post): Promise<CommentsOfPage> => {
    const [shown, own] = page.locked
      ? [[], []]
      : await Promise.all([post.commentCount > 0 ? approved(String(post.id)) : [], waiting(page, post.id)])
    const comments = own.length === 0 ? shown : [...shown, ...own].sort(byTime)
    const { commentRegistration, requireNameEmail, threadComments } = discussion.settings()
    const isOpen = !page.locked && !page.preview && discussion.isOpen(post)
    const mayComment = isOpen && (page.user !== null || commentRegistration === 'off')
    const replyTo = mayComment && threadComments === 'on' ? Number(page.request.query.get('replytocom')) : 0
    const parent = shown.find((comment) => comment.id === replyTo)
    return {
      comments,
      form: mayComment
        ? {
            action: COMMENTS_PATH,
            postId: post.id,
            parentId: parent?.id ?? 0,
            replyTo: parent && (plainText(parent.authorName) || 'Anonymous'),
            cancelUrl: `${page.path}#respond`,
            user: page.user?.displayName,
            requireNameEmail: requireNameEmail === 'on',
            honeypot: HONEYPOT,
          }
        : undefined,
      loginUrl:
        isOpen && !mayComment ? `/wp-login.php?redirect_to=${encodeURIComponent(`${page.path}#respond`)}` : undefined,
      closed: !isOpen && !page.locked && comments.length > 0,
      replyUrl: (comment) =>
        mayComment && threadComments === 'on' && comment.status === 'approved'
          ? `${page.path}${page.path.includes('?') ? '&' : '?'}replytocom=${comment.id}#respond`
          : undefined,
    }
  }
}

function byTime(one: Comment, other: Comment): number {
  return one.dateGmt < other.dateGmt ? -1 : one.dateGmt > other.dateGmt ? 1 : one.id - other.id
}
