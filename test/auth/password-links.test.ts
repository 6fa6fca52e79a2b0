import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { type OwnSite, openOwnSite, PASSWORD } from '../wp-v2/own-site.ts'

const NEW_PASSWORD = 'violet anchor seven'

/** Names of emails begin with the time, which may be set back, then their number. */
const byOrder = (one: string, other: string) => (one.split('-')[1] ?? '').localeCompare(other.split('-')[1] ?? '')

onEachDatabase('resetting a password', (databaseUrl) => {
  let site: OwnSite
  /** Requests come from a proxy on this machine, so each test can use a network of its own. */
  let network = 0
  before(async () => {
    site = await openOwnSite(await databaseUrl(), { trustedProxies: ['127.0.0.1'] })
    await site.signIn('ann', 'author')
    await site.signIn('ben', 'editor')
  })
  after(() => site.close())
  beforeEach(async () => {
    network++
    await site.host.database.db.deleteFrom('account_links').execute()
  })

  const from = () => `10.1.${network}.1`
  const get = (path: string) => request(site.url).get(path)
  const post = (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    request(site.url)
      .post(`/wp-login.php?action=${action}`)
      .type('form')
      .set({ 'X-Forwarded-For': from(), ...headers })
      .send(fields)
  const user = async (login = 'ann') => {
    const found = await site.host.auth.users.getByLogin(login)
    if (!found) throw new Error(`There is no user ${login}.`)
    return found
  }
  const links = () => site.host.database.db.selectFrom('account_links').selectAll().execute()
  const mails = () => {
    const folder = join(site.host.config.siteDir, 'mail')
    try {
      return readdirSync(folder)
        .sort(byOrder)
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
    } catch {
      return []
    }
  }
  /** Key and login of the link that was created last. */
  let last = { key: '', login: '' }
  before(() => {
    site.host.hooks.addAction('retrieve_password_key', (login, key) => {
      last = { key, login }
    })
  })
  const lastMail = () => mails().find((mail) => mail.includes(last.key)) ?? ''
  async function requestLink(login = 'ann'): Promise<{ key: string; login: string }> {
    const before = last
    await post('lostpassword', { user_login: login }).expect(302)
    await until(() => last !== before && lastMail() !== '')
    return last
  }
  const save = (link: { key: string; login: string }, password = NEW_PASSWORD, again = password) =>
    post('resetpass', { rp_key: link.key, rp_login: link.login, pass1: password, pass2: again })
  const textIn = async (response: ReturnType<typeof save>) => /<main>(.*)<form/s.exec((await response).text)?.[1]
  const logIn = (pwd: string, log = 'ann') =>
    request(site.url).post('/wp-login.php').type('form').set('X-Forwarded-For', from()).send({ log, pwd })

  it('is offered by the login form', async () => {
    const { text } = await get('/wp-login.php')
    expect(text).to.include('<a href="/wp-login.php?action=lostpassword">Lost your password?</a>')
    const form = await get('/wp-login.php?action=lostpassword').expect(200)
    expect(form.text).to.include('name="user_login"')
    expect(form.headers['cache-control']).to.equal('no-store')
  })

  it('responds the same for accounts that exist and those that don’t', async () => {
    const known = await post('lostpassword', { user_login: 'ann' })
    const unknown = await post('lostpassword', { user_login: 'somebody-else' })
    const without = ({ status, text, headers }: typeof known) => ({
      ...{ status, text },
      headers: { ...headers, date: '', 'x-request-id': '' },
    })
    expect(without(known)).to.deep.equal(without(unknown))
    const { text } = await get(known.headers.location ?? '')
    expect(text).to.include('If there is an account').and.not.include('ann')
    await until(() => mails().length === 1)
  })

  it('sends a link whose key is not in the database, and which sets a password once', async () => {
    await site.browser('ann')
    const link = await requestLink('ann@example.org')
    const message = lastMail()
    expect(message).to.include('Subject: [').and.include('Reset your password').and.include('Username: ann')
    expect(message).to.include(`IP address ${from()}`)
    const [stored] = await links()
    expect(JSON.stringify(stored)).to.not.include(link.key)

    const form = await get(`/wp-login.php?action=rp&${new URLSearchParams(link)}`).expect(200)
    expect(form.text).to.include('name="pass1"').and.include(`value="${link.key}"`)
    expect(form.text).to.include('You will be logged out on all devices.')
    const saved = await save(link)
    expect([saved.status, saved.headers.location]).to.deep.equal([302, '/wp-login.php?password=changed'])

    expect(await site.host.auth.sessions.list((await user()).id)).to.deep.equal([])
    expect((await logIn(NEW_PASSWORD)).status).to.equal(302)
    expect((await logIn(PASSWORD)).status).to.equal(200)
    const again = await save(link, 'another good one')
    expect(again.status).to.equal(400)
    expect(again.text).to.include('This link is not valid')
    expect((await logIn('another good one')).status).to.equal(200)
  })

  it('works for only one of two simultaneous requests', async () => {
    const link = await requestLink()
    const both = await Promise.all([save(link, 'first good password'), save(link, 'second good password')])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([302, 400])
  })

  it('leaves the link valid if the password breaks the rules', async () => {
    const link = await requestLink()
    expect(await textIn(save(link, 'short'))).to.include('too short')
    expect((await save(link, NEW_PASSWORD, 'something else')).text).to.include('The passwords do not match.')
    expect((await save(link)).status).to.equal(302)
  })

  it('rejects expired and replaced links, and those sent to a former address or for another login', async () => {
    const expired = await requestLink()
    await site.host.database.db.updateTable('account_links').set({ expires_gmt: '2026-01-01 00:00:00' }).execute()
    const { status, text } = await get(`/wp-login.php?action=rp&${new URLSearchParams(expired)}`)
    expect([status, text.includes('This link has expired.')]).to.deep.equal([400, true])
    expect((await save(expired)).status).to.equal(400)

    const { passwordLinks, auth } = site.host
    const keyOf = (url: string) => ({ key: new URL(url).searchParams.get('key') ?? '', login: 'ann' })
    const first = keyOf(await passwordLinks.createUrl(await user()))
    const second = keyOf(await passwordLinks.createUrl(await user()))
    expect((await save(first)).status).to.equal(400)
    expect((await save({ ...second, login: 'ben' })).status).to.equal(400)
    await auth.users.update((await user()).id, { email: 'ann@example.net' })
    expect((await save(second)).status).to.equal(400)
    await auth.users.update((await user()).id, { email: 'ann@example.org' })
    expect((await save(second)).status).to.equal(302)
  })

  it('revokes the link when the password changes', async () => {
    const link = await requestLink()
    await site.host.auth.users.update((await user()).id, { password: 'changed in between' })
    expect((await save(link)).status).to.equal(400)
  })

  it('sends a user one email in ten minutes, and takes ten requests from a network', async () => {
    await requestLink('ben')
    const before = mails().length
    for (let time = 0; time < 9; time++) await post('lostpassword', { user_login: 'ben' }).expect(302)
    const tooMany = await post('lostpassword', { user_login: 'ann' })
    expect(tooMany.status).to.equal(429)
    expect(Number(tooMany.headers['retry-after'])).to.be.within(1, 900)
    network++
    await requestLink('ann')
    expect(mails().length - before).to.equal(1)
  })

  it('rejects forms of other sites', async () => {
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await post('lostpassword', { user_login: 'ann' }, headers)).status).to.equal(403)
    const link = await requestLink()
    const fields = { rp_key: link.key, rp_login: 'ann', pass1: NEW_PASSWORD, pass2: NEW_PASSWORD }
    expect((await post('resetpass', fields, headers)).status).to.equal(403)
  })

  it('fires WordPress’s hooks, with which extensions reject requests and change the email', async () => {
    const { hooks } = site.host
    const seen: unknown[] = []
    const undo = [
      hooks.addAction('lostpassword_post', (login) => {
        if (login === 'robot') throw new RestError('captcha', 'Please solve the captcha.', { status: 400 })
      }),
      hooks.addAction('retrieve_password', (login) => void seen.push(['retrieve', login])),
      hooks.addAction('password_reset', ({ login }, password) => void seen.push(['reset', login, password])),
      hooks.addAction('after_password_reset', ({ login }) => void seen.push(['after', login])),
      hooks.addFilter('retrieve_password_title', (title, login) => `${title} for ${login}`),
      hooks.addFilter('retrieve_password_message', (message, key) => `${message}\nKey: ${key}`),
    ]
    try {
      expect((await post('lostpassword', { user_login: 'robot' })).text).to.include('Please solve the captcha.')
      const link = await requestLink()
      expect(lastMail()).to.include('Reset your password for ann').and.include(`Key: ${link.key}`)
      await save(link)
      expect(seen).to.deep.equal([
        ['retrieve', 'ann'],
        ['reset', 'ann', NEW_PASSWORD],
        ['after', 'ann'],
      ])
      undo.push(hooks.addFilter('allow_password_reset', () => false))
      expect(
        await site.outcome(`POST /host/v1/users/${(await user()).id}/password-link`, {}, await administrator()),
      ).to.equal('403 no_password_reset')
    } finally {
      for (const one of undo) one()
    }
  })

  it('is in the security log', async () => {
    await save(await requestLink('ben'))
    const { items } = await site.host.auth.securityLog.query({
      userId: (await user('ben')).id,
      limit: 10,
      offset: 0,
    })
    const events = items.map(({ event }) => event)
    expect(events).to.include.members(['password_link_requested', 'password_reset', 'password_changed'])
  })

  const administrator = () => site.browser('admin', 'admin-password')

  describe('POST host/v1/users/{id}/password-link', () => {
    it('sends an invitation, which is valid for a week', async () => {
      const eve = await site.host.auth.users.create({ login: 'eve', email: 'eve@example.org' })
      const { status, item } = await site.ask(
        `POST /host/v1/users/${eve.id}/password-link`,
        { occasion: 'invitation' },
        await administrator(),
      )
      expect(status).to.equal(200)
      expect(item.data).to.deep.equal({ email: 'eve@example.org', storedAsFile: true })
      expect(lastMail()).to.include('An account was created for you').and.include('Username: eve')
      const [stored] = await links()
      const lifetime = Date.parse(`${stored?.expires_gmt}Z`) - Date.parse(`${stored?.created_gmt}Z`)
      expect(lifetime).to.equal(7 * 24 * 60 * 60 * 1000)
      const form = await get(`/wp-login.php?action=rp&${new URLSearchParams(last)}`).expect(200)
      expect(form.text).to.include('Set your password').and.not.include('logged out')
      expect((await save(last)).status).to.equal(302)
      expect((await logIn(NEW_PASSWORD, 'eve')).status).to.equal(302)
    })
    it('knows who has yet to log in or set a password', async () => {
      const needs = async (id: number) => {
        const { item } = await site.ask(`GET /host/v1/users/${id}/password-link`, undefined, await administrator())
        return item.data
      }
      const { users } = site.host.auth
      const fay = await users.create({ login: 'fay', email: 'fay@example.org', password: PASSWORD })
      const gil = await users.create({ login: 'gil', email: 'gil@example.org' })
      expect([await needs(fay.id), await needs(gil.id)]).to.deep.equal([
        { needsInvitation: true },
        { needsInvitation: true },
      ])
      expect((await logIn(PASSWORD, 'fay')).status).to.equal(302)
      await users.update(gil.id, { password: NEW_PASSWORD })
      expect([await needs(fay.id), await needs(gil.id)]).to.deep.equal([
        { needsInvitation: false },
        { needsInvitation: false },
      ])
      const route = `GET /host/v1/users/${fay.id}/password-link`
      expect(await site.outcome(route, undefined, await site.browser('ben', NEW_PASSWORD))).to.match(/^403/)
    })
    it('requires permission to edit the user, and an email address', async () => {
      const ann = await user()
      const silent = await site.host.auth.users.create({ login: 'silent' })
      const route = (id: number) => `POST /host/v1/users/${id}/password-link`
      expect(await site.outcome(route(ann.id), {})).to.match(/^401/)
      expect(await site.outcome(route(ann.id), {}, await site.browser('ben', NEW_PASSWORD))).to.match(/^403/)
      expect(await site.outcome(route(silent.id), {}, await administrator())).to.equal('400 no_user_email')
      expect(await site.outcome(route(999_999), {}, await administrator())).to.equal('404 rest_user_invalid_id')
    })
  })
})
