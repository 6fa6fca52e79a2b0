import { createHmac, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { type ExtensionHost, escapeHtml, type Scripts } from 'pentad'
import type { HelpdeskTexts } from './default-texts.ts'
import { helpdeskTexts } from './texts.ts'

/** Data of a contact form in a page, the same for all visitors, because pages are cached. */
interface FormSettings {
  /** Absolute URL of the routes. */
  readonly api: string
  /** See `ContactForms`. */
  readonly form: string
  readonly texts: HelpdeskTexts
}

/** Contact forms that are blocks of posts and pages. They work while the helpdesk is turned off. */
export interface ContactForms {
  /** Whether a message has the token that forms contain: the owner of the site has added one to a page. */
  isToken(token: string): boolean
}

/** Registers the block `pentad/contact-form`. */
export function registerContactForm(
  host: Pick<ExtensionHost, 'content' | 'hooks' | 'rest' | 'site' | 'textsFor'>,
  { scripts }: { scripts: Scripts },
): ContactForms {
  const { content, rest, site } = host
  const form = createHmac('sha256', site.key('contact forms')).update('pentad/contact-form').digest('base64url')
  const source = join(import.meta.dirname, 'source', 'contact-form.browser.js')
  const script = scripts.publish('contact-form', 'js', () => scripts.bundle([source]))

  content.registerBlockType('pentad/contact-form', {
    title: 'Contact form',
    isSelfClosing: true,
    async renderCallback() {
      const src = await script()
      if (src === undefined) return ''
      const texts = await helpdeskTexts(host)
      const data: FormSettings = { api: rest.url('/ai/v1/helpdesk-agent'), form, texts }
      return (
        `<div class="wp-block-pentad-contact-form"><script type="application/json" class="contact-form-data">` +
        `${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>` +
        `<noscript><p>${escapeHtml(texts.withoutScript)}</p></noscript>` +
        `<script async src="${src}"></script></div>`
      )
    },
  })

  return {
    isToken(token) {
      const [given, expected] = [Buffer.from(token), Buffer.from(form)]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
