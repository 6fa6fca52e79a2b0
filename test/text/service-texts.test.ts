import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'

// cspell:ignore aktivieren bereits besuchte betreff jetzt kontakt senden weiterhin zulassen
describe('texts of the services', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ services: true })
    const { content, settings } = site.host
    await content.updateSiteSettings({ language: 'de_DE' })
    await settings.get('ai')?.update({ helpdeskAgent: 'on' })
    await settings
      .get('pwa')
      ?.update({ installPrompts: 'on', pushPrompt: 'on', offlineNotice: 'on', offlineCache: 'on' })
    const block = '<!-- wp:pentad/contact-form /-->'
    await content.posts.insert({ type: 'page', status: 'publish', title: 'Kontakt', slug: 'kontakt', content: block })
  })
  after(() => site?.close())

  const page = async (path: string) => (await site.get(path)).text()
  const dataOf = (html: string, mark: string) =>
    JSON.parse(new RegExp(`<script type="application/json" ${mark}>(.+?)</script>`).exec(html)?.[1] ?? '{}')

  /** Changes the language of the site for a while. */
  async function inEnglish(work: () => Promise<unknown>): Promise<void> {
    await site.host.content.updateSiteSettings({ language: 'en_US' })
    try {
      await work()
    } finally {
      await site.host.content.updateSiteSettings({ language: 'de_DE' })
    }
  }

  describe('of the helpdesk', () => {
    it('are in the language of the site: the widget, the contact form, and what is shown without scripts', async () => {
      const html = await page('/kontakt/')
      expect(dataOf(html, 'id="ai-helpdesk"').texts).to.include({ name: 'Ihr Name', askInstead: 'Zurück zum Chat' })
      expect(dataOf(html, 'class="contact-form-data"').texts).to.include({ send: 'Senden', subject: 'Betreff' })
      expect(html).to.contain('<noscript><p>Aktivieren Sie JavaScript')
      await inEnglish(async () => {
        const english = await page('/kontakt/')
        expect(dataOf(english, 'id="ai-helpdesk"').texts).to.include({ name: 'Your name', askInstead: 'Back to chat' })
        expect(english).to.contain('<noscript><p>Turn on JavaScript')
      })
    })
  })

  describe('of the app', () => {
    it('are in the language of the site: on pages, and in the service worker', async () => {
      const worker = async () => page('/wp-content/uploads/pwa/scripts/serviceworker.js')
      expect(dataOf(await page('/'), 'id="pwa-settings"').texts).to.include({
        ...{ notNow: 'Jetzt nicht', installText: 'Installieren Sie diese Website als App', allow: 'Zulassen' },
        offline: 'Sie sind offline. Bereits besuchte Seiten sind weiterhin verfügbar.',
      })
      expect(await worker()).to.contain('"Sie sind offline"')
      await inEnglish(async () => {
        expect(dataOf(await page('/'), 'id="pwa-settings"').texts).to.include({ notNow: 'Not now' })
        expect(await worker()).to.contain('"You are offline"')
      })
    })

    it('stay what the owner wrote, or what an extension returns', async () => {
      await site.host.settings.get('pwa')?.update({ installPromptText: 'Get our app' })
      const remove = site.host.hooks.addFilter('pwa_texts', (texts) => ({ ...texts, allow: `${texts.allow}!` }))
      const { install, texts } = dataOf(await page('/'), 'id="pwa-settings"')
      expect([install.text, texts.allow, texts.close]).to.deep.equal(['Get our app', 'Zulassen!', 'Schließen'])
      remove()
      await site.host.settings.get('pwa')?.update({ installPromptText: '' })
    })
  })
})
