import { expect } from 'chai'
import type { Response } from 'supertest'
import type { Auth, Identity, User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { basicHeader, codeOf, createTestSite, request, type TestSite } from './site.ts'

const HOUR = 60 * 60 * 1000
const VISITOR = { user: null, session: null }

/** Recorded from WordPress 6.1, except where contract 1 decides otherwise (wrong Basic credentials). */
onEachDatabase('who asks, over REST', (databaseUrl, kind) => {
  let site: TestSite
  let auth: Auth
  let admin: User
  let subscriber: User
  let cookie: string
  let identity: Identity

  before(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    admin = await site.addUser('admin', 'administrator', { password: 'the account password' })
    subscriber = await site.addUser('sub', 'subscriber')
    cookie = await site.signIn(admin)
    identity = await auth.identifyPage({ cookie, address: '' })
    site.rest.registerRoute('demo/v1', {
      method: 'PUT',
      path: '/settings',
      access: 'manage_options',
      handler: () => ({ ok: true }),
    })
    site.rest.registerRoute('demo/v1', {
      method: ['GET', 'POST'],
      path: '/open',
      access: 'public',
      handler: ({ user }) => ({ user: user?.id ?? 0 }),
    })
  })
  after(() => site.close())

  const gated = (headers: Record<string, string>, query = '') =>
    request(site.http).put(`/wp-json/demo/v1/settings${query}`).set(headers).send({})
  const open = (headers: Record<string, string>, query = '') =>
    request(site.http).post(`/wp-json/demo/v1/open${query}`).set(headers)
  const outcome = ({ status, body }: Response) => `${status} ${body.code ?? JSON.stringify(body)}`

  it('no credentials: 401 if a capability is required, otherwise user 0', async () => {
    expect(outcome(await gated({}))).to.equal('401 rest_forbidden')
    expect(outcome(await open({}))).to.equal('200 {"user":0}')
  })
  it('cookie with its nonce: the user', async () => {
    const headers = { Cookie: cookie, 'X-WP-Nonce': auth.createNonce('wp_rest', identity) }
    expect(outcome(await gated(headers))).to.equal('200 {"ok":true}')
    expect(outcome(await open(headers))).to.equal(`200 {"user":${admin.id}}`)
  })
  it('the nonce may come in the query', async () => {
    const query = `?_wpnonce=${auth.createNonce('wp_rest', identity)}`
    expect(outcome(await open({ Cookie: cookie }, query))).to.equal(`200 {"user":${admin.id}}`)
  })
  it('cookie without nonce: anonymous', async () => {
    expect(outcome(await gated({ Cookie: cookie }))).to.equal('401 rest_forbidden')
    expect(outcome(await open({ Cookie: cookie }))).to.equal('200 {"user":0}')
  })
  it('cookie with a wrong nonce: refused, on public routes too', async () => {
    const headers = { Cookie: cookie, 'X-WP-Nonce': '0123456789' }
    expect(outcome(await gated(headers))).to.equal('403 rest_cookie_invalid_nonce')
    expect(outcome(await open(headers))).to.equal('403 rest_cookie_invalid_nonce')
    expect((await open(headers)).body).to.deep.equal({
      code: 'rest_cookie_invalid_nonce',
      message: 'Cookie check failed',
      data: { status: 403 },
    })
  })
  it('cookie with an empty nonce: refused', async () => {
    expect(outcome(await open({ Cookie: cookie, 'X-WP-Nonce': '' }))).to.equal('403 rest_cookie_invalid_nonce')
  })
  it('cookie with user 0’s nonce: refused', async () => {
    const headers = { Cookie: cookie, 'X-WP-Nonce': auth.createNonce('wp_rest', VISITOR) }
    expect(outcome(await gated(headers))).to.equal('403 rest_cookie_invalid_nonce')
  })
  it('cookie with another session’s nonce of the same user: refused', async () => {
    const other = await auth.identifyPage({ cookie: await site.signIn(admin), address: '' })
    const headers = { Cookie: cookie, 'X-WP-Nonce': auth.createNonce('wp_rest', other) }
    expect(outcome(await gated(headers))).to.equal('403 rest_cookie_invalid_nonce')
  })
  it('user 0’s nonce without cookie: anonymous', async () => {
    const headers = { 'X-WP-Nonce': auth.createNonce('wp_rest', VISITOR) }
    expect(outcome(await gated(headers))).to.equal('401 rest_forbidden')
    expect(outcome(await open(headers))).to.equal('200 {"user":0}')
  })
  it('a user’s nonce without cookie: rejected', async () => {
    const headers = { 'X-WP-Nonce': auth.createNonce('wp_rest', identity) }
    expect(outcome(await open(headers))).to.equal('403 rest_cookie_invalid_nonce')
  })
  it('a foreign or forged cookie: anonymous', async () => {
    const nonce = auth.createNonce('wp_rest', VISITOR)
    for (const wrong of ['other=1', cookie.replace(/=.*/, '=made-up'), cookie.replace(/=.*/, '='), `x${cookie}`]) {
      expect(outcome(await open({ Cookie: wrong, 'X-WP-Nonce': nonce })), wrong).to.equal('200 {"user":0}')
    }
  })
  it('our cookie is found among others', async () => {
    const headers = { Cookie: `a=b; ${cookie}; c=d`, 'X-WP-Nonce': auth.createNonce('wp_rest', identity) }
    expect(outcome(await open(headers))).to.equal(`200 {"user":${admin.id}}`)
  })
  it('the nonce may be a field of a form', async () => {
    const nonce = auth.createNonce('wp_rest', identity)
    const form = (fields: string, headers: Record<string, string> = { Cookie: cookie }) =>
      open(headers).type('form').send(fields)
    expect(outcome(await form(`a=1&_wpnonce=${nonce}`))).to.equal(`200 {"user":${admin.id}}`)
    expect(outcome(await form('_wpnonce=0123456789'))).to.equal('403 rest_cookie_invalid_nonce')
    expect(outcome(await form('a=1'))).to.equal('200 {"user":0}')
    expect(outcome(await form(`_wpnonce=${nonce}`, {}))).to.equal('200 {"user":0}')
    const settings = request(site.http).put('/wp-json/demo/v1/settings').set('Cookie', cookie).type('form')
    expect(outcome(await settings.send(`_wpnonce=${nonce}`))).to.equal('200 {"ok":true}')
  })
  it('a nonce in its second tick still counts, and a fresh one comes with every answer to a nonce', async () => {
    const nonce = auth.createNonce('wp_rest', identity)
    const fresh = await gated({ Cookie: cookie, 'X-WP-Nonce': nonce })
    expect(fresh.headers['x-wp-nonce']).to.equal(nonce)
    expect((await open({ Cookie: cookie })).headers).to.not.have.property('x-wp-nonce')
    site.clock.now += 12 * HOUR
    const second = await gated({ Cookie: cookie, 'X-WP-Nonce': nonce })
    expect(outcome(second)).to.equal('200 {"ok":true}')
    expect(second.headers['x-wp-nonce']).to.equal(auth.createNonce('wp_rest', identity))
    site.clock.now += 12 * HOUR
    expect(outcome(await gated({ Cookie: cookie, 'X-WP-Nonce': nonce }))).to.equal('403 rest_cookie_invalid_nonce')
    site.clock.now -= 24 * HOUR
  })

  describe('Basic', () => {
    it('application password: the user, without nonce, and which password it was', async () => {
      const created = await auth.applicationPasswords.create(admin.id, 'curl')
      const response = await request(site.http)
        .put('/wp-json/demo/v1/settings')
        .auth('admin', created.password)
        .send({})
      expect(outcome(response)).to.equal('200 {"ok":true}')
      const who = await auth.identifyRest({
        authorization: basicHeader('admin', created.password),
        address: '10.1.1.1',
      })
      expect([who.via, who.user?.id, who.applicationPassword, who.session, who.freshNonce]).to.deep.equal([
        'application-password',
        admin.id,
        created.uuid,
        null,
        null,
      ])
    })
    it('takes the password without its spaces, the login in any case and the e-mail address', async () => {
      const { password } = await auth.applicationPasswords.create(admin.id, 'forms')
      for (const [login, form] of [
        ['admin', password.replaceAll(' ', '')],
        ['ADMIN', password],
        ['Admin@Example.org', password.replaceAll(' ', '-')],
      ] as const) {
        const authorization = basicHeader(login, form)
        expect((await auth.identifyRest({ authorization, address: '10.1.1.2' })).user?.id, login).to.equal(admin.id)
      }
    })
    it('capability missing: 403', async () => {
      expect(outcome(await gated({ Authorization: await site.basic(subscriber) }))).to.equal('403 rest_forbidden')
    })
    it('needs no nonce, and no nonce spoils it', async () => {
      const headers = { Authorization: await site.basic(admin), 'X-WP-Nonce': '0123456789', Cookie: cookie }
      expect(outcome(await open(headers))).to.equal(`200 {"user":${admin.id}}`)
    })

    const someone = 'MtoQ 3Vep VTqO hpQN cM52 yjKl'
    const wrongs: [what: string, authorization: string][] = [
      ['wrong password', basicHeader('admin', 'wrong')],
      ['unknown user', basicHeader('nobody', 'wrong')],
      ['well-formed but unknown password', basicHeader('admin', someone)],
      ['the account password', basicHeader('admin', 'the account password')],
      ['an empty password', basicHeader('admin', '')],
      ['no colon', `Basic ${Buffer.from('admin').toString('base64')}`],
      ['no base64', 'Basic %%%'],
      ['nothing', 'Basic '],
      ['NUL in the name', basicHeader('ad\0min', someone)],
    ]
    for (const [index, [what, authorization]] of wrongs.entries()) {
      it(`${what}: 401 incorrect_password, on public routes too`, async () => {
        const headers = { Authorization: authorization, 'X-Forwarded-For': `10.2.0.${index}` }
        site.clock.now += HOUR
        const answers = [await gated(headers), await open(headers)]
        expect(answers.map(outcome)).to.deep.equal(['401 incorrect_password', '401 incorrect_password'])
        expect(answers[0]?.body.message).to.equal('The username or application password is incorrect.')
      })
    }
    it('another user’s application password: refused', async () => {
      const { password } = await auth.applicationPasswords.create(subscriber.id, 'mine')
      const authorization = basicHeader('admin', password)
      site.clock.now += HOUR
      expect(await codeOf(auth.identifyRest({ authorization, address: '10.1.1.3' }))).to.equal('incorrect_password')
      const own = await auth.identifyRest({ authorization: basicHeader('sub', password), address: '10.1.1.3' })
      expect(own.user?.id).to.equal(subscriber.id)
    })
    it('fires application_password_failed_authentication', async () => {
      const seen: RestError[] = []
      const stop = site.hooks.addAction('application_password_failed_authentication', (error) => void seen.push(error))
      site.clock.now += HOUR
      await open({ Authorization: basicHeader('admin', 'wrong') })
      stop()
      expect(seen.map((error) => error.code)).to.deep.equal(['incorrect_password'])
    })
    it('fires application_password_did_authenticate once for each request, with the user and which password', async () => {
      const { uuid, password } = await auth.applicationPasswords.create(admin.id, 'heard')
      const seen: unknown[] = []
      const stop = site.hooks.addAction(
        'application_password_did_authenticate',
        (user, which) => void seen.push([user.login, which]),
      )
      const authorization = { Authorization: basicHeader('admin', password) }
      await open(authorization)
      await open(authorization)
      await open({ Authorization: basicHeader('admin', 'wrong') })
      stop()
      expect(seen).to.deep.equal(Array(2).fill(['admin', uuid]))
    })
    it('other schemes are not ours', async () => {
      expect(outcome(await open({ Authorization: 'Bearer abc' }))).to.equal('200 {"user":0}')
    })
  })

  describe('what was remembered', () => {
    it('ends with a revoked application password, at once', async () => {
      const { uuid, password } = await auth.applicationPasswords.create(admin.id, 'revoked')
      const credentials = { authorization: basicHeader('admin', password), address: '10.3.0.1' }
      expect((await auth.identifyRest(credentials)).user?.id).to.equal(admin.id)
      expect(await auth.applicationPasswords.revoke(admin.id, uuid)).to.equal(1)
      expect(await codeOf(auth.identifyRest(credentials))).to.equal('incorrect_password')
    })
    it('follows a change of the user, at once', async () => {
      const user = await site.addUser('moving', 'subscriber')
      const authorization = await site.basic(user)
      await auth.identifyRest({ authorization, address: '10.3.0.2' })
      await auth.users.update(user.id, { roles: ['editor'] })
      const { user: now } = await auth.identifyRest({ authorization, address: '10.3.0.2' })
      expect(now?.roles).to.deep.equal(['editor'])
    })
    it('follows another process at once, on PostgreSQL within two seconds', async () => {
      const { uuid, password } = await auth.applicationPasswords.create(admin.id, 'elsewhere')
      const credentials = { authorization: basicHeader('admin', password), address: '10.3.0.3' }
      await auth.identifyRest(credentials)
      const session = await site.signIn(subscriber)
      await auth.identifyPage({ cookie: session, address: '' })
      const second = await site.another()
      await second.auth.applicationPasswords.revoke(admin.id, uuid)
      await second.auth.sessions.end(subscriber.id)
      await second.close()
      if (kind === 'postgres') site.clock.now += 2001
      expect(await codeOf(auth.identifyRest(credentials))).to.equal('incorrect_password')
      expect((await auth.identifyPage({ cookie: session, address: '' })).user).to.equal(null)
    })
    it('knows sessions and application passwords that another process made', async () => {
      const second = await site.another()
      const { password } = await second.auth.applicationPasswords.create(admin.id, 'made elsewhere')
      await second.close()
      const authorization = basicHeader('admin', password)
      expect((await auth.identifyRest({ authorization, address: '10.3.0.4' })).user?.id).to.equal(admin.id)
    })
  })

  it('a page is asked for by the session alone', async () => {
    const page = await auth.identifyPage({ cookie, authorization: basicHeader('x', 'y'), nonce: 'wrong', address: '' })
    expect([page.via, page.user?.id]).to.deep.equal(['session', admin.id])
    expect((await auth.identifyPage({ address: '' })).via).to.equal('nobody')
  })
  it('a session ends by itself: after two days, fourteen if remembered', async () => {
    const client = { address: '', userAgent: '' }
    const short = auth.sessionCookie(await auth.startSession(admin, client)).split(';')[0]
    const long = auth.sessionCookie(await auth.startSession(admin, { ...client, remember: true })).split(';')[0]
    const valid = async () =>
      Promise.all(
        [short, long].map(async (one) => (await auth.identifyPage({ cookie: one, address: '' })).user !== null),
      )
    const start = site.clock.now
    site.clock.now = start + 48 * HOUR - 1000
    expect(await valid()).to.deep.equal([true, true])
    site.clock.now = start + 48 * HOUR
    expect(await valid()).to.deep.equal([false, true])
    site.clock.now = start + 14 * 24 * HOUR
    expect(await valid()).to.deep.equal([false, false])
    await site.signIn(subscriber)
    const rows = await site.database.db
      .selectFrom('sessions')
      .select('user_id')
      .where('user_id', '=', admin.id)
      .execute()
    expect(rows, 'expired sessions are swept out').to.have.length(0)
  })
  it('a token is not in the database', async () => {
    const { token } = await auth.startSession(admin, { address: '', userAgent: '' })
    const rows = await site.database.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).to.not.include(token)
    expect(Buffer.from(token, 'base64url')).to.have.length(32)
  })
  it('a refusal of a callback passes through', async () => {
    const stop = site.hooks.addAction('application_password_failed_authentication', () => {
      throw new RestError('blocked', 'Go away.', { status: 403 })
    })
    site.clock.now += HOUR
    expect(outcome(await open({ Authorization: basicHeader('admin', 'wrong') }))).to.equal('403 blocked')
    stop()
  })
})
