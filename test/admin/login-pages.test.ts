import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { toGmt } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { SERVER_ERRORS } from '../../admin/server-errors.ts'
import { writeGuest } from '../sandbox/guests.ts'
import { appCode } from '../support/authenticator-app.ts'
import { until } from '../support/until.ts'
import { createLoginUsers, loginClient, type Shown } from './login-client.ts'
import { addPseudoLocale, pseudoText, withoutTranslated } from './pseudo-locale.ts'

const INCORRECT_CODE =
  'The code is incorrect or was already used. Check that the time on your device is right, and enter the current code.'
const USED_LINK = 'This link is not valid. It may have expired, been used, or been replaced by a newer one.'
/** A text in the pseudo-locale, with a value for its placeholder. */
const translated = (text: string, value = '') => pseudoText(text).replace('%s', () => value)
/** In no language: names of the test. */
const NAMES = /The Gazette|\b(?:ann|ben|cas)\b|\b\w+@example\.(?:org|net)\b|A first comment|Ada/g
/** Texts of scripts and attributes that can be seen or heard. */
const ATTRIBUTES = /\b(?:aria-label|alt|data-unused|data-unsupported)="([^"]*)"/g

/** A page, its status, and a part of it that no other page has. */
type Page = readonly [shown: Shown, status: number, part: string]

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

