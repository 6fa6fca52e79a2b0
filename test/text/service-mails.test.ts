import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

// cspell:ignore abgeschlossen datenbank dauer funktioniert gesendet guten inhalt kontaktformular monat nachricht teeladen versand
describe('emails of the services', () => {
  let site: TestHost
  /** The last message as it goes over the wire. */
  let onTheWire = ''
  before(async () => {
    site = await createTestHost({ services: true, config: { adminEmail: 'chefin@example.org' } })
    const { auth, content, hooks, settings } = site.host
    hooks.addAction('wp_mail_succeeded', async (_message, { file = '' }) => {
      onTheWire = (await readFile(file, 'utf8')).replaceAll('=3D', '=')
    })
    await content.updateSiteSettings({ title: 'Teeladen', language: 'de_DE' })
    await settings.get('ai')?.update({ helpdeskAgent: 'on' })
    await auth.users.create({ login: 'emma', email: 'emma@example.org', locale: 'en_US', roles: ['administrator'] })
  })
  after(() => site?.close())

  const last = () => {
    const { to, subject, text = '' } = site.mails.at(-1) ?? {}
    return { to, subject, text }
  }
  const post = (path: string, body: object = {}) =>
    site.request(`/wp-json/${path}`, { method: 'POST', as: 'administrator', body })

  /** Sends one to an address without a user, which means in the language of the site, and one to a user with English. */
  async function toBoth(service: string, setting: string, send: () => Promise<Response>) {
    async function sendTo(recipient: string) {
      await site.host.settings.get(service)?.update({ [setting]: recipient })
      onTheWire = ''
      // Two backups cannot run at once: the first one may still be ending.
      await until(async () => (await send()).ok)
      await until(() => onTheWire !== '', { seconds: 60 })
      return { ...last(), onTheWire }
    }
    const german = await sendTo('')
    const english = await sendTo('emma@example.org')
    expect([german.to, english.to]).to.deep.equal(['chefin@example.org', 'emma@example.org'])
    expect(german.onTheWire).to.contain('<html lang="de-DE"')
    expect(english.onTheWire).to.contain('<html lang="en-US"')
    return { german, english }
  }

  it('are in the language of the recipient, or else of the site: messages from the contact form', async () => {
    const message = { name: 'Ada', email: 'ada@example.org', message: 'Guten Tag!' }
    const { german, english } = await toBoth('ai', 'helpdeskEmail', () => post('ai/v1/helpdesk-agent/contact', message))
    expect(german.subject).to.equal('[Teeladen] Nachricht von Ada')
    expect(german.text).to.contain(`Gesendet über das Kontaktformular auf ${site.url}`)
    expect(english.subject).to.equal('[Teeladen] Message from Ada')
    expect(english.text).to.contain(`Sent from the contact form on ${site.url}`)
  })

  it('are in that language: the test email of the SEO service', async () => {
    const { german, english } = await toBoth('seo', 'notificationEmail', () => post('seo/v1/notifications/test'))
    expect(german.subject).to.equal('[Teeladen] Test-E-Mail')
    expect(german.text).to.equal(`Dies ist eine Test-E-Mail von ${site.url}. Der Versand von E-Mails funktioniert.`)
    expect(english.text).to.equal(`This is a test email from ${site.url}. Email delivery works.`)
  })

  it('are in that language: notifications about backups', async () => {
    await site.host.settings.get('backup')?.update({ notifications: 'always' })
    const { german, english } = await toBoth('backup', 'notificationEmail', () =>
      post('backup/v1/backup/create', { title: 'Monat' }),
    )
    expect(german.subject).to.equal('[Teeladen] Backup abgeschlossen: Monat')
    expect(german.text).to.contain(`Das Backup „Monat“ von ${site.url} ist abgeschlossen.\n\nInhalt: Datenbank, `)
    expect(german.text)
      .to.match(/^Größe: \d+,\d\s[kM]B$/m)
      .and.match(/^Dauer: \d/m)
    expect(english.subject).to.equal('[Teeladen] Backup complete: Monat')
    expect(english.text)
      .to.match(/^Size: \d+\.\d [kM]B$/m)
      .and.match(/^Contents: Database, /m)
  })
})
