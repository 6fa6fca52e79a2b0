import type Koa from 'koa'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { type Moderation, type ModerationLinks, STATUS_OF } from '../content/discussion/moderation-links.ts'
import type { Content } from '../content/types.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import { plainText } from '../text/plain-text.ts'
import { messages, page } from './pages.ts'
import { respond } from './response.ts'

const LOGIN = '/wp-login.php'
const ACTION = 'moderate-comment'
const LABELS: Readonly<Record<Moderation, string>> = {
  approve: 'Approve',
  spam: 'Mark as spam',
  trash: 'Move to trash',
}
const DONE: Readonly<Record<Moderation, string>> = {
  approve: 'The comment was approved.',
  spam: 'The comment was marked as spam.',
  trash: 'The comment was moved to the trash.',
}

interface Parts {
  readonly links: ModerationLinks
  readonly content: Pick<Content, 'posts' | 'link'>
  readonly config: { readonly url: string }
  /** Read on each request: the title may change. */
  readonly siteTitle: () => string
}

/** The page behind the links in emails about comments. It has buttons, because mail programs open links too. */
export function registerCommentModeration(
  addresses: FixedAddresses,
  { links, content, config, siteTitle }: Parts,
): void {
  const isMine = (context: Koa.Context) => queryOf(context).get('action') === ACTION
  const show = (context: Koa.Context, status: number, body: string) =>
    respond(context, status, page('Moderate comment', siteTitle(), `<h1>Moderate comment</h1>\n${body}`))

  async function attempt(context: Koa.Context, work: () => Promise<string>): Promise<void> {
    try {
      show(context, 200, await work())
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      const admin = '<p><a href="/wp-admin/comments">Go to the comments</a></p>'
      show(context, error.status, `${messages(error.message)}\n${admin}`)
    }
  }

  addresses.get(LOGIN, (context, next) => {
    if (!isMine(context)) return next()
    return attempt(context, async () => {
      const query = queryOf(context)
      const key = query.get('key') ?? ''
      const comment = await links.check(key)
      // The action of the link comes first.
      const first = readModeration(query.get('do'))
      const rest = Object.keys(LABELS).filter((name) => name !== first)
      const button = (name: string) =>
        isModeration(name) ? `<p><button type="submit" name="do" value="${name}">${LABELS[name]}</button></p>` : ''
      return `<p><strong>${escapeHtml(plainText(comment.authorName) || 'Anonymous')}</strong></p>
<p>${escapeHtml(plainText(comment.content))}</p>
<form method="post" action="${LOGIN}?action=${ACTION}">
<input type="hidden" name="key" value="${escapeHtml(key)}">
${[first, ...rest].map(button).join('\n')}
</form>`
    })
  })
  addresses.post(LOGIN, async (context, next) => {
    if (!isMine(context)) return next()
    const fields = await readForm(context.req)
    return attempt(context, async () => {
      if (!isOwnForm(context.req, config.url)) {
        throw new RestError('rest_forbidden', 'This form was submitted from another site.', { status: 403 })
      }
      const moderation = readModeration(fields.get('do'))
      const comment = await links.moderate(fields.get('key') ?? '', moderation)
      const post = await content.posts.get(comment.postId)
      const link =
        post && moderation === 'approve' ? `${content.link(post)}#comment-${comment.id}` : '/wp-admin/comments'
      return `${messages(undefined, DONE[moderation])}
<p><a href="${escapeHtml(link)}">${moderation === 'approve' ? 'View comment' : 'Go to the comments'}</a></p>`
    })
  })
}

function isModeration(name: string | null): name is Moderation {
  return name !== null && Object.hasOwn(STATUS_OF, name)
}

/** @throws RestError 400 `rest_invalid_param` */
function readModeration(name: string | null): Moderation {
  if (isModeration(name)) return name
  throw new RestError('rest_invalid_param', 'The action is not valid.', { status: 400 })
}
