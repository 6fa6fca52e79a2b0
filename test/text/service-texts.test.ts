import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import { freePort } from '../support/free-port.ts'
import { openSession } from '../support/session.ts'

// cspell:ignore aktivieren allgemeine benachrichtigungen bereits besucher besuchte betreff eingerichtet einrichtung entfernen entfernt erstellen erstes erzeugt fehler fehlerseite fehlt gefundene gesendet gesperrt inhalten jetzt kein kommentare kontakt ladezeit lokal minimieren obwohl rechtlichen schalten sehen seite sekunden senden unter weiterhin zeile zulassen
describe('texts of the services', () => {
  const { publicKey, privateKey } = generateLicenseKeyPair()
  let site: TestHost
  before(async () => {
    site = await createTestHost({ services: true, config: { licensePublicKey: publicKey } })
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

  const data = async (method: string, path: string) =>
    JSON.parse(await (await site.request(path, { method, as: 'administrator' })).text()).data

  /** The administrator of requests has English for a while. */
  async function asEnglishAdministrator(work: () => Promise<unknown>): Promise<void> {
    const { users } = site.host.auth
    // The first request creates the user.
    await site.get('/wp-json/', { as: 'administrator' })
    const { id = 0 } = (await users.getByLogin('test-administrator')) ?? {}
    await users.update(id, { locale: 'en_US' })
    try {
      await work()
    } finally {
      await users.update(id, { locale: '' })
    }
  }

  /** The session of a new administrator. */
  async function sessionOf(login: string, locale: string): Promise<Readonly<Record<string, string>>> {
    const { auth } = site.host
    const user = { login, email: `${login}@example.org`, locale, roles: ['administrator'] }
    const { Cookie } = await openSession(auth, await auth.users.create(user))
    return { Cookie }
  }

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

  describe('of pages without the theme', () => {
    it('are in the language of the site: removed pages', async () => {
      for (const [source, status] of [
        ['/fort', 410],
        ['/gesperrt', 451],
      ] as const)
        await site.request('/wp-json/seo/v1/redirects', {
          method: 'POST',
          as: 'administrator',
          body: { source, status },
        })
      const gone = await page('/fort')
      expect(gone).to.contain('<html lang="de-DE" dir="ltr">').and.contain('<h1>Seite entfernt</h1>')
      expect(await page('/gesperrt')).to.contain('<h1>Aus rechtlichen Gründen nicht verfügbar</h1>')
      await inEnglish(async () => expect(await page('/fort')).to.contain('<h1>Page removed</h1>'))
    })

    it('are in the language of the administrator: errors in templates', async () => {
      const folder = join(site.host.config.siteDir, 'themes/kaputt')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, '404.eta'), '<% it.nothing.here %>')
      await site.host.settings.get('host')?.update({ theme: 'kaputt' })
      const headers = await sessionOf('erika', 'de_DE')
      const shown = await (await site.get('/fehlt', { headers })).text()
      expect(shown)
        .to.contain('<html lang="de-DE" dir="ltr">')
        .and.contain('<h1>Fehler in einer Vorlage des Themes</h1>')
      expect(shown)
        .to.contain('themes/kaputt/404.eta, Zeile 1')
        .and.contain('Besucher sehen eine allgemeine Fehlerseite.')
      const english = await sessionOf('emma', 'en_US')
      expect(await (await site.get('/fehlt', { headers: english })).text()).to.contain('Template error in the theme')
      await site.host.settings.get('host')?.update({ theme: 'default' })
    })
  })

  describe('of privacy', () => {
    it('are in the language of the site, also for an administrator with another one: the suggested policy', async () => {
      await asEnglishAdministrator(async () => {
        const { sections } = await data('GET', '/wp-json/host/v1/privacy/policy-text')
        const titles = sections.map(({ title }: { title: string }) => title)
        expect(titles).to.include.members(['Wer wir sind', 'Kommentare', 'Push-Benachrichtigungen', 'Backups', 'KI'])
        expect(titles).to.include.members(['Nicht gefundene Seiten', 'Ladezeit der Seiten'])
        const text = sections.flatMap(({ paragraphs }: { paragraphs: string[] }) => paragraphs).join('\n')
        expect(text).not.to.match(/\b(we|the|your)\b/i)
      })
    })
  })

  describe('of the test email', () => {
    const send = () =>
      site.request('/wp-json/host/v1/mail/test', {
        method: 'POST',
        as: 'administrator',
        body: { to: 'ada@example.org' },
      })
    const lastMail = () => {
      const folder = join(site.host.config.siteDir, 'mail')
      const [last] = readdirSync(folder)
        .map((name) => join(folder, name))
        .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
      return readFileSync(last ?? '', 'utf8').replaceAll('=3D', '=')
    }

    it('are in the language of the administrator', async () => {
      expect((await send()).status).to.equal(200)
      expect(lastMail()).to.contain('Test-E-Mail').and.contain('<html lang="de-DE"')
      await asEnglishAdministrator(async () => {
        expect((await send()).status).to.equal(200)
        expect(lastMail()).to.contain('This is a test email.').and.contain('<html lang="en-US"')
      })
    })

    it('say in that language why it was not sent', async () => {
      const settings = site.host.settings.get('mail')
      await settings?.update({ smtpHost: '127.0.0.1', smtpPort: await freePort() })
      const { message } = JSON.parse(await (await send()).text())
      expect(message).to.match(
        /^Die E-Mail konnte nicht gesendet werden: .+ECONNREFUSED.+\. Prüfen Sie den SMTP-Server/,
      )
      await settings?.update({ smtpHost: '' })
    })
  })

  describe('of recommendations', () => {
    const titles = async (path: string) => {
      const { actionItems, items = actionItems } = await data('GET', path)
      return items.map(({ title }: { title: string }) => title)
    }
    const seo = () => titles('/wp-json/seo/v1/overview')
    const descriptions = async () =>
      (await data('GET', '/wp-json/speed/v1/action-items/fetch')).items.map(
        ({ description }: { description: string }) => description,
      )

    it('are in the language of the administrator, else of the site', async () => {
      await site.host.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))
      await site.host.settings.get('speed')?.update({ cacheTtlSeconds: 600, minifyHtml: 'off' })
      expect(await seo()).to.include('SEO-Einrichtung abschließen')
      expect(await titles('/wp-json/pwa/v1/pwa-score/fetch')).to.include('App-Icon auswählen')
      expect(await titles('/wp-json/speed/v1/action-items/fetch')).to.include('HTML minimieren')
      expect(await descriptions()).to.include(
        'Seiten werden alle 600 Sekunden neu erzeugt, obwohl Änderungen an Inhalten sie bereits aus dem Cache entfernen.',
      )
      await asEnglishAdministrator(async () => {
        expect(await seo()).to.include('Complete the SEO setup')
        expect(await titles('/wp-json/pwa/v1/pwa-score/fetch')).to.include('Choose an app icon')
        expect(await descriptions()).to.include(
          'Pages are re-rendered every 600 seconds, although content changes already purge them.',
        )
      })
    })
  })

  describe('of Site Health', () => {
    const findings = async () => {
      const found: { check: string; message: string; fix: string }[] = (
        await data('GET', '/wp-json/host/v1/site-health')
      ).findings
      return (check: string) => found.filter((finding) => finding.check === check)
    }
    const overview = async () => (await data('GET', '/wp-json/backup/v1/backup/overview')).actionItems

    it('are in the language of the administrator, as are recommendations for backups', async () => {
      await site.host.settings.get('speed')?.update({ pageCache: 'off' })
      const german = await findings()
      expect(german('backups')[0]?.message).to.contain('Diese Website hat noch kein Backup.')
      expect(german('backups').map(({ fix }) => fix)).to.include('Unter „Backup“: Erstes Backup erstellen.')
      expect(german('email')[0]?.message).to.contain('Es ist kein SMTP-Server eingerichtet')
      expect(german('page cache')[0]).to.include({ fix: 'Schalten Sie ihn unter „Performance“ ein.' })
      expect(german('security')[0]?.message).to.contain('Die Website ist lokal')
      expect(german('database')[0]?.message).to.match(/^SQLite .+ antwortet\.$/)
      expect(german('extensions').at(-1)?.message).to.contain('Aktiv: ')
      expect(german('disk')[0]?.message).to.contain('ist schreibbar')
      expect((await overview()).map(({ title }: { title: string }) => title)).to.include('Erstes Backup erstellen')
      await asEnglishAdministrator(async () => {
        const english = await findings()
        expect(english('backups').map(({ fix }) => fix)).to.include(
          'Create your first backup in the admin under Backup.',
        )
        expect(english('email')[0]?.message).to.contain('No SMTP server is configured')
        expect((await overview()).map(({ title }: { title: string }) => title)).to.include('Create your first backup')
      })
    })
  })
})
