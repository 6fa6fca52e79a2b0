import type { User, Users } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { Logger } from '../../core/log.ts'
import { registerEmailLink } from '../login/email-link.ts'
import type { ReadLook } from '../login/pages.ts'
import { respond } from '../login/response.ts'
import type { PageTexts } from '../text/translations.ts'
import type { PrivacyRequests } from './requests.ts'
import type { PersonalDataGroup, PrivacyRequest } from './types.ts'

const title = ({ esc_html__ }: PageTexts) => esc_html__('Personal data')

interface Parts {
  readonly requests: PrivacyRequests
  readonly users: Pick<Users, 'getByEmail'>
  readonly config: { readonly url: string }
  readonly look: ReadLook
  readonly log: Logger
}

/** The pages behind the links in emails about requests. */
export function registerPrivacyPages(addresses: FixedAddresses, { requests, users, log, ...site }: Parts): void {
  /** The account of the person, if there is one. */
  const personOf = (found: Promise<PrivacyRequest>): Promise<User | undefined> =>
    found.then(
      ({ email }) => users.getByEmail(email),
      () => undefined,
    )

  /** IDs of extensions are for administrators only; the person gets a general message. @throws RestError 500 `privacy_extension_failed` */
  async function dataFor(email: string): Promise<readonly PersonalDataGroup[]> {
    try {
      return await requests.dataOf(email)
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'privacy_extension_failed')) throw error
      log.error({ err: error }, 'personal data could not be exported')
      const message = 'Your data could not be read. Please try again later, or contact the site administrator.'
      throw new RestError('privacy_extension_failed', message, { status: 500 })
    }
  }

  registerEmailLink(addresses, site, {
    // WordPress's name.
    action: 'confirmaction',
    title,
    readerOf: (key) => personOf(requests.check(key)),
    async ask(key, { esc_html__ }) {
      const { type, email } = await requests.check(key)
      const who = `<strong>${escapeHtml(email)}</strong>`
      const question =
        type === 'export'
          ? esc_html__('Export the personal data of %s?', who)
          : esc_html__('Erase the personal data of %s?', who)
      return {
        text: `<p>${question}</p>`,
        buttons: `<p><button type="submit">${esc_html__('Confirm')}</button></p>`,
      }
    },
    async act(key, { esc_html__ }) {
      await requests.confirm(key)
      return `<p>${esc_html__('Thank you for confirming your request. The site administrator has been notified.')}</p>`
    },
  })
  registerEmailLink(addresses, site, {
    action: 'personal-data',
    title,
    readerOf: (key) => personOf(requests.checkDownload(key)),
    async ask(key, { esc_html__ }) {
      const { email } = await requests.checkDownload(key)
      return {
        text: `<p>${esc_html__('Download the data that this site stores about %s.', escapeHtml(email))}</p>`,
        buttons: `<p><button type="submit" name="format" value="html">${esc_html__('Download as a web page')}</button></p>
<p><button type="submit" name="format" value="json">${esc_html__('Download as JSON')}</button></p>`,
      }
    },
    async act(key, texts, fields, context) {
      const { email } = await requests.checkDownload(key)
      const groups = await dataFor(email)
      const isJson = fields.get('format') === 'json'
      const text = isJson
        ? JSON.stringify({ email, groups }, null, 2)
        : dataPage(texts, (await site.look()).title, email, groups)
      respond(context, 200, text)
      context.type = isJson ? 'json' : 'html'
      context.attachment(isJson ? 'personal-data.json' : 'personal-data.html')
      return undefined
    },
  })
}

/** A document of its own, which needs nothing from the site. */
function dataPage(texts: PageTexts, site: string, email: string, groups: readonly PersonalDataGroup[]): string {
  const { esc_html__, language, direction } = texts
  const row = ({ name, value }: { name: string; value: string }) =>
    `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`
  const tables = groups.map(({ label, items }) => {
    const shown = items.map(({ data }) => `<table>${data.map(row).join('')}</table>`)
    return `<h2>${escapeHtml(label)}</h2>\n${shown.join('\n')}`
  })
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${title(texts)}</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto } table { margin-bottom: 1rem } th { text-align: start; vertical-align: top; padding-inline-end: 1rem; white-space: nowrap } td { white-space: pre-wrap; overflow-wrap: anywhere }</style>
</head>
<body>
<h1>${title(texts)}</h1>
<p>${escapeHtml(site)}: ${escapeHtml(email)}</p>
${tables.length > 0 ? tables.join('\n') : `<p>${esc_html__('This site stores no data associated with this email address.')}</p>`}
</body>
</html>
`
}
