import type Koa from 'koa'
import type { User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import { errorText } from '../text/error-text.ts'
import type { PageTexts } from '../text/translations.ts'
import { messages, type PageLook, page, type ReadLook } from './pages.ts'
import { respond } from './response.ts'

const LOGIN = '/wp-login.php'

/** The page behind a link in an email, `/wp-login.php?action=…&key=…`. */
export interface EmailLink {
  readonly action: string
  /** HTML. */
  title(texts: PageTexts): string
  /** HTML after the message of an error: where the reader can go. */
  afterError?(texts: PageTexts): string
  /** The user to whom the link was sent. */
  readerOf?(key: string): Promise<User | undefined>
  /** What is shown above the buttons, which submit the key of the link. @throws RestError that is shown */
  ask(
    key: string,
    texts: PageTexts,
    query: URLSearchParams,
  ): Promise<{ readonly text: string; readonly buttons: string }>
  /** What a button does. @returns HTML; `undefined` if it has responded @throws RestError that is shown */
  act(key: string, texts: PageTexts, fields: URLSearchParams, context: Koa.Context): Promise<string | undefined>
}

/** Adds the page behind a link in an email. It has buttons, because mail programs open links too. */
export function registerEmailLink(
  addresses: FixedAddresses,
  { config, look }: { readonly config: { readonly url: string }; readonly look: ReadLook },
  { action, title, afterError, readerOf, ask, act }: EmailLink,
): void {
  const isMine = (context: Koa.Context) => queryOf(context).get('action') === action
  const show = (context: Koa.Context, status: number, site: PageLook, body: string) =>
    respond(context, status, page(title(site.texts), site, `<h1>${title(site.texts)}</h1>\n${body}`))

  async function attempt(
    context: Koa.Context,
    key: string,
    work: (texts: PageTexts) => Promise<string | undefined>,
  ): Promise<void> {
    const site = await look(await readerOf?.(key))
    try {
      const body = await work(site.texts)
      if (body !== undefined) show(context, 200, site, body)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      const after = afterError === undefined ? '' : `\n${afterError(site.texts)}`
      show(context, error.status, site, messages(errorText(site.texts, error)) + after)
    }
  }

  addresses.get(LOGIN, (context, next) => {
    if (!isMine(context)) return next()
    const query = queryOf(context)
    const key = query.get('key') ?? ''
    return attempt(context, key, async (texts) => {
      const { text, buttons } = await ask(key, texts, query)
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
    const key = fields.get('key') ?? ''
    return attempt(context, key, async (texts) => {
      if (!isOwnForm(context.req, config.url)) {
        throw new RestError('rest_forbidden', 'This form was submitted from another site.', { status: 403 })
      }
      return act(key, texts, fields, context)
    })
  })
}
