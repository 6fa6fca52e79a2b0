/** What visitors and users of the login pages do, for tests. */
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { appCode } from '../support/authenticator-app.ts'

const PASSWORD = 'correct horse battery'

/** An administrator, an author, and an editor, who must set up an authenticator app. */
export async function createLoginUsers(site: TestHost): Promise<void> {
  const { auth, content, settings } = site.host
  for (const [login, role] of Object.entries({ ann: 'administrator', ben: 'author', cas: 'editor' })) {
    await auth.users.create({ login, email: `${login}@example.org`, roles: [role], password: PASSWORD })
  }
  await content.updateSiteSettings({ title: 'The Gazette' })
  await settings.get('host')?.update({ twoFactorRoles: ['editor'] })
}

export interface Shown {
  readonly status: number
  readonly html: string
}
/** The password of all users is `PASSWORD`. */
export function loginClient(site: () => TestHost) {
  const shown = async (response: Response): Promise<Shown> => ({ status: response.status, html: await response.text() })
  const get = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
    shown(await fetch(`${site().url}/wp-login.php?${new URLSearchParams(query)}`, { headers }))
  const post = async (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    shown(
      await fetch(`${site().url}/wp-login.php${action && `?action=${action}`}`, {
        ...{ method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' },
      }),
    )
  const logIn = (log: string, pwd = PASSWORD) => post('', { log, pwd })
  const user = async (login: string) => {
    const found = await site().host.auth.users.getByLogin(login)
    if (!found) throw new Error(`There is no user ${login}.`)
    return found
  }
  const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
  const resetOf = async (login: string) => {
    const { key = '', login: named = '' } = queryOf(await site().host.passwordLinks.createUrl(await user(login)))
    return { rp_key: key, rp_login: named }
  }
  /** The parameters of a link in an email. */
  const linkIn = (mail: { readonly text?: string | undefined } | undefined, part: string) => {
    const link = mail?.text?.split(/\s+/).find((word) => word.includes('/wp-login.php?') && word.includes(part))
    if (!link) throw new Error(`There is no link with ${part} in: ${mail?.text}`)
    return queryOf(link)
  }
  const keyFor = (to: string, part: string): string => {
    const { key } = linkIn(
      site().mails.findLast((mail) => mail.to === to),
      part,
    )
    if (!key) throw new Error(`The link to ${to} has no key.`)
    return key
  }
  const hidden = (html: string, name: string): string => {
    const value = new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1]
    if (!value) throw new Error(`There is no field ${name} in: ${html}`)
    return value
  }
  const session = async (login: string) => {
    const { auth } = site().host
    const signedIn = await auth.startSession(await user(login), { address: '127.0.0.1', userAgent: 'test' })
    const cookie = auth.sessionCookie(signedIn).split(';')[0] ?? ''
    const identity = await auth.identifyPage({ cookie, address: '127.0.0.1' })
    await auth.confirmPassword(identity, PASSWORD, '127.0.0.1')
    return { cookie, 'x-wp-nonce': auth.createNonce('wp_rest', identity) }
  }
  const enableApp = async (login: string) => {
    const named = await user(login)
    const { secret } = site().host.twoFactor.prepare(named)
    await site().host.twoFactor.enable(named, secret, appCode(secret, Date.now()))
    return named
  }
  const rest = async (path: string, body: unknown, login = 'ann') => {
    const headers = { ...(await session(login)), 'content-type': 'application/json' }
    const response = await fetch(`${site().url}/wp-json${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).to.be.below(300)
    return JSON.parse(text)?.data
  }

  return { get, post, logIn, user, resetOf, linkIn, keyFor, hidden, session, enableApp, rest }
}
