import { expect } from 'chai'
import { createTestHost } from 'pentad/testing'
import sharp from 'sharp'
import type { User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { onEachDatabase } from '../support/databases.ts'
import { cookieOf, createTestSite, request, type TestSite, URL_OF_SITE } from './site.ts'

const HOUR = 60 * 60 * 1000

onEachDatabase('signing in and out in the browser', (databaseUrl) => {
  let site: TestSite
  let ann: User

  before(async () => {
    site = await createTestSite(await databaseUrl())
    ann = await site.addUser('ann', 'administrator', { password: 'correct horse', displayName: '<b>Ann</b>' })
  })
  beforeEach(() => {
    site.clock.now += HOUR
  })
  after(() => site.close())

  const get = (path: string, cookie = '') => request(site.http).get(path).set('Cookie', cookie)
  const post = (fields: Record<string, string>) => request(site.http).post('/wp-login.php').type('form').send(fields)
  const login = (more: Record<string, string> = {}) => post({ log: 'ann', pwd: 'correct horse', ...more })

  describe('the form', () => {
    it('is there, with WordPress’s field names, and nothing of it is kept or runs', async () => {
      const { status, text, headers } = await get('/wp-login.php')
      expect(status).to.equal(200)
      for (const name of ['log', 'pwd', 'rememberme', 'redirect_to']) expect(text).to.include(`name="${name}"`)
      expect(text).to.include('<header class="brand"><a href="/">Test &amp; Site</a></header>')
      expect(text).to.not.include('<script')
      expect(headers['cache-control']).to.equal('no-store')
      expect(headers['content-security-policy']).to.match(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+' 'sha256-[\w+/=]+';/,
      )
      expect(headers['content-security-policy']).to.include("frame-ancestors 'none'")
      expect(headers['x-robots-tag']).to.equal('noindex')
    })
    it('is not shown to who is signed in', async () => {
      const response = await get('/wp-login.php?redirect_to=%2Fhello%2F', await site.signIn(ann))
      expect([response.status, response.headers.location]).to.deep.equal([302, '/hello/'])
    })
    it('takes no other method', async () => {
      const { status, headers } = await request(site.http).delete('/wp-login.php')
      expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD, POST'])
    })
    it('leaves the password form of posts to the site', async () => {
      expect((await request(site.http).post('/wp-login.php?action=postpass')).status).to.equal(404)
    })
  })

  describe('the right password', () => {
    it('starts a session in a cookie that scripts and other sites do not get', async () => {
      const response = await login()
      expect([response.status, response.headers.location]).to.deep.equal([302, '/wp-admin/'])
      const [cookie = ''] = response.headers['set-cookie'] ?? []
      expect(cookie).to.match(/^pentad_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
      const again = await get('/wp-login.php', cookieOf(cookie))
      expect([again.status, again.headers.location]).to.deep.equal([302, '/wp-admin/'])
    })
    it('makes the browser known, so that strangers behind its address do not hold up its next log-in', async () => {
      const { headers } = await login()
      const [, device = ''] = headers['set-cookie'] ?? []
      expect(device).to.match(/^pentad_device=[\w.-]+; Path=\/wp-login\.php; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
      for (let time = 0; time < 100; time++) await login({ log: `nobody${time}`, pwd: 'wrong' })
      const body = { log: 'ann', pwd: 'correct horse' }
      expect((await post(body)).status).to.equal(429)
      expect((await post(body).set('Cookie', cookieOf(device))).status).to.equal(302)
    })
    it('is kept for two weeks with rememberme', async () => {
      const { headers } = await login({ rememberme: 'forever' })
      expect(headers['set-cookie']?.[0]).to.include('; Max-Age=1209600')
    })
    it('may come with the e-mail address', async () => {
      expect((await login({ log: ' ann@example.org ' })).status).to.equal(302)
    })
    it('fires wp_login with login and user', async () => {
      const seen: unknown[] = []
      const stop = site.hooks.addAction('wp_login', (...args) => void seen.push(args))
      await login({ log: 'ann@example.org' })
      stop()
      expect(seen).to.deep.equal([['ann', ann]])
    })
    it('notes address and browser of the session', async () => {
      await request(site.http)
        .post('/wp-login.php')
        .type('form')
        .set({ 'User-Agent': 'Firefox', 'X-Forwarded-For': '10.4.4.4' })
        .send({ log: 'ann', pwd: 'correct horse' })
      const sessions = await site.auth.sessions.list(ann.id)
      expect(sessions[0]).to.deep.include({ userAgent: 'Firefox', address: '10.4.4.4', userId: ann.id })
    })
  })

  describe('redirect_to', () => {
    const targets: [target: string, goes: string][] = [
      ['/hello/?a=b#c', '/hello/?a=b#c'],
      [`${URL_OF_SITE}/hello/`, '/hello/'],
      ['https://evil.example/', '/wp-admin/'],
      ['//evil.example/', '/wp-admin/'],
      ['/\\evil.example/', '/wp-admin/'],
      ['\t//evil.example/', '/wp-admin/'],
      [`${URL_OF_SITE}//evil.example/`, '/evil.example/'],
      [`${URL_OF_SITE}.evil.example/`, '/wp-admin/'],
      [`${URL_OF_SITE}@evil.example/`, '/wp-admin/'],
      ['javascript:alert(1)', '/wp-admin/'],
      ['http://[', '/wp-admin/'],
      ['/a\r\nSet-Cookie: x=y', '/aSet-Cookie:%20x=y'],
      ['', '/wp-admin/'],
    ]
    for (const [target, goes] of targets) {
      it(`${JSON.stringify(target)} leads to ${goes}`, async () => {
        expect((await login({ redirect_to: target })).headers.location).to.equal(goes)
      })
    }
  })

  describe('anything else', () => {
    it('says the same for a wrong password and an unknown name', async () => {
      const pages = await Promise.all([
        post({ log: 'ann', pwd: 'wrong' }),
        post({ log: 'eve', pwd: 'wrong' }),
        post({ log: 'ann', pwd: '' }),
      ])
      for (const { status, text, headers } of pages) {
        expect(status).to.equal(200)
        expect(headers).to.not.have.property('set-cookie')
        expect(text).to.include('role="alert"')
        expect(text).to.include('The username or password is incorrect.')
      }
      expect(pages[1]?.text.replace('value="eve"', 'value="ann"')).to.equal(pages[0]?.text)
    })
    it('keeps what was typed, escaped, but never the password', async () => {
      const { text } = await post({ log: '"><script>', pwd: 'hunter2hunter2', redirect_to: '/x"y' })
      expect(text).to.include('value="&quot;&gt;&lt;script&gt;"')
      expect(text).to.not.include('<script')
      expect(text).to.not.include('hunter2')
    })
    it('fires wp_login_failed with what was typed', async () => {
      const seen: unknown[] = []
      const stop = site.hooks.addAction('wp_login_failed', (name, error) => void seen.push([name, error.code]))
      await post({ log: 'eve', pwd: 'wrong' })
      stop()
      expect(seen).to.deep.equal([['eve', 'incorrect_password']])
    })
    it('is 429 with Retry-After after ten failures', async () => {
      for (let time = 0; time < 10; time++) await post({ log: 'ann', pwd: 'wrong' })
      const { status, headers, text } = await login()
      expect([status, headers['retry-after']]).to.deep.equal([429, '300'])
      expect(text).to.include('Too many failed login attempts')
      expect(headers).to.not.have.property('set-cookie')
    })
    it('is refused when another site posted the form', async () => {
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site', Origin: URL_OF_SITE },
      ]) {
        const response = await login().set(headers)
        expect([response.status, response.headers['set-cookie']], JSON.stringify(headers)).to.deep.equal([
          403,
          undefined,
        ])
      }
      expect((await login().set({ Origin: URL_OF_SITE, 'Sec-Fetch-Site': 'same-origin' })).status).to.equal(302)
      expect((await login().set({ Host: 'localhost:8080', Origin: 'http://localhost:8080' })).status).to.equal(302)
    })
    it('is 413 when the form is larger than 64 KiB, and the last answer on its connection', async () => {
      const answer = await post({ log: 'a'.repeat(65 * 1024), pwd: '' }).set('Connection', 'keep-alive')
      expect([answer.status, answer.headers.connection]).to.deep.equal([413, 'close'])
    })
    it('survives fields that are no text', async () => {
      const response = await request(site.http)
        .post('/wp-login.php')
        .type('form')
        .send('log[a]=1&pwd=%00%ff&redirect_to[]=/')
      expect(response.status).to.equal(200)
    })
  })

  describe('the filter authenticate', () => {
    it('may refuse with a message of its own', async () => {
      const stop = site.hooks.addFilter('authenticate', (user) => {
        if (user) throw new RestError('code_needed', 'Please give the code from your phone.', { status: 401 })
        return user
      })
      const { status, text, headers } = await login()
      stop()
      expect(status).to.equal(401)
      expect(text).to.include('Please give the code from your phone.')
      expect(headers).to.not.have.property('set-cookie')
    })
    it('may identify users by other means', async () => {
      const stop = site.hooks.addFilter('authenticate', (user, name, password) =>
        name === 'ann' && password === 'from the directory' ? ann : user,
      )
      expect((await login({ pwd: 'from the directory' })).status).to.equal(302)
      stop()
    })
  })

  describe('signing out', () => {
    const nonceOf = async (cookie: string) =>
      site.auth.createNonce('log-out', await site.auth.identifyPage({ cookie, address: '' }))

    it('takes the nonce of the link, ends the session and removes the cookie', async () => {
      const cookie = await site.signIn(ann)
      const seen: number[] = []
      const stop = site.hooks.addAction('wp_logout', (userId) => void seen.push(userId))
      const response = await get(`/wp-login.php?action=logout&_wpnonce=${await nonceOf(cookie)}`, cookie)
      stop()
      expect([response.status, response.headers.location]).to.deep.equal([302, '/wp-login.php?loggedout=true'])
      expect(response.headers['set-cookie']?.[0]).to.match(/^pentad_session=; .*Max-Age=0$/)
      expect((await site.auth.identifyPage({ cookie, address: '' })).user).to.equal(null)
      expect(seen).to.deep.equal([ann.id])
      expect((await get('/wp-login.php?loggedout=true')).text).to.include('You are now logged out.')
    })
    it('asks first without a valid nonce, with a link that has one', async () => {
      const cookie = await site.signIn(ann)
      const other = await nonceOf(await site.signIn(ann))
      for (const query of ['', '&_wpnonce=wrong', `&_wpnonce=${other}`]) {
        const { status, text } = await get(`/wp-login.php?action=logout${query}`, cookie)
        expect(status).to.equal(403)
        expect(text).to.include(`/wp-login.php?action=logout&amp;_wpnonce=${await nonceOf(cookie)}`)
      }
      expect((await site.auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(ann.id)
    })
    it('leads a visitor to the form', async () => {
      const { status, headers } = await get('/wp-login.php?action=logout')
      expect([status, headers.location]).to.deep.equal([302, '/wp-login.php?loggedout=true'])
    })
  })

  describe('/wp-admin/admin-ajax.php?action=rest-nonce', () => {
    it('returns the nonce as text to logged-in users, and REST accepts it', async () => {
      const cookie = await site.signIn(ann)
      const { status, text, headers } = await get('/wp-admin/admin-ajax.php?action=rest-nonce', cookie)
      expect(status).to.equal(200)
      expect(text).to.match(/^[\w-]{10,}$/)
      expect(headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(headers['cache-control']).to.equal('no-store')
      const me = await get('/wp-json/host/v1/license', cookie).set('X-WP-Nonce', text)
      expect(me.status).to.equal(200)
    })
    it('answers 400 and 0 to visitors and to other actions', async () => {
      const cookie = await site.signIn(ann)
      for (const [path, who] of [
        ['/wp-admin/admin-ajax.php?action=rest-nonce', ''],
        ['/wp-admin/admin-ajax.php?action=other', cookie],
        ['/wp-admin/admin-ajax.php', cookie],
      ] as const) {
        const { status, text } = await get(path, who)
        expect([status, text], path).to.deep.equal([400, '0'])
      }
    })
  })
})

describe('on https', () => {
  it('the cookie is Secure and bound to this very host', async () => {
    const site = await createTestSite(undefined, { url: 'https://site.example' })
    const ann = await site.addUser('ann', 'author')
    const signedIn = await site.auth.startSession(ann, { address: '', userAgent: '' })
    expect(site.auth.sessionCookie(signedIn)).to.match(
      /^__Host-pentad_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const cookie = cookieOf(site.auth.sessionCookie(signedIn))
    expect((await site.auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(ann.id)
    await site.close()
  })
})

describe('The login page of a site with a logo', () => {
  it('shows it instead of the title, which it has as alternative text', async () => {
    const site = await createTestHost()
    try {
      const { content } = site.host
      const source = await sharp({ create: { width: 900, height: 300, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const { id } = await content.media.upload({ name: 'logo.png', source })
      await content.updateSiteSettings({ title: 'Bread & Salt', siteLogo: id })
      for (const action of ['', '?action=lostpassword']) {
        const html = await (await site.get(`/wp-login.php${action}`)).text()
        const [, src = ''] =
          /<header class="brand"><a href="\/"><picture><img src="([^"]+)" width="240" height="80" alt="Bread &amp; Salt"><\/picture>/.exec(
            html,
          ) ?? []
        expect((await site.get(src)).status, action).to.equal(200)
      }
      await content.updateSiteSettings({ title: '' })
      expect(await (await site.get('/wp-login.php')).text()).to.match(/<a href="\/"><picture><img [^>]+ alt="Home">/)
    } finally {
      await site.close()
    }
  })
})
