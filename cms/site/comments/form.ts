import type Koa from 'koa'
import { z } from 'zod'
import { ANONYMOUS } from '../../../core/auth/identify.ts'
import type { Auth, User } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Discussion } from '../../content/discussion/types.ts'
import type { Comment, Content, Post } from '../../content/types.ts'
import { isOwnForm, readForm } from '../../http/request-form.ts'
import type { TextsFor } from '../../text/translations.ts'
import type { Visibility } from '../page/visibility.ts'
import type { PostPasswords } from '../post-password.ts'
import { commentErrorPage } from './error-page.ts'

export const COMMENTS_PATH = '/wp-comments-post.php'
/** Honeypot field, hidden from people. */
export const HONEYPOT = 'contact_me_by_fax'

/** Maximum size of a form in bytes: the longest comment, percent-encoded. */
const FORM_LIMIT = 256 * 1024
const USER_AGENT = 254

const id = z.coerce.number().int().min(0).max(2_147_483_647).catch(0)
const email = z.email()
const url = z.url({ protocol: /^https?$/ })

/**
 * Handles the comment form, WordPress's `wp-comments-post.php`: stores the comment and redirects to it, or shows an
 * error page. Other requests pass through.
 */
export function createCommentForm(parts: {
  content: Content
  auth: Auth
  discussion: Discussion
  hooks: Hooks
  passwords: Pick<PostPasswords, 'isLocked'>
  visibility: Visibility
  textsFor: TextsFor
  /** Site URL. */
  origin: string
}): Koa.Middleware {
  const { content, auth, discussion, hooks, passwords, visibility, textsFor, origin } = parts

  /** @throws RestError as `wp_handle_comment_submission` */
  async function checkPost(post: Post | undefined, user: User | null, cookie: string | undefined): Promise<Post> {
    if (!post || !(await visibility.mayRead(post, user, false))) {
      throw new RestError('comment_id_not_found', 'Sorry, comments are not available for this item.', { status: 404 })
    }
    if (!discussion.isOpen(post)) throw forbidden('comment_closed', 'Sorry, comments are closed for this item.')
    if (passwords.isLocked(post, cookie)) {
      throw forbidden(
        'comment_on_password_protected',
        'Sorry, this post is password protected. Enter its password to comment.',
      )
    }
    if (!user && discussion.settings().commentRegistration === 'on') {
      throw forbidden('not_logged_in', 'Sorry, you must be logged in to comment.')
    }
    return post
  }

  /** The commenter: the signed-in user, or the name and email in the form. */
  function author(form: URLSearchParams, user: User | null) {
    if (user) {
      return { userId: user.id, authorName: user.displayName, authorEmail: user.email, authorUrl: user.url }
    }
    const authorName = (form.get('author') ?? '').trim()
    const authorEmail = (form.get('email') ?? '').trim()
    const isNeeded = discussion.settings().requireNameEmail === 'on'
    if (isNeeded && (authorName === '' || authorEmail === '')) {
      throw bad('require_name_email', 'Please fill in your name and your email address.')
    }
    if (authorEmail !== '' && !email.safeParse(authorEmail).success) {
      throw bad('require_valid_email', 'Please enter a valid email address.')
    }
    return { userId: 0, authorName, authorEmail, authorUrl: siteOf(form.get('url') ?? '') }
  }

  async function parentOf(form: URLSearchParams, post: Post): Promise<number> {
    const parentId = id.parse(form.get('comment_parent') ?? 0)
    if (parentId === 0 || discussion.settings().threadComments === 'off') return 0
    const parent = await content.comments.get(parentId)
    if (parent?.postId === post.id && parent.status === 'approved') return parentId
    const message = 'Sorry, replies to unapproved comments are not allowed.'
    throw forbidden('comment_reply_to_unapproved_comment', message)
  }

  async function store(context: Koa.Context, form: URLSearchParams, user: User | null): Promise<string> {
    const cookie = context.headers.cookie
    const post = await checkPost(await content.posts.get(id.parse(form.get('comment_post_ID') ?? 0)), user, cookie)
    const submission = {
      ...author(form, user),
      postId: post.id,
      parentId: await parentOf(form, post),
      content: (form.get('comment') ?? '').replace(/\r\n?/g, '\n').trim(),
      authorAddress: context.state.clientAddress,
      userAgent: context.get('user-agent').slice(0, USER_AGENT),
      ...{ date: '', dateGmt: '' },
    }
    if (submission.content === '' && !hooks.applyFilters('allow_empty_comment', false, submission)) {
      throw bad('require_valid_comment', 'Please type your comment text.')
    }
    return addressOf(await discussion.submit(submission, { sender: user }), post)
  }

  /** URL of the comment; a pending comment is shown at this URL for a while. */
  function addressOf(comment: Comment, post: Post): string {
    const address = new URL(content.link(post))
    if (comment.status !== 'approved') {
      address.searchParams.set('unapproved', String(comment.id))
      address.searchParams.set('moderation-hash', discussion.moderationHash(comment))
    }
    address.hash = `comment-${comment.id}`
    return address.href
  }

  return async (context) => {
    context.set('Cache-Control', 'no-store')
    const { cookie } = context.headers
    const address = context.state.clientAddress
    const identity = cookie === undefined ? ANONYMOUS : await auth.identifyPage({ cookie, address })
    currentRequest()?.identify(identity)
    const { user } = identity
    try {
      if (!isOwnForm(context.req, origin)) {
        const message = 'This comment was sent from another website. Please use the comment form on the page itself.'
        throw forbidden('invalid_origin', message)
      }
      if (!user) await discussion.allow(address)
      const form = await readForm(context.req, FORM_LIMIT)
      if (form.get(HONEYPOT)) {
        const message =
          'This comment looks like spam because a hidden field was filled in. Please leave that field empty and try again.'
        throw forbidden('comment_spam', message)
      }
      context.redirect(await store(context, form, user))
      context.status = 302
      context.body = ''
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      context.status = error.status
      context.set({ ...error.headers })
      context.type = 'html'
      context.body = commentErrorPage(await textsFor(user), error)
    }
  }
}

/** A URL without a scheme gets one; an invalid URL is dropped. */
function siteOf(text: string): string {
  const given = text.trim()
  if (given === '') return ''
  const address = /^https?:\/\//i.test(given) ? given : `http://${given}`
  return url.safeParse(address).success ? address : ''
}

function bad(code: string, message: string): RestError {
  return new RestError(code, message, { status: 400 })
}

function forbidden(code: string, message: string): RestError {
  return new RestError(code, message, { status: 403 })
}
