import { expect } from 'chai'
import jsQR from 'jsqr'
import type { User } from '../../core/auth/types.ts'
import { appCode } from '../support/authenticator-app.ts'
import { onEachDatabase } from '../support/databases.ts'
import { codeOf, cookieOf, createTestSite, request, type TestSite } from './site.ts'

const MINUTE = 60_000
const PASSWORD = 'correct horse'

onEachDatabase('two-factor authentication', (databaseUrl) => {
  let site: TestSite
  let ann: User
  let requiredRoles: readonly string[] = []

  before(async () => {
    site = await createTestSite(await databaseUrl(), {}, { twoFactorRoles: () => requiredRoles })
  })
  beforeEach(async () => {
    site.clock.now += 60 * MINUTE
    requiredRoles = []
    ann = await site.addUser(`ann${site.clock.now}`, 'editor', { password: PASSWORD })
  })
  after(() => site.close())

  const now = (secret: string) => appCode(secret, site.clock.now)
  const post = (action: string, fields: Record<string, string>) =>
    request(site.http)
      .post(`/wp-login.php${action && `?action=${action}`}`)
      .type('form')
      .send(fields)
  const login = (more: Record<string, string> = {}) => post('', { log: ann.login, pwd: PASSWORD, ...more })
  const tokenOf = (text: string) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const firstStep = async (more?: Record<string, string>) => tokenOf((await login(more)).text)
  const validate = (token: string, authcode: string) =>
    post('validate_2fa', { token, authcode, redirect_to: '/hello/' })

  async function enable(): Promise<{ secret: string; codes: readonly string[] }> {
    const { secret } = site.auth.twoFactor.prepare(ann)
    const codes = await site.auth.twoFactor.enable(ann, secret, now(secret))
    site.clock.now += MINUTE
    return { secret, codes }
  }

  it('asks for a code after the password, and starts no session before', async () => {
    const { secret } = await enable()
    const { status, text, headers } = await login({ redirect_to: '/hello/' })
    expect([status, headers['set-cookie']]).to.deep.equal([200, undefined])
    for (const part of ['name="authcode"', 'autocomplete="one-time-code"', 'value="/hello/"'])
      expect(text).to.include(part)
    const response = await validate(tokenOf(text), ` ${now(secret).replace(/^.../, '$& ')}`)
    expect([response.status, response.headers.location]).to.deep.equal([302, '/hello/'])
    const cookie = cookieOf(response.headers['set-cookie']?.[0])
    expect((await site.auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(ann.id)
  })

  it('says that the password is wrong before it asks for a code', async () => {
    await enable()
    const { text } = await login({ pwd: 'wrong' })
    expect(text).to.include('The username or password is incorrect.').and.not.include('authcode')
  })

  it('starts again after the password was changed meanwhile', async () => {
    const { secret } = await enable()
    const token = await firstStep()
    await site.auth.users.update(ann.id, { password: 'another password' })
    const { status, headers } = await validate(token, now(secret))
    expect([status, headers['set-cookie']]).to.deep.equal([302, undefined])
    expect(headers.location).to.include('expired=true')
  })

  it('stays logged in for two weeks if that was checked in the first step', async () => {
    const { secret } = await enable()
    const { headers } = await validate(await firstStep({ rememberme: 'forever' }), now(secret))
    expect(headers['set-cookie']?.[0]).to.include('; Max-Age=1209600')
  })

  it('accepts each code once, also in another process, and codes of the neighboring half minutes', async () => {
    const { secret } = await enable()
    const other = await site.another()
    const early = appCode(secret, site.clock.now - 30_000)
    expect((await validate(await firstStep(), early)).status).to.equal(302)
    expect(await codeOf(other.auth.twoFactor.verify(ann, early))).to.equal('incorrect_code')
    site.clock.now += MINUTE
    const code = now(secret)
    const results = await Promise.all(
      [site.auth, other.auth].map(({ twoFactor }) => codeOf(twoFactor.verify(ann, code))),
    )
    expect(results.filter((result) => result === 'resolved')).to.have.length(1)
    site.clock.now += MINUTE
    expect(await codeOf(other.auth.twoFactor.verify(ann, appCode(secret, site.clock.now + 30_000)))).to.equal(
      'resolved',
    )
    expect(await codeOf(other.auth.twoFactor.verify(ann, appCode(secret, site.clock.now + 90_000)))).to.equal(
      'incorrect_code',
    )
    await other.close()
  })

  it('does not accept the code with which the app was set up', async () => {
    const { secret } = site.auth.twoFactor.prepare(ann)
    const code = now(secret)
    await site.auth.twoFactor.enable(ann, secret, code)
    expect(await codeOf(site.auth.twoFactor.verify(ann, code))).to.equal('incorrect_code')
  })

  it('calls a code wrong that is not six ASCII digits, when it is set up and when it is used', async () => {
    const { twoFactor } = site.auth
    const { secret } = twoFactor.prepare(ann)
    const wrong = ['１２３４５６', '12345é', '12345', '1234567', '']
    for (const code of wrong) expect(await codeOf(twoFactor.enable(ann, secret, code)), code).to.equal('incorrect_code')
    await twoFactor.enable(ann, secret, now(secret))
    expect(await codeOf(twoFactor.verify(ann, '１２３４５６'))).to.equal('incorrect_code')
  })

  it('makes attempts wait longer after each wrong code, wherever they come from, until a right one', async () => {
    const { secret } = await enable()
    const waits: string[] = []
    for (let time = 0; time < 12; time++) {
      const token = await firstStep()
      const { status, text } = await validate(token, '000000')
      expect([status, text.includes('The code is incorrect')]).to.deep.equal([200, true])
      const early = await validate(token, now(secret)).set('X-Forwarded-For', `10.0.${time}.1`)
      expect(early.status).to.equal(429)
      waits.push(early.headers['retry-after'] ?? '')
      site.clock.now += 1000 * Number(waits.at(-1))
      if (waits.at(-1) === '900') break
    }
    expect(waits).to.deep.equal(['2', '4', '8', '16', '32', '64', '128', '256', '512', '900'])
    expect((await validate(await firstStep(), now(secret))).status).to.equal(302)
    expect((await validate(await firstStep(), '000000')).status).to.equal(200)
    expect((await validate(await firstStep(), '000000')).headers['retry-after']).to.equal('2')
  })

  it('fires wp_login_failed and records wrong codes', async () => {
    await enable()
    const seen: unknown[] = []
    const stop = site.hooks.addAction('wp_login_failed', (name, error) => void seen.push([name, error.code]))
    await validate(await firstStep(), '000000')
    stop()
    expect(seen).to.deep.equal([[ann.login, 'incorrect_code']])
    const { items } = await site.auth.securityLog.query({ userId: ann.id, limit: 10, offset: 0 })
    expect(items.map(({ event }) => event)).to.include.members(['two_factor_enabled', 'two_factor_failed'])
    expect(items.map(({ event }) => event)).not.to.include('sign_in_failed')
  })

  it('accepts each recovery code once, in any case and spacing', async () => {
    const { codes } = await enable()
    expect(codes).to.have.length(10)
    const [first = ''] = codes
    expect(first).to.match(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await validate(await firstStep(), first.toLowerCase().replaceAll('-', ' '))).status).to.equal(302)
    const again = await validate(await firstStep(), first)
    expect(again.status).to.equal(200)
    expect(again.text).to.include('The recovery code is incorrect or was already used.').and.not.include('the time on')
    expect(await site.auth.twoFactor.status(ann)).to.deep.equal({
      ...{ app: true, passkeys: [], recoveryCodes: 9, required: false },
    })
  })

  it('stores neither the secret nor the recovery codes in plain text', async () => {
    const { secret, codes } = await enable()
    const rows = JSON.stringify([
      await site.database.db.selectFrom('two_factor').selectAll().execute(),
      await site.database.db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    expect(rows).to.include(String(ann.id)).and.not.include(secret)
    for (const code of codes) expect(rows).not.to.include(code.replaceAll('-', ''))
  })

  it('accepts no altered, expired, or foreign login', async () => {
    const { secret } = await enable()
    const token = await firstStep()
    const other = await site.addUser(`eve${site.clock.now}`, 'administrator', { password: PASSWORD })
    const altered = [
      token.replace(/^\d+/, String(other.id)),
      token.replace(/\.(.)(?=[^.]*$)/, (_, letter) => (letter === 'A' ? '.B' : '.A')),
      '',
      'x',
    ]
    for (const wrong of altered) {
      const { status, headers } = await validate(wrong, now(secret))
      expect([status, headers['set-cookie']], wrong).to.deep.equal([302, undefined])
      expect(headers.location).to.match(/^\/wp-login\.php\?expired=true/)
    }
    const foreign = await validate(token, now(secret)).set('Origin', 'https://evil.example')
    expect([foreign.status, foreign.headers['set-cookie']]).to.deep.equal([302, undefined])
    site.clock.now += 11 * MINUTE
    expect((await validate(token, now(secret))).headers.location).to.match(/expired=true/)
  })

  it('does not concern application passwords and password confirmation', async () => {
    await enable()
    const { status } = await request(site.http)
      .get('/wp-json/host/v1/sessions')
      .set('Authorization', await site.basic(ann))
    expect(status).to.equal(200)
    const identity = await site.auth.identifyPage({ cookie: await site.signIn(ann), address: '' })
    expect(await codeOf(site.auth.confirmPassword(identity, PASSWORD, ''))).to.equal('resolved')
  })

  describe('required for a role', () => {
    it('is set up during the login, which then shows the recovery codes', async () => {
      requiredRoles = ['editor']
      const { text, headers } = await login({ redirect_to: '/hello/' })
      expect(headers).not.to.have.property('set-cookie')
      expect(headers['content-security-policy']).to.match(/^default-src 'none'/)
      const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? ''
      expect(text).to.include('<svg').and.include(secret.slice(0, 4))
      const fields = { token: tokenOf(text), secret, redirect_to: '/hello/' }
      const wrong = await post('setup_2fa', { ...fields, authcode: '000000' })
      expect(wrong.text).to.include('The code is incorrect').and.include(`value="${secret}"`)
      const done = await post('setup_2fa', { ...fields, authcode: now(secret) })
      expect(done.text.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g)).to.have.length(10)
      expect(done.text).to.include('href="/hello/"')
      const cookie = cookieOf(done.headers['set-cookie']?.[0])
      expect((await site.auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(ann.id)
    })

    it('cannot be used to replace an app', async () => {
      const { secret } = await enable()
      const token = await firstStep()
      const evil = site.auth.twoFactor.prepare(ann).secret
      const response = await post('setup_2fa', { token, secret: evil, authcode: now(evil), redirect_to: '' })
      expect([response.status, response.headers['set-cookie']]).to.deep.equal([302, undefined])
      expect((await validate(token, now(secret))).status).to.equal(302)
    })

    it('concerns no other roles', async () => {
      requiredRoles = ['administrator']
      expect((await login()).status).to.equal(302)
    })
  })

  describe('over REST', () => {
    const call = async (method: 'get' | 'post' | 'delete', path: string, cookie: string, body?: object) => {
      const nonce = site.auth.createNonce('wp_rest', await site.auth.identifyPage({ cookie, address: '' }))
      return request(site.http)
        [method](`/wp-json/host/v1${path}`)
        .set({ Cookie: cookie, 'X-WP-Nonce': nonce })
        .send(body)
    }
    async function confirmedSession(user: User): Promise<string> {
      const cookie = await site.signIn(user)
      await site.auth.confirmPassword(await site.auth.identifyPage({ cookie, address: '' }), PASSWORD, '')
      return cookie
    }

    it('is set up with a confirmed password, a QR code, and a code of the app; other sessions end', async () => {
      const cookie = await site.signIn(ann)
      expect((await call('post', '/two-factor/prepare', cookie)).body.code).to.equal('password_confirmation_required')
      const confirmed = await confirmedSession(ann)
      const { body } = await call('post', '/two-factor/prepare', confirmed)
      const { secret, uri, qrCode: modules } = body.data
      const label = `My%20Pentad%20site:${ann.login}`
      const parameters = `issuer=My%20Pentad%20site&secret=${secret}&algorithm=SHA1&digits=6&period=30`
      expect(uri).to.equal(`otpauth://totp/${label}?${parameters}`)
      expect(scan(modules)).to.equal(uri)
      const wrong = await call('post', '/two-factor', confirmed, { secret, code: '000000' })
      expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'incorrect_code'])
      const enabled = await call('post', '/two-factor', confirmed, { secret, code: now(secret) })
      expect(enabled.body.data.recoveryCodes).to.have.length(10)
      expect((await site.auth.identifyPage({ cookie, address: '' })).user).to.equal(null)
      const renewed = await call('post', '/two-factor/recovery-codes', confirmed)
      expect(renewed.body.data.recoveryCodes)
        .to.have.length(10)
        .and.not.include.members(enabled.body.data.recoveryCodes)
      expect(await codeOf(site.auth.twoFactor.verify(ann, enabled.body.data.recoveryCodes[0]))).to.equal(
        'incorrect_code',
      )
    })

    it('has a QR code for any site title', async () => {
      await site.options.update('site_settings', { title: `My: ${'🍞'.repeat(60)}` })
      expect(site.auth.twoFactor.prepare(ann).uri).to.match(/^otpauth:\/\/totp\/My%20%20(%F0%9F%8D%9E){36}:ann/)
    })

    it('is turned off by users who can edit the account, and by no others', async () => {
      await enable()
      const path = `/users/${ann.id}/two-factor`
      const eve = await site.addUser(`eve${site.clock.now}`, 'author', { password: PASSWORD })
      const boss = await site.addUser(`boss${site.clock.now}`, 'administrator', { password: PASSWORD })
      for (const method of ['get', 'delete'] as const) {
        expect((await call(method, path, await confirmedSession(eve))).status).to.equal(403)
      }
      expect((await call('delete', path, await site.signIn(boss))).body.code).to.equal('password_confirmation_required')
      const off = { app: false, passkeys: [], recoveryCodes: 0, required: false }
      expect((await call('delete', path, await confirmedSession(boss))).body.data).to.deep.equal(off)
      expect((await login()).status).to.equal(302)
    })
  })
})

/** What an authenticator app reads from the QR code, at four pixels a module, with the quiet zone that readers need. */
function scan(modules: readonly (readonly boolean[])[]): string | undefined {
  const [scale, quiet] = [4, 4]
  const size = (modules.length + 2 * quiet) * scale
  const pixels = new Uint8ClampedArray(size * size * 4).map((_, at) => {
    const [x, y] = [(at >> 2) % size, Math.floor((at >> 2) / size)].map((pixel) => Math.floor(pixel / scale) - quiet)
    return at % 4 < 3 && modules[y ?? 0]?.[x ?? 0] ? 0 : 255
  })
  return jsQR.default(pixels, size, size)?.data
}
