import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { SERVER_ERRORS } from '../../admin/server-errors.ts'
import { appCode } from '../support/authenticator-app.ts'
import { addPseudoLocale, withoutTranslated } from './pseudo-locale.ts'

// cspell:ignore anmelden neues passwort entrer

const PASSWORD = 'correct horse battery'
/** In no language: names of the test. */
const NAMES = /The Gazette|\b(?:ann|ben|cas)\b|\b\w+@example\.(?:org|net)\b|A first comment|Ada/g
/** Texts of scripts and attributes that can be seen or heard. */
const ATTRIBUTES = /\b(?:aria-label|alt|data-unused|data-unsupported)="([^"]*)"/g

describe('The login pages', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
    await addPseudoLocale(site.host.config.siteDir)
    const { auth, content, settings } = site.host
    for (const [login, role] of Object.entries({ ann: 'administrator', ben: 'author', cas: 'editor' })) {
      await auth.users.create({ login, email: `${login}@example.org`, roles: [role], password: PASSWORD })
    }
    await content.updateSiteSettings({ title: 'The Gazette' })
    await settings.get('host')?.update({ twoFactorRoles: ['editor'] })
  })
  after(() => site?.close())

  interface Shown {
    readonly status: number
    readonly html: string
  }
  const shown = async (response: Response): Promise<Shown> => ({ status: response.status, html: await response.text() })
  const get = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
    shown(await fetch(`${site.url}/wp-login.php?${new URLSearchParams(query)}`, { headers }))
  const post = async (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    shown(
      await fetch(`${site.url}/wp-login.php${action && `?action=${action}`}`, {
        ...{ method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' },
      }),
    )
  const logIn = (log: string, pwd = PASSWORD) => post('', { log, pwd })
  const user = async (login: string) => {
    const found = await site.host.auth.users.getByLogin(login)
    if (!found) throw new Error(`There is no user ${login}.`)
    return found
  }
  const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
  const resetOf = async (login: string) => {
    const { key = '', login: named = '' } = queryOf(await site.host.passwordLinks.createUrl(await user(login)))
    return { rp_key: key, rp_login: named }
  }
  const linkIn = (to: string) => /https?:\S+wp-login\S+/.exec(mailTo(to)?.text ?? '')?.[0] ?? ''
  const mailTo = (to: string) => site.mails.findLast((mail) => mail.to === to)
  const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  const session = async (login: string) => {
    const { auth } = site.host
    const signedIn = await auth.startSession(await user(login), { address: '127.0.0.1', userAgent: 'test' })
    const cookie = auth.sessionCookie(signedIn).split(';')[0] ?? ''
    const identity = await auth.identifyPage({ cookie, address: '127.0.0.1' })
    await auth.confirmPassword(identity, PASSWORD, '127.0.0.1')
    return { cookie, 'x-wp-nonce': auth.createNonce('wp_rest', identity) }
  }
  const rest = async (path: string, body: unknown) => {
    const headers = { ...(await session('ann')), 'content-type': 'application/json' }
    const response = await fetch(`${site.url}/wp-json${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status, await response.clone().text()).to.be.below(300)
  }
  /** What readers see or hear of a page, without what was translated and the names of the test. */
  function leftOf(html: string): string {
    const texts = html
      .replace(/<(style|script)\b.*?<\/\1>/gs, '')
      .replace(/<code>.*?<\/code>/gs, '')
      .replace(/<[^>]*>/g, '')
    const attributes = [...html.matchAll(ATTRIBUTES)].map(([, text = '']) => text)
    return withoutTranslated([texts, ...attributes].join('\n'))
      .replace(NAMES, '')
      .replace(/[\s–]+/g, ' ')
      .trim()
  }

  describe('in the language of the site', () => {
    before(() => site.host.content.updateSiteSettings({ language: 'ar' }))
    after(() => site.host.content.updateSiteSettings({ language: 'en_US' }))

    async function moderationKey(): Promise<string> {
      const { content } = site.host
      const { items } = await content.posts.query({ types: ['post'], limit: 1 })
      await fetch(`${site.url}/wp-comments-post.php`, {
        ...{ method: 'POST', redirect: 'manual' },
        body: new URLSearchParams({
          ...{ comment_post_ID: String(items[0]?.id), author: 'Ada', email: 'ada@example.org' },
          comment: 'A first comment',
        }),
      })
      const mail = site.mails.findLast(({ text }) => text?.includes('moderate-comment'))
      return queryOf(/https?:\S+do=approve\S+/.exec(mail?.text ?? '')?.[0] ?? 'http://localhost').key ?? ''
    }
    async function secondStep(login: string): Promise<string> {
      const { html } = await logIn(login)
      return hidden(html, 'token')
    }

    const pages: Record<string, () => Promise<Shown | readonly Shown[]>> = {
      'the form and its notices': async () => [
        await get({}),
        await get({ loggedout: 'true' }),
        await get({ expired: 'true' }),
        await get({ password: 'changed' }),
      ],
      'a form from another site': () => post('', { log: 'ann' }, { origin: 'https://evil.example' }),
      'a wrong password': () => logIn('ann', 'wrong'),
      'the question whether to log out': async () =>
        get({ action: 'logout' }, { cookie: (await session('ann')).cookie }),
      'a lost password': async () => [
        await get({ action: 'lostpassword' }),
        await post('lostpassword', { user_login: '' }),
        await get({ action: 'lostpassword', checkemail: 'confirm' }),
        await get({ action: 'rp', key: 'x', login: 'ann' }),
      ],
      'a new password': async () => {
        const fields = await resetOf('ben')
        await session('ben')
        return [
          await get({ action: 'rp', key: fields.rp_key, login: fields.rp_login }),
          await post('resetpass', { ...fields, pass1: 'violet anchor seven', pass2: 'x' }),
          await post('resetpass', { ...fields, pass1: 'short', pass2: 'short' }),
          await post('resetpass', { ...fields, pass1: 'password', pass2: 'password' }),
          await post('resetpass', { ...fields, pass1: 'ben@example.org', pass2: 'ben@example.org' }),
          await post('resetpass', { ...fields, pass1: '', pass2: '' }),
          await post('resetpass', { ...fields, pass1: 'x'.repeat(5000), pass2: 'x'.repeat(5000) }),
        ]
      },
      'a passkey': async () => [
        await get({ action: 'passkey' }),
        await post('passkey', { credential: '{}' }, { origin: site.host.config.url }),
      ],
      'the setup of an authenticator app, and the recovery codes': async () => {
        const first = await logIn('cas')
        const fields = { token: hidden(first.html, 'token'), secret: hidden(first.html, 'secret') }
        const wrong = await post('setup_2fa', { ...fields, authcode: '12345' })
        return [first, wrong, await post('setup_2fa', { ...fields, authcode: appCode(fields.secret, Date.now()) })]
      },
      codes: async () => {
        const ann = await user('ann')
        const { twoFactor } = site.host
        const { secret } = twoFactor.prepare(ann)
        await twoFactor.enable(ann, secret, appCode(secret, Date.now()))
        const first = await logIn('ann')
        const answers = [first]
        for (let time = 0; time < 3; time++) {
          answers.push(await post('validate_2fa', { token: await secondStep('ann'), authcode: '12345' }))
        }
        await twoFactor.disable(ann)
        expect(answers.at(-1)?.status, 'too many codes').to.equal(429)
        return answers
      },
      'a new email address': async () => {
        await rest('/host/v1/email-change', { email: 'ann@example.net' })
        const { key = '' } = queryOf(linkIn('ann@example.net'))
        return [
          await get({ action: 'confirmemail', key }),
          await post('confirmemail', { key }, { origin: 'https://evil.example' }),
          await post('confirmemail', { key }),
          await post('confirmemail', { key }),
        ]
      },
      'the moderation of a comment': async () => {
        const key = await moderationKey()
        return [
          await get({ action: 'moderate-comment', do: 'approve', key }),
          await post('moderate-comment', { key, do: 'delete' }),
          await post('moderate-comment', { key, do: 'trash' }),
          await post('moderate-comment', { key, do: 'spam' }),
          await post('moderate-comment', { key, do: 'approve' }),
          await get({ action: 'moderate-comment', do: 'approve', key: '' }),
        ]
      },
      'personal data': async () => {
        await rest('/host/v1/privacy/requests', { type: 'erase', email: 'ada@example.org' })
        const { key = '' } = queryOf(linkIn('ada@example.org'))
        const answers = [
          await get({ action: 'confirmaction', key }),
          await post('confirmaction', { key }),
          await post('confirmaction', { key }),
        ]
        await rest('/host/v1/privacy/requests', { type: 'export', email: 'ada@example.org' })
        const { key: another = '' } = queryOf(linkIn('ada@example.org'))
        return [...answers, await get({ action: 'confirmaction', key: another })]
      },
    }
    for (const [name, open] of Object.entries(pages)) {
      it(`show ${name}`, async () => {
        const answers = [await open()].flat()
        for (const [at, { html }] of answers.entries()) {
          expect(html, `page ${at}`).to.include('<html lang="ar" dir="rtl">')
          expect(leftOf(html), `page ${at}`).to.equal('')
        }
      })
    }
  })

  it('are in the language of the user once the user is known', async () => {
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
    const cookie = (await session('ben')).cookie
    expect((await get({ reauth: '1' }, { cookie })).html).to.include('<h1>Log in</h1>')
    await auth.users.update(ben.id, { locale: '' })
    await content.updateSiteSettings({ language: 'en_US' })
  })

  it('cannot be broken by what a translation contains, and are in English if it is invalid', async () => {
    const { content, config } = site.host
    const file = join(config.siteDir, 'languages', 'admin-fr.po')
    const header = (forms: string) => `msgid ""\nmsgstr "Language: fr\\nPlural-Forms: ${forms}\\n"\n`
    await content.updateSiteSettings({ language: 'fr_FR' })
    await writeFile(
      file,
      `${header('nplurals=2; plural=(n > 1);')}msgid "Log in"\nmsgstr "<i>Entrer</i> & \\"vite\\""\n`,
    )
    const { html } = await get({})
    expect(html).to.include('<h1>&lt;i&gt;Entrer&lt;/i&gt; &amp; &quot;vite&quot;</h1>').and.not.include('<i>')
    await writeFile(file, `${header('nplurals=2;')}msgid "Log in"\nmsgstr "Entrer"\n`)
    const { html: english } = await get({})
    expect(english).to.include('<html lang="en" dir="ltr">').and.include('<h1>Log in</h1>')
    await content.updateSiteSettings({ language: 'en_US' })
  })

  it('translate errors that the server has', () => {
    const root = join(import.meta.dirname, '../..')
    const sources = ['cms', 'core/auth'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8').replace(/\$\{\w+\}/g, '%s')),
    )
    const code = sources.join('\n')
    expect(SERVER_ERRORS.filter((text) => !code.includes(text))).to.deep.equal([])
  })
})
