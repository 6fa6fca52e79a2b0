import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { registerEmailLink } from '../login/email-link.ts'
import type { SiteBrand } from '../login/pages.ts'
import { respond } from '../login/response.ts'
import type { PrivacyRequests } from './requests.ts'
import type { PersonalDataGroup } from './types.ts'

const TITLE = 'Personal data'

interface Parts {
  readonly requests: PrivacyRequests
  readonly config: { readonly url: string }
  readonly brand: () => Promise<SiteBrand>
}

/** The pages behind the links in emails about requests. */
export function registerPrivacyPages(addresses: FixedAddresses, { requests, ...site }: Parts): void {
  registerEmailLink(addresses, site, {
    // WordPress's name.
    action: 'confirmaction',
    title: TITLE,
    async ask(key) {
      const { type, email } = await requests.check(key)
      const what = type === 'export' ? 'Export' : 'Erase'
      return {
        text: `<p>${what} the personal data of <strong>${escapeHtml(email)}</strong>?</p>`,
        buttons: '<p><button type="submit">Confirm</button></p>',
      }
    },
    async act(key) {
      await requests.confirm(key)
      return '<p>Thank you for confirming your request. The site administrator has been notified.</p>'
    },
  })
  registerEmailLink(addresses, site, {
    action: 'personal-data',
    title: TITLE,
    async ask(key) {
      const { email } = await requests.checkDownload(key)
      return {
        text: `<p>Download the data that this site stores about ${escapeHtml(email)}.</p>`,
        buttons: `<p><button type="submit" name="format" value="html">Download as a web page</button></p>
<p><button type="submit" name="format" value="json">Download as JSON</button></p>`,
      }
    },
    async act(key, fields, context) {
      const { email } = await requests.checkDownload(key)
      const groups = await requests.dataOf(email)
      const isJson = fields.get('format') === 'json'
      const text = isJson
        ? JSON.stringify({ email, groups }, null, 2)
        : dataPage((await site.brand()).title, email, groups)
      respond(context, 200, text)
      context.type = isJson ? 'json' : 'html'
      context.attachment(isJson ? 'personal-data.json' : 'personal-data.html')
      return undefined
    },
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
