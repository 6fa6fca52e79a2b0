import type Koa from 'koa'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import { messages, page } from '../login/pages.ts'
import { respond } from '../login/response.ts'
import type { PrivacyRequests } from './requests.ts'
import type { PersonalDataGroup } from './types.ts'

const LOGIN = '/wp-login.php'
/** WordPress's name. */
const CONFIRM = 'confirmaction'
const DOWNLOAD = 'personal-data'

interface Parts {
  readonly requests: PrivacyRequests
  readonly config: { readonly url: string }
  /** Read on each request: the title may change. */
  readonly siteTitle: () => string
}

/** The pages behind the links in emails. They have buttons, because mail programs open links too. */
export function registerPrivacyPages(addresses: FixedAddresses, { requests, config, siteTitle }: Parts): void {
  const actionOf = (context: Koa.Context) => queryOf(context).get('action') ?? ''
  const show = (context: Koa.Context, status: number, body: string) =>
    respond(context, status, page('Personal data', siteTitle(), `<h1>Personal data</h1>\n${body}`))

  async function attempt(context: Koa.Context, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      show(context, error.status, messages(error.message))
    }
  }

  const form = (action: string, key: string, buttons: string) =>
    `<form method="post" action="${LOGIN}?action=${action}">
<input type="hidden" name="key" value="${escapeHtml(key)}">
${buttons}
</form>`

  async function ask(context: Koa.Context, action: string): Promise<void> {
    const key = queryOf(context).get('key') ?? ''
    if (action === DOWNLOAD) {
      const { email } = await requests.checkDownload(key)
      const buttons = `<p><button type="submit" name="format" value="html">Download as a web page</button></p>
<p><button type="submit" name="format" value="json">Download as JSON</button></p>`
      return show(
        context,
        200,
        `<p>Download the data that this site stores about ${escapeHtml(email)}.</p>${form(action, key, buttons)}`,
      )
    }
    const { type, email } = await requests.check(key)
    const what = type === 'export' ? 'Export' : 'Erase'
    const buttons = '<p><button type="submit">Confirm</button></p>'
    show(
      context,
      200,
      `<p>${what} the personal data of <strong>${escapeHtml(email)}</strong>?</p>${form(action, key, buttons)}`,
    )
  }

  async function act(context: Koa.Context, action: string): Promise<void> {
    const fields = await readForm(context.req)
    if (!isOwnForm(context.req, config.url)) {
      throw new RestError('rest_forbidden', 'This form was submitted from another site.', { status: 403 })
    }
    const key = fields.get('key') ?? ''
    if (action === CONFIRM) {
      await requests.confirm(key)
      return show(
        context,
        200,
        '<p>Thank you for confirming your request. The site administrator has been notified.</p>',
      )
    }
    const { email } = await requests.checkDownload(key)
    const groups = await requests.dataOf(email)
    const isJson = fields.get('format') === 'json'
    const text = isJson ? JSON.stringify({ email, groups }, null, 2) : dataPage(siteTitle(), email, groups)
    respond(context, 200, text)
    context.type = isJson ? 'json' : 'html'
    context.attachment(isJson ? 'personal-data.json' : 'personal-data.html')
  }

  const isMine = (action: string) => action === CONFIRM || action === DOWNLOAD
  addresses.get(LOGIN, (context, next) => {
    const action = actionOf(context)
    return isMine(action) ? attempt(context, () => ask(context, action)) : next()
  })
  addresses.post(LOGIN, (context, next) => {
    const action = actionOf(context)
    return isMine(action) ? attempt(context, () => act(context, action)) : next()
  })
}

/** A document of its own, which needs nothing from the site. */
function dataPage(site: string, email: string, groups: readonly PersonalDataGroup[]): string {
  const row = ({ name, value }: { name: string; value: string }) =>
    `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`
  const tables = groups.map(({ label, items }) => {
    const shown = items.map(({ data }) => `<table>${data.map(row).join('')}</table>`)
    return `<h2>${escapeHtml(label)}</h2>\n${shown.join('\n')}`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Personal data</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto } table { margin-bottom: 1rem } th { text-align: start; vertical-align: top; padding-inline-end: 1rem; white-space: nowrap } td { white-space: pre-wrap; overflow-wrap: anywhere }</style>
</head>
<body>
<h1>Personal data</h1>
<p>${escapeHtml(site)}: ${escapeHtml(email)}</p>
${tables.length > 0 ? tables.join('\n') : '<p>This site stores no data associated with this email address.</p>'}
</body>
</html>
`
}
