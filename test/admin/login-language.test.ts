import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { RestError } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { appCode } from '../support/authenticator-app.ts'
import { until } from '../support/until.ts'
import { createLoginUsers, loginClient, type Shown } from './login-client.ts'

// cspell:ignore anmelden neues passwort entrer

describe('The language of the login pages', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
    await createLoginUsers(site)
  })
  after(() => site?.close())
  const { get, post, logIn, user, resetOf, keyFor, hidden, session, enableApp, rest } = loginClient(() => site)

  it('is that of the user once the user is known', async () => {
    const { content, auth } = site.host
    const ben = await user('ben')
    await auth.users.update(ben.id, { locale: 'de_DE' })
    const { rp_key: key, rp_login: login } = await resetOf('ben')
    const { html } = await get({ action: 'rp', key, login })
    expect(html).to.include('<html lang="de-DE" dir="ltr">').and.include('<label for="pass1">Neues Passwort</label>')
    // Otherwise, the language would reveal whether there is a user with that name.
    expect((await logIn('ben', 'wrong')).html)
      .to.include('<html lang="en-US" dir="ltr">')
      .and.include('>Log in<')
    await content.updateSiteSettings({ language: 'de_DE' })
    expect((await get({})).html)
      .to.include('<html lang="de-DE" dir="ltr">')
      .and.include('<h1>Anmelden</h1>')
    await auth.users.update(ben.id, { locale: 'en_US' })
    expect((await get({ reauth: '1' }, await session('ben'))).html).to.include('<h1>Log in</h1>')
    await auth.users.update(ben.id, { locale: '' })
    await content.updateSiteSettings({ language: 'en_US' })
  })

  describe('on an English site, for a user whose language is German,', () => {
    before(async () => {
      for (const login of ['ben', 'cas']) await site.host.auth.users.update((await user(login)).id, { locale: 'de_DE' })
    })
    after(async () => {
      for (const login of ['ben', 'cas']) await site.host.auth.users.update((await user(login)).id, { locale: '' })
    })
    const expectGerman = ({ status, html }: Shown, expected: number, part: string) => {
      expect(html).to.include('<html lang="de-DE" dir="ltr">').and.include(part)
      expect(status).to.equal(expected)
    }

    it('is German when they ask for a code', async () => {
      await enableApp('ben')
      const first = await logIn('ben')
      expectGerman(first, 200, 'id="validate_2fa_form"')
      const wrong = await post('validate_2fa', { token: hidden(first.html, 'token'), authcode: '12345' })
      expectGerman(wrong, 200, 'role="alert" id="login_error"')
      await site.host.twoFactor.disable(await user('ben'))
    })

    it('is German when they set up an authenticator app, and show recovery codes', async () => {
      await site.host.twoFactor.disable(await user('cas'))
      const first = await logIn('cas')
      expectGerman(first, 200, '<svg viewBox=')
      const fields = { token: hidden(first.html, 'token'), secret: hidden(first.html, 'secret') }
      expectGerman(await post('setup_2fa', { ...fields, authcode: '12345' }), 200, 'role="alert" id="login_error"')
      const code = appCode(fields.secret, Date.now())
      expectGerman(await post('setup_2fa', { ...fields, authcode: code }), 200, '<ul class="codes">')
    })

    it('is German when they ask whether to log out', async () => {
      expectGerman(await get({ action: 'logout' }, await session('ben')), 403, 'action=logout&amp;_wpnonce=')
    })

    it('is German when they confirm an email address', async () => {
      await rest('/host/v1/email-change', { email: 'ben@example.net' }, 'ben')
      const key = keyFor('ben@example.net', 'action=confirmemail')
      expectGerman(await get({ action: 'confirmemail', key }), 200, `name="key" value="${key}"`)
      expectGerman(await post('confirmemail', { key }), 200, '<strong>ben@example.net</strong>')
    })
  })

  it('cannot break a page by what a translation contains, and is English if that is invalid', async () => {
    const { content, config } = site.host
    const folder = join(config.siteDir, 'languages')
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'admin-fr.po')
    const header = (forms: string) => `msgid ""\nmsgstr "Language: fr\\nPlural-Forms: ${forms}\\n"\n`
    await content.updateSiteSettings({ language: 'fr_FR' })
    // File systems store times with different precision: both versions have the same time.
    const write = async (text: string) => {
      await writeFile(file, text)
      await utimes(file, 1_700_000_000, 1_700_000_000)
    }
    await write(`${header('nplurals=2; plural=(n > 1);')}msgid "Log in"\nmsgstr "<i>Entrer</i> & \\"vite\\""\n`)
    const { html } = await get({})
    expect(html).to.include('<h1>&lt;i&gt;Entrer&lt;/i&gt; &amp; &quot;vite&quot;</h1>').and.not.include('<i>')
    await write(`${header('nplurals=2;')}msgid "Log in"\nmsgstr "Entrer"\n`)
    // A changed file is read within a second.
    await until(async () => (await get({})).html.includes('<html lang="en" dir="ltr">'))
    expect((await get({})).html).to.include('<h1>Log in</h1>')
    await content.updateSiteSettings({ language: 'en_US' })
  })

  it('does not change the error of an extension that has percent signs and numbers', async () => {
    const message = 'Only 5%% of 10%s, %1$s and 100 % can log in.'
    const undo = site.host.hooks.addFilter('authenticate', () => {
      throw new RestError('not_now', message, { status: 403 })
    })
    const { status, html } = await logIn('ben')
    undo()
    expect(status).to.equal(403)
    expect(html).to.include(`id="login_error">${message}<`)
  })
})