describe('The login pages', () => {
  let site: TestHost
  before(async () => {
    // For passkeys, the site needs a name.
    site = await createTestHost({ config: { url: 'http://localhost' } })
    await addPseudoLocale(site.host.config.siteDir)
    await createLoginUsers(site)
  })
  after(() => site?.close())

  const { get, post, logIn, user, resetOf, linkIn, keyFor, hidden, session, enableApp, rest } = loginClient(() => site)

  describe('in the language of the site', () => {
    before(() => site.host.content.updateSiteSettings({ language: 'ar' }))
    after(() => site.host.content.updateSiteSettings({ language: 'en_US' }))

    async function moderationLink(comment: string): Promise<Record<string, string>> {
      const { items } = await site.host.content.posts.query({ types: ['post'], limit: 1 })
      const fields = { comment_post_ID: String(items[0]?.id), author: 'Ada', email: 'ada@example.org', comment }
      const { url } = site
      await fetch(`${url}/wp-comments-post.php`, {
        ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) },
      })
      // It is sent in the background.
      const mail = () => site.mails.findLast(({ text }) => text?.includes(comment))
      await until(() => mail() !== undefined)
      return linkIn(mail(), 'do=approve')
    }
    async function download(): Promise<string> {
      const { id } = await rest('/host/v1/privacy/requests', {
        ...{ type: 'export', email: 'ann@example.org', isConfirmed: true },
      })
      await rest(`/host/v1/privacy/requests/${id}/complete`, {})
      return keyFor('ann@example.org', 'action=personal-data')
    }
    const alert = (text: string, value?: string) => `role="alert" id="login_error">${translated(text, value)}`
    const notice = (text: string) => `<p class="note" role="status">${translated(text)}</p>`
    const question = (text: string, value: string) => `<p>${translated(text, `<strong>${value}</strong>`)}</p>`

    const pages: Record<string, () => Promise<readonly Page[]>> = {
      'the form and its notices': async () => [
        [await get({}), 200, '<form method="post" action="/wp-login.php" id="loginform">'],
        [await get({ loggedout: 'true' }), 200, notice('You are now logged out.')],
        [await get({ expired: 'true' }), 200, notice('Your login session has expired. Please log in again.')],
        [await get({ password: 'changed' }), 200, notice('Your password has been set. You can now log in.')],
      ],
      'a form from another site': async () => [
        [
          await post('', { log: 'ann' }, { origin: 'https://evil.example' }),
          403,
          alert('This form was submitted from another site. Please log in here.'),
        ],
      ],
      'a wrong password': async () => [
        [await logIn('ann', 'wrong'), 200, alert('The username or password is incorrect.')],
      ],
      'the question whether to log out': async () => [
        [await get({ action: 'logout' }, await session('ann')), 403, 'action=logout&amp;_wpnonce='],
      ],
      'a lost password': async () => [
        [await get({ action: 'lostpassword' }), 200, 'id="lostpasswordform"'],
        [await post('lostpassword', { user_login: '' }), 200, alert('Please enter your username or email address.')],
        [
          await get({ action: 'lostpassword', checkemail: 'confirm' }),
          200,
          `<h1>${translated('Check your email')}</h1>`,
        ],
        [
          await get({ action: 'rp', key: 'x', login: 'ann' }),
          400,
          alert('This link is not valid. It may have been used or replaced by a newer one.'),
        ],
      ],
      'a new password': async () => {
        const fields = await resetOf('ben')
        await session('ben')
        const save = (pass1: string, pass2 = pass1) => post('resetpass', { ...fields, pass1, pass2 })
        return [
          [await get({ action: 'rp', key: fields.rp_key, login: fields.rp_login }), 200, 'id="resetpassform"'],
          [await save('violet anchor seven', 'x'), 200, alert('The passwords do not match.')],
          [await save('short'), 200, alert('The password is too short. Choose one with at least %s characters.', '8')],
          [await save('password'), 200, alert('This password is too common. Choose another one.')],
          [
            await save('ben@example.org'),
            200,
            alert('The password must not be the username, the email address, or the site title.'),
          ],
          [await save(''), 200, alert('Passwords cannot be empty.')],
          [await save('x'.repeat(5000)), 200, alert('Passwords cannot be longer than %s characters.', '4096')],
        ]
      },
      'a passkey': async () => [
        [await get({ action: 'passkey' }), 200, 'id="passkey_form"'],
        [
          await post('passkey', { credential: '{}' }, { origin: site.host.config.url }),
          401,
          alert('The passkey could not be verified. Please try again.'),
        ],
      ],
      'the setup of an authenticator app, and the recovery codes': async () => {
        const first = await logIn('cas')
        const fields = { token: hidden(first.html, 'token'), secret: hidden(first.html, 'secret') }
        const wrong = await post('setup_2fa', { ...fields, authcode: '12345' })
        const done = await post('setup_2fa', { ...fields, authcode: appCode(fields.secret, Date.now()) })
        return [
          [first, 200, '<svg viewBox='],
          [wrong, 200, alert(INCORRECT_CODE)],
          [done, 200, '<ul class="codes">'],
        ]
      },
      codes: async () => {
        const { id } = await enableApp('ann')
        const enter = async () =>
          post('validate_2fa', { token: hidden((await logIn('ann')).html, 'token'), authcode: '12345' })
        const [first, wrong] = [await logIn('ann'), await enter()]
        // The longest wait has begun.
        const failed = { failures: 30, last_failure_gmt: toGmt(Date.now()) }
        await site.host.database.db.updateTable('two_factor').set(failed).where('user_id', '=', id).execute()
        const tooMany = await enter()
        await site.host.twoFactor.disable(await user('ann'))
        const seconds = /\d+/.exec(/id="login_error">.*/.exec(tooMany.html)?.[0] ?? '')?.[0] ?? ''
        return [
          [first, 200, 'id="validate_2fa_form"'],
          [wrong, 200, alert(INCORRECT_CODE)],
          [tooMany, 429, alert('Too many wrong codes. Please wait %s seconds before you try again.', seconds)],
        ]
      },
      'a new email address': async () => {
        await rest('/host/v1/email-change', { email: 'ann@example.net' })
        const key = keyFor('ann@example.net', 'action=confirmemail')
        const text = pseudoText('Change the email address of %1$s to %2$s?')
        return [
          [
            await get({ action: 'confirmemail', key }),
            200,
            text.replace('%1$s', 'ann').replace('%2$s', '<strong>ann@example.net</strong>'),
          ],
          [
            await post('confirmemail', { key }, { origin: 'https://evil.example' }),
            403,
            alert('This form was submitted from another site.'),
          ],
          [await post('confirmemail', { key }), 200, question('Your email address is now %s.', 'ann@example.net')],
          [await post('confirmemail', { key }), 400, alert(USED_LINK)],
        ]
      },
      'the moderation of a comment': async () => {
        const { key = '' } = await moderationLink('A first comment')
        const moderate = (act: string) => post('moderate-comment', { key, do: act })
        const open = (link: string) => get({ action: 'moderate-comment', do: 'approve', key: link })
        const opened: Page[] = [
          [await open(key), 200, '<p><button type="submit" name="do" value="approve">'],
          [await moderate('delete'), 400, alert('The action is not valid.')],
          [await moderate('trash'), 200, notice('The comment was moved to the trash.')],
          [await moderate('spam'), 200, notice('The comment was marked as spam.')],
          [await moderate('approve'), 200, notice('The comment was approved.')],
          [await open(''), 400, alert('This link is not valid, or it has expired.')],
        ]
        const { comments } = site.host.content
        for (const { id } of (await comments.query({ limit: 10 })).items) await comments.delete(id)
        return [...opened, [await open(key), 404, alert('The comment was deleted.')]]
      },
      'personal data': async () => {
        await rest('/host/v1/privacy/requests', { type: 'erase', email: 'ada@example.org' })
        const key = keyFor('ada@example.org', 'action=confirmaction')
        const asked = await get({ action: 'confirmaction', key })
        const done = await post('confirmaction', { key })
        const again = await post('confirmaction', { key })
        await rest('/host/v1/privacy/requests', { type: 'export', email: 'ada@example.org' })
        const other = keyFor('ada@example.org', 'action=confirmaction')
        return [
          [asked, 200, question('Erase the personal data of %s?', 'ada@example.org')],
          [done, 200, translated('Thank you for confirming your request. The site administrator has been notified.')],
          [again, 400, alert(USED_LINK)],
          [
            await get({ action: 'confirmaction', key: other }),
            200,
            question('Export the personal data of %s?', 'ada@example.org'),
          ],
        ]
      },
      'the download of personal data': async () => {
        const key = await download()
        const asked = await get({ action: 'personal-data', key })
        const { extensions } = site.host
        const broken = "hooks.addFilter('wp_privacy_personal_data_exporters', () => { throw new Error('no luck') })"
        await extensions.activate(
          await extensions.add(await writeGuest('frail', 'process', `setup({ hooks }) { ${broken} }`)),
        )
        const failed = await post('personal-data', { key, format: 'html' })
        await extensions.deactivate('frail')
        return [
          [asked, 200, '<button type="submit" name="format" value="json">'],
          [
            failed,
            500,
            alert('Your data could not be read. Please try again later, or contact the site administrator.'),
          ],
          [await get({ action: 'personal-data', key: 'x' }), 400, alert(USED_LINK)],
        ]
      },
    }
    for (const [name, open] of Object.entries(pages)) {
      it(`show ${name}`, async () => {
        for (const [at, [{ status, html }, expected, part]] of (await open()).entries()) {
          expect([status, html.includes(part)], `page ${at} with ${part}: ${html}`).to.deep.equal([expected, true])
          expect(html, `page ${at}`).to.include('<html lang="ar" dir="rtl">')
          expect(leftOf(html), `page ${at}`).to.equal('')
        }
      })
    }
  })

  it('translate errors that the server has', () => {
    const root = join(import.meta.dirname, '../..')
    const sources = ['cms', 'core', 'app'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8').replace(/\$\{\w+\}/g, '%s')),
    )
    const code = sources.join('\n')
    expect(SERVER_ERRORS.filter((text) => !code.includes(text))).to.deep.equal([])
  })
})
