import { expect } from 'chai'
import type { User } from '../../core/auth/types.ts'
import { createPasskey } from '../support/authenticator.ts'
import { onEachDatabase } from '../support/databases.ts'
import { cookieOf, createTestSite, request, type TestSite } from './site.ts'

const SITE = new URL('https://site.example')
const PASSWORD = 'correct horse'

onEachDatabase('passkeys', (databaseUrl) => {
  let site: TestSite
  let ann: User

  before(async () => {
    site = await createTestSite(await databaseUrl(), { url: SITE.origin })
  })
  beforeEach(async () => {
    site.clock.now += 60 * 60_000
    ann = await site.addUser(`ann${site.clock.now}`, 'editor', { password: PASSWORD })
  })
  after(() => site.close())

  async function session(user: User): Promise<string> {
    const cookie = await site.signIn(user)
    await site.auth.confirmPassword(await site.auth.identifyPage({ cookie, address: '' }), PASSWORD, '')
    return cookie
  }
  async function call(method: 'get' | 'post' | 'delete', path: string, cookie: string, body?: object) {
    const nonce = site.auth.createNonce('wp_rest', await site.auth.identifyPage({ cookie, address: '' }))
    return request(site.http)[method](`/wp-json/host/v1${path}`).set({ Cookie: cookie, 'X-WP-Nonce': nonce }).send(body)
  }
  const optionsFor = async (cookie: string) => (await call('post', '/two-factor/passkeys/options', cookie)).body.data
  const save = (cookie: string, credential: object) =>
    call('post', '/two-factor/passkeys', cookie, { name: 'Phone', credential })

  async function added(kind?: 'ec' | 'ed25519' | 'rsa') {
    const passkey = createPasskey(SITE, kind)
    const cookie = await session(ann)
    const { challenge } = await optionsFor(cookie)
    const { status, body } = await save(cookie, passkey.register(challenge))
    expect(status).to.equal(200)
    site.clock.now += 1000
    return { passkey, cookie, recoveryCodes: body.data.recoveryCodes }
  }

  async function loginChallenge(): Promise<string> {
    const { text } = await request(site.http).get('/wp-login.php?action=passkey')
    const options = /data-options="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
    return JSON.parse(options).challenge
  }
  const logIn = (credential: object | string, more: Record<string, string> = {}) =>
    request(site.http)
      .post('/wp-login.php?action=passkey')
      .type('form')
      .send({ credential: typeof credential === 'string' ? credential : JSON.stringify(credential), ...more })
  const userOf = async (cookie: string | undefined) =>
    (await site.auth.identifyPage({ cookie: cookieOf(cookie), address: '' })).user

  for (const kind of ['ec', 'ed25519', 'rsa'] as const) {
    it(`of kind ${kind} log a user in without a password and without a code`, async () => {
      const { passkey } = await added(kind)
      const response = await logIn(passkey.answer(await loginChallenge()), {
        redirect_to: '/hello/',
        rememberme: 'forever',
      })
      expect([response.status, response.headers.location]).to.deep.equal([302, '/hello/'])
      expect(response.headers['set-cookie']?.[0]).to.include('Max-Age=1209600')
      expect((await userOf(response.headers['set-cookie']?.[0]))?.id).to.equal(ann.id)
    })
  }

  for (const kind of ['ec', 'ed25519', 'rsa'] as const) {
    it(`of kind ${kind} that were stored as PEM, as up to 1.0.0-beta.1, still log in`, async () => {
      const { passkey } = await added(kind)
      const pem = passkey.publicKey.export({ format: 'pem', type: 'spki' }).toString()
      await site.database.db.updateTable('passkeys').set({ public_key: pem }).where('id', '=', passkey.id).execute()
      expect((await logIn(passkey.answer(await loginChallenge()))).status).to.equal(302)
      site.clock.now += 1000
      expect(
        (await logIn(createPasskey(SITE, kind).answer(await loginChallenge(), { id: passkey.id }))).status,
      ).to.equal(401)
    })
  }

  it('are offered in the login form, on a page whose only script is the one for passkeys', async () => {
    expect((await request(site.http).get('/wp-login.php')).text).to.include('Log in with a passkey')
    const { headers } = await request(site.http).get('/wp-login.php?action=passkey')
    expect(headers['content-security-policy']).to.match(/^default-src 'none';.*script-src 'sha256-[\w+/=]+'$/)
  })

  it('ask the browser for a passkey of the site that verifies the user', async () => {
    const { passkey, cookie } = await added()
    const options = await optionsFor(cookie)
    expect(options).to.deep.include({
      rp: { id: 'site.example', name: 'My Pentad site' },
      excludeCredentials: [{ type: 'public-key', id: passkey.id }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
    expect(options.user.name).to.equal(ann.login)
  })

  it('make the password alone insufficient; recovery codes then are the second step', async () => {
    const { recoveryCodes } = await added()
    expect(recoveryCodes).to.have.length(10)
    const { text } = await request(site.http).post('/wp-login.php').type('form').send({ log: ann.login, pwd: PASSWORD })
    expect(text).to.include('Use a passkey').and.include('Recovery code')
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const authcode = String(recoveryCodes[0])
    const send = (code: string) =>
      request(site.http).post('/wp-login.php?action=validate_2fa').type('form').send({ token, authcode: code })
    expect((await send('123456')).status).to.equal(200)
    site.clock.now += 5000
    expect((await send(authcode)).status).to.equal(302)
  })

  it('are not registered with what was made for another site, user, or purpose, or without a PIN', async () => {
    const cookie = await session(ann)
    const eve = await site.addUser(`eve${site.clock.now}`, 'editor', { password: PASSWORD })
    const passkey = createPasskey(SITE)
    const { challenge } = await optionsFor(cookie)
    const wrong = [
      passkey.register(challenge, { origin: 'https://evil.example' }),
      passkey.register(challenge, { rpId: 'evil.example' }),
      passkey.register(challenge, { type: 'webauthn.get' }),
      passkey.register(challenge, { flags: 0x41 }),
      passkey.register(challenge, { id: createPasskey(SITE).id }),
      passkey.register(await loginChallenge()),
      passkey.register((await optionsFor(await session(eve))).challenge),
      passkey.register(challenge.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A'))),
    ]
    for (const [index, credential] of wrong.entries()) {
      const { status, body } = await save(cookie, credential)
      expect([status, body.code], String(index)).to.deep.equal([400, 'invalid_passkey'])
    }
    site.clock.now += 6 * 60_000
    expect((await save(cookie, passkey.register(challenge))).body.code).to.equal('invalid_passkey')
  })

  it('of another user are not taken over', async () => {
    const { passkey } = await added()
    const eve = await site.addUser(`eve${site.clock.now}`, 'editor', { password: PASSWORD })
    const cookie = await session(eve)
    const { challenge } = await optionsFor(cookie)
    expect((await save(cookie, passkey.register(challenge))).body.code).to.equal('invalid_passkey')
  })

  it('do not log anyone in with a wrong, repeated, expired, or foreign response', async () => {
    const { passkey } = await added()
    const other = createPasskey(SITE)
    const challenge = await loginChallenge()
    const wrong = [
      passkey.answer(challenge, { origin: 'https://evil.example' }),
      passkey.answer(challenge, { rpId: 'evil.example' }),
      passkey.answer(challenge, { type: 'webauthn.create' }),
      passkey.answer(challenge, { flags: 0x01 }),
      other.answer(challenge),
      other.answer(challenge, { id: passkey.id }),
      passkey.answer('AAAA'),
      'no JSON',
      '{}',
    ]
    for (const [index, credential] of wrong.entries()) {
      const { status, headers } = await logIn(credential)
      expect([status, headers['set-cookie']], String(index)).to.deep.equal([401, undefined])
    }
    const right = passkey.answer(challenge)
    expect((await logIn(right).set('Origin', 'https://evil.example')).headers['set-cookie']).to.equal(undefined)
    const both = await Promise.all([logIn(right), logIn(right)])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([302, 401])
    const late = passkey.answer(await loginChallenge())
    site.clock.now += 6 * 60_000
    expect((await logIn(late)).status).to.equal(401)
  })

  it('that were copied are noticed by their counter', async () => {
    const { passkey } = await added()
    const answer = async (counter: number) => {
      site.clock.now += 1000
      return (await logIn(passkey.answer(await loginChallenge(), { counter }))).status
    }
    expect([await answer(7), await answer(7), await answer(6), await answer(0), await answer(8)]).to.deep.equal([
      ...[302, 401, 401, 401, 302],
    ])
  })

  it('are removed, with two-factor authentication once none is left', async () => {
    const { passkey, cookie } = await added()
    const path = `/users/${ann.id}/two-factor`
    expect((await call('get', path, cookie)).body.data.passkeys).to.have.length(1)
    const { body } = await call('delete', `${path}/passkeys/${passkey.id}`, cookie)
    expect(body.data).to.deep.equal({ app: false, passkeys: [], recoveryCodes: 0, required: false })
    expect((await logIn(passkey.answer(await loginChallenge()))).status).to.equal(401)
    expect((await call('delete', `${path}/passkeys/${passkey.id}`, cookie)).status).to.equal(404)
  })

  it('are not offered where browsers do not allow them', async () => {
    for (const url of ['http://site.example', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
      const other = await createTestSite(undefined, { url })
      expect(other.auth.twoFactor.passkeys.isSupported, url).to.equal(false)
      await other.close()
    }
  })

  it('limits failed logins of a network, and does not record those over the limit', async () => {
    const attempts: number[] = []
    const recorded = async () =>
      (await site.auth.securityLog.query({ events: ['passkey_failed'], limit: 1, offset: 0 })).items[0]?.count ?? 0
    for (let attempt = 0; attempt < 30; attempt++) attempts.push((await logIn('{}')).status)
    expect(attempts).to.include(401).and.include(429)
    expect(attempts.at(-1)).to.equal(429)
    const before = await recorded()
    const { status, headers, text } = await logIn('{}')
    expect(status).to.equal(429)
    expect(Number(headers['retry-after'])).to.be.within(1, 60)
    expect(text).to.include('Too many failed logins.')
    expect(await recorded()).to.equal(before)
  })
})
