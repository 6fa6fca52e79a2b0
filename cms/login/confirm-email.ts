import type Koa from 'koa'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { EmailChanges } from '../accounts/email-change.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import { messages, page } from './pages.ts'
import { respond } from './response.ts'

const LOGIN = '/wp-login.php'
const ACTION = 'confirmemail'

interface Parts {
  readonly emailChanges: EmailChanges
  readonly config: { readonly url: string }
  /** Read on each request: the title may change. */
  readonly siteTitle: () => string
}

/** The page behind the link that confirms a new email address. It has a button, because mail programs open links too. */
export function registerEmailConfirmation(addresses: FixedAddresses, { emailChanges, config, siteTitle }: Parts): void {
  const isMine = (context: Koa.Context) => queryOf(context).get('action') === ACTION
  const show = (context: Koa.Context, status: number, body: string) =>
    respond(
      context,
      status,
      page('Confirm your email address', siteTitle(), `<h1>Confirm your email address</h1>\n${body}`),
    )

  async function attempt(context: Koa.Context, work: () => Promise<string>): Promise<void> {
    try {
      show(context, 200, await work())
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      show(
        context,
        error.status,
        `${messages(error.message)}\n<p><a href="/wp-admin/profile">Go to your profile</a></p>`,
      )
    }
  }

  addresses.get(LOGIN, (context, next) => {
    if (!isMine(context)) return next()
    const key = queryOf(context).get('key') ?? ''
    return attempt(context, async () => {
      const { user, email } = await emailChanges.check(key)
      return `<p>Change the email address of ${escapeHtml(user.login)} to <strong>${escapeHtml(email)}</strong>?</p>
<form method="post" action="${LOGIN}?action=${ACTION}">
<input type="hidden" name="key" value="${escapeHtml(key)}">
<p><button type="submit">Confirm</button></p>
</form>`
    })
  })
  addresses.post(LOGIN, async (context, next) => {
    if (!isMine(context)) return next()
    const key = (await readForm(context.req)).get('key') ?? ''
    return attempt(context, async () => {
      if (!isOwnForm(context.req, config.url)) {
        throw new RestError('rest_forbidden', 'This form was submitted from another site.', { status: 403 })
      }
      const { email } = await emailChanges.confirm(key)
      return `<p>Your email address is now <strong>${escapeHtml(email)}</strong>.</p>
<p><a class="button" href="/wp-admin/">Go to the dashboard</a></p>`
    })
  })
}
