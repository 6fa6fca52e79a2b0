import type Koa from 'koa'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import { messages, page, type SiteBrand } from './pages.ts'
import { respond } from './response.ts'

const LOGIN = '/wp-login.php'

/** The page behind a link in an email, `/wp-login.php?action=…&key=…`. */
export interface EmailLink {
  readonly action: string
  readonly title: string
  /** HTML after the message of an error: where the reader can go. */
  readonly afterError?: string
  /** What is shown above the buttons, which submit the key of the link. @throws RestError that is shown */
  ask(key: string, query: URLSearchParams): Promise<{ readonly text: string; readonly buttons: string }>
  /** What a button does. @returns HTML; `undefined` if it has responded @throws RestError that is shown */
  act(key: string, fields: URLSearchParams, context: Koa.Context): Promise<string | undefined>
}

/** Adds the page behind a link in an email. It has buttons, because mail programs open links too. */
export function registerEmailLink(
  addresses: FixedAddresses,
  /** The brand is read on each request: it may change. */
  { config, brand }: { readonly config: { readonly url: string }; readonly brand: () => Promise<SiteBrand> },
  { action, title, afterError, ask, act }: EmailLink,
): void {
  const isMine = (context: Koa.Context) => queryOf(context).get('action') === action
  const show = async (context: Koa.Context, status: number, body: string) =>
    respond(context, status, page(title, await brand(), `<h1>${title}</h1>\n${body}`))

  async function attempt(context: Koa.Context, work: () => Promise<string | undefined>): Promise<void> {
    try {
      const body = await work()
      if (body !== undefined) await show(context, 200, body)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      await show(context, error.status, messages(error.message) + (afterError === undefined ? '' : `\n${afterError}`))
    }
  }

  addresses.get(LOGIN, (context, next) => {
    if (!isMine(context)) return next()
    return attempt(context, async () => {
      const query = queryOf(context)
      const key = query.get('key') ?? ''
      const { text, buttons } = await ask(key, query)
      return `${text}
<form method="post" action="${LOGIN}?action=${action}">
<input type="hidden" name="key" value="${escapeHtml(key)}">
${buttons}
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
      return act(fields.get('key') ?? '', fields, context)
    })
  })
}
