import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { User } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

const REQUESTS = '/wp-json/host/v1/privacy/requests'

describe('texts of the server', () => {
  let site: TestHost
  /** Users with German, with English, and without a language of their own. */
  let [german, english, neutral]: (User | undefined)[] = []
  before(async () => {
    site = await createTestHost()
    const add = (login: string, locale: string) =>
      site.host.auth.users.create({ login, email: `${login}@example.org`, locale, roles: ['author'] })
    german = await add('greta', 'de_DE')
    english = await add('emma', 'en_US')
    neutral = await add('nora', '')
  })
  after(() => site?.close())

  const inGerman = async (work: () => Promise<unknown>) => {
    await site.host.content.updateSiteSettings({ language: 'de_DE' })
    try {
      await work()
    } finally {
      await site.host.content.updateSiteSettings({ language: 'en_US' })
    }
  }
  const given = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('It was not created.')
    return value
  }
  const lastTo = (to: string) => site.mails.findLast((mail) => [mail.to].flat().includes(to))
  const textTo = (to: string) => [lastTo(to)?.subject, lastTo(to)?.text].join('\n')
  const linkIn = (to: string) => new URL(/https?:\S+wp-login\S+/.exec(textTo(to))?.[0] ?? '')
  const send = async (method: string, path: string, body?: object) =>
    JSON.parse(await (await site.request(path, { method, as: 'administrator', body })).text())

  describe('in emails about accounts', () => {
    const resetOf = async (user: User | undefined) => {
      await site.host.passwordLinks.send(given(user), 'reset', '192.0.2.1')
      return textTo(given(user).email)
    }
    it('are in the language of the recipient, or else in that of the site', async () => {
      expect(await resetOf(german))
        .to.contain('Setzen Sie Ihr Passwort zurück')
        .and.contain('Benutzername: greta')
      expect(await resetOf(neutral))
        .to.contain('Reset your password')
        .and.contain('Username: nora')
      await inGerman(async () => {
        expect(await resetOf(neutral))
          .to.contain('Benutzername: nora')
          .and.contain('von der IP-Adresse 192.0.2.1.')
        expect(await resetOf(english))
          .to.contain('Username: emma')
          .and.contain('IP address 192.0.2.1.')
      })
    })

    it('state that language in their HTML', async () => {
      const folder = join(site.host.config.siteDir, 'mail')
      for (const name of readdirSync(folder)) {
        const source = readFileSync(join(folder, name), 'utf8')
          .replace(/=\r?\n/g, '')
          .replaceAll('=3D', '=')
        const language = source.includes('Benutzername:') ? 'de-DE' : 'en-US'
        expect(source, source).to.contain(`<html lang="${language}" dir="ltr">`)
      }
    })

    it('are translated in invitations', async () => {
      await site.host.passwordLinks.send(given(german), 'invitation')
      expect(textTo('greta@example.org')).to.contain('] Ihr neues Konto').and.contain('ein Konto für Sie angelegt')
      expect(textTo('greta@example.org')).not.to.match(/account|visit/)
    })
  })

  describe('about personal data', () => {
    it('are in the language of the person: emails, pages, and the file', async () => {
      const { data } = await send('POST', REQUESTS, { type: 'export', email: 'greta@example.org' })
      expect(textTo('greta@example.org')).to.contain('Bestätigen Sie den Export Ihrer personenbezogenen Daten')
      const confirmation = linkIn('greta@example.org')
      const page = await (await fetch(site.url + confirmation.pathname + confirmation.search)).text()
      expect(page).to.contain('<html lang="de-DE"')
      await fetch(site.url + confirmation.pathname + confirmation.search, {
        ...{ method: 'POST', body: new URLSearchParams(confirmation.search) },
      })
      expect(textTo(site.host.content.siteSettings().adminEmail)).to.contain('has confirmed the request to export')
      await send('POST', `${REQUESTS}/${data.id}/complete`)
      const { pathname, search } = linkIn('greta@example.org')
      expect(textTo('greta@example.org')).to.contain('drei Tage lang herunterladen')
      const press = async (format: string) => {
        const body = new URLSearchParams(search)
        body.set('format', format)
        return (await fetch(site.url + pathname + search, { method: 'POST', body })).text()
      }
      const html = await press('html')
      expect(html).to.contain('<html lang="de-DE" dir="ltr">').and.contain('<h2>Konto</h2>')
      expect(html).to.contain('<th>Benutzername</th><td>greta</td>')
      expect(JSON.parse(await press('json')).groups[0].label).to.equal('Konto')
    })

    it('are in the language of the site for others', async () => {
      await inGerman(async () => {
        const { data } = await send('POST', REQUESTS, { type: 'erase', email: 'gast@example.org', isConfirmed: true })
        await send('POST', `${REQUESTS}/${data.id}/complete`)
        expect(textTo('gast@example.org')).to.contain('] Ihre personenbezogenen Daten wurden gelöscht')
      })
    })
  })

  describe('of comments', () => {
    const comment = async (content: string) => {
      const { items } = await site.host.content.posts.query({ types: ['post'], limit: 1 })
      return fetch(`${site.url}/wp-comments-post.php`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({
          ...{ comment_post_ID: String(items[0]?.id), author: 'Ada', email: 'ada@example.org', comment: content },
        }),
      })
    }
    it('are in the language of the site: notices for moderators, and rejected comments', async () => {
      const { adminEmail } = site.host.content.siteSettings()
      await inGerman(async () => {
        expect((await comment('Hallo')).status).to.equal(302)
        await until(() => textTo(adminEmail).includes('Bitte moderieren: „'))
        expect(textTo(adminEmail)).to.contain('Freigeben: http').and.contain('1 Kommentar wartet auf Freigabe.')
        const page = await (await comment('')).text()
        expect(page).to.contain('<html lang="de-DE"').and.contain('Ihr Kommentar konnte nicht veröffentlicht werden')
        expect(page).to.contain('<p role="alert">Bitte schreiben Sie Ihren Kommentar.</p>')
      })
      expect(await (await comment('')).text()).to.contain('Please type your comment text.')
    })

    it('are in the language of the author whose post has a new comment', async () => {
      const { content } = site.host
      const { items } = await content.posts.query({ types: ['post'], limit: 1 })
      await content.posts.update(given(items[0]).id, { authorId: given(german).id })
      await site.host.settings.get('discussion')?.update({ commentPreviouslyApproved: 'off' })
      site.host.hooks.addFilter('comment_flood_filter', () => false)
      expect((await comment('Noch einer')).status).to.equal(302)
      await until(() => textTo('greta@example.org').includes('Neuer Kommentar zu Ihrem Beitrag „'))
      expect(textTo('greta@example.org')).to.contain('Autor: Ada (IP-Adresse: ')
    })
  })

  describe('on error pages', () => {
    const pageOf = async (path: string, method = 'GET') => {
      const answer = await site.request(path, { method })
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
    }
    it('are in the language of the site: maintenance and errors', async () => {
      await inGerman(async () => {
        const leave = site.host.maintenance.enter(120)
        try {
          const { status, text } = await pageOf('/')
          expect(status).to.equal(503)
          expect(text).to.contain('<html lang="de-DE" dir="ltr">').and.contain('Wegen geplanter Wartungsarbeiten')
          expect((await pageOf('/wp-json/wp/v2/posts')).text).to.contain('Briefly unavailable')
        } finally {
          leave()
        }
        const { status, text } = await pageOf('/', 'POST')
        expect([status, text.includes('<p>Diese Methode ist nicht erlaubt.</p>')]).to.deep.equal([405, true])
        expect(text).to.match(/<small>Anfrage [\w-]{36}<\/small>/)
      })
      expect((await pageOf('/', 'POST')).text).to.contain('<p>Method not allowed.</p>')
    })
  })
})
