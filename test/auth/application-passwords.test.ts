import { expect } from 'chai'
import type { Auth, User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'
import { basicHeader, createTestSite, request, type TestSite, URL_OF_SITE } from './site.ts'

const MINE = '/wp-json/wp/v2/users/me/application-passwords'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

onEachDatabase('wp/v2/users/…/application-passwords', (databaseUrl) => {
  let site: TestSite
  let auth: Auth
  let admin: User
  let author: User
  /** An application password of the administrator reads; a browser with a confirmed session writes. */
  let headers: { Authorization: string }
  let browser: SessionHeaders
  let own: { uuid: string }

  before(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    admin = await site.addUser('admin', 'administrator', { password: 'correct horse' })
    author = await site.addUser('auth', 'author', { password: 'battery staple' })
    const created = await auth.applicationPasswords.create(admin.id, 'oracle')
    own = created
    headers = { Authorization: basicHeader('admin', created.password) }
    browser = await openSession(auth, admin, 'correct horse')
  })
  after(() => site.close())

  const get = (path: string) => request(site.http).get(path).set(headers)
  const post = (path: string, body: object) => request(site.http).post(path).set(browser).send(body)

  it('lists them in WordPress’s shape, with the last use', async () => {
    const { status, body } = await get(MINE)
    expect(status).to.equal(200)
    expect(body).to.deep.equal([
      {
        uuid: own.uuid,
        app_id: '',
        name: 'oracle',
        created: '2026-11-21T06:00:00',
        last_used: '2026-11-21T06:00:00',
        last_ip: '127.0.0.1',
        _links: {
          self: [{ href: `${URL_OF_SITE}/wp-json/wp/v2/users/${admin.id}/application-passwords/${own.uuid}` }],
        },
      },
    ])
  })
  it('makes one: 201, Location, and the password in groups of four, this once', async () => {
    const response = await post(MINE, { name: ' golden \n' })
    const self = `${URL_OF_SITE}/wp-json/wp/v2/users/${admin.id}/application-passwords/${response.body.uuid}`
    expect([response.status, response.headers.location]).to.deep.equal([201, self])
    expect(Object.keys(response.body)).to.deep.equal([
      'uuid',
      'app_id',
      'name',
      'created',
      'last_used',
      'last_ip',
      'password',
      '_links',
    ])
    expect(response.body).to.deep.include({ name: 'golden', app_id: '', last_used: null, last_ip: null })
    expect(response.body.uuid).to.match(UUID)
    expect(response.body.password).to.match(/^[A-Za-z\d]{4}( [A-Za-z\d]{4}){5}$/)
    const again = await get(`${MINE}/${response.body.uuid}`)
    expect(again.body).to.not.have.property('password')
    const rows = await site.database.db.selectFrom('application_passwords').selectAll().execute()
    expect(JSON.stringify(rows)).to.not.include(response.body.password.replaceAll(' ', ''))
  })
  it('refuses the same name again, to rename to it too: 409', async () => {
    const again = await post(MINE, { name: 'golden' })
    expect([again.status, again.body]).to.deep.equal([
      409,
      {
        code: 'application_password_duplicate_name',
        message: 'Each application name should be unique.',
        data: { status: 409 },
      },
    ])
    expect((await post(`${MINE}/${own.uuid}`, { name: 'golden' })).status).to.equal(409)
    const other = await post(`/wp-json/wp/v2/users/${author.id}/application-passwords`, { name: 'golden' })
    expect(other.status).to.equal(201)
  })
  it('makes one of two with one name at the same moment', async () => {
    const answers = await Promise.all([post(MINE, { name: 'twin' }), post(MINE, { name: 'twin' })])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409])
  })
  it('creates none for a user who was deleted meanwhile', async () => {
    const { create } = auth.applicationPasswords
    const code = await create(999_999, 'late').then(String, (error: { code: string }) => error.code)
    expect(code).to.equal('rest_user_invalid_id')
  })
  it('introspects the one that was used', async () => {
    const { status, body } = await get(`${MINE}/introspect`)
    expect([status, body.uuid, body.name]).to.deep.equal([200, own.uuid, 'oracle'])
  })
  it('has none to introspect in a session', async () => {
    const cookie = await site.signIn(admin)
    const nonce = auth.createNonce('wp_rest', await auth.identifyPage({ cookie, address: '' }))
    const ask = (path: string) => request(site.http).get(path).set({ Cookie: cookie, 'X-WP-Nonce': nonce })
    const { status, body } = await ask(`${MINE}/introspect`)
    expect([status, body.code]).to.deep.equal([404, 'rest_no_authenticated_app_password'])
    const foreign = await ask(`/wp-json/wp/v2/users/${author.id}/application-passwords/introspect`)
    expect([foreign.status, foreign.body.code]).to.deep.equal([
      403,
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
    ])
  })
  it('fires WordPress’s actions for those that are made and revoked, with the password once', async () => {
    const told: unknown[] = []
    const undo = [
      site.hooks.addAction('wp_create_application_password', (userId, item, password) => {
        told.push(['created', userId, item.name, 'password' in item, password.length])
      }),
      site.hooks.addAction('wp_delete_application_password', (userId, { name }) => {
        told.push(['deleted', userId, name])
      }),
    ]
    const { id } = await auth.users.create({ login: 'announced', roles: ['author'] })
    const { uuid } = await auth.applicationPasswords.create(id, 'announced')
    await auth.applicationPasswords.create(id, 'also')
    await auth.applicationPasswords.revoke(id, uuid)
    await auth.applicationPasswords.revoke(id, uuid)
    await auth.applicationPasswords.revoke(id)
    for (const remove of undo) remove()
    expect(told).to.deep.equal([
      ['created', id, 'announced', false, 29],
      ['created', id, 'also', false, 29],
      ['deleted', id, 'announced'],
      ['deleted', id, 'also'],
    ])
  })

  it('reads, renames and revokes one', async () => {
    const { body: made } = await post(MINE, { name: 'short-lived', app_id: '11111111-2222-4333-8444-555555555555' })
    const path = `${MINE}/${made.uuid}`
    expect((await get(path)).body.app_id).to.equal('11111111-2222-4333-8444-555555555555')
    expect((await get(`${path}?context=embed`)).body).to.have.all.keys('uuid', 'app_id', 'name', '_links')
    for (const method of ['post', 'put', 'patch'] as const) {
      const renamed = await request(site.http)
        [method](path)
        .set(browser)
        .send({ name: `by ${method}` })
      expect([renamed.status, renamed.body.name]).to.deep.equal([200, `by ${method}`])
    }
    const revoked = await request(site.http).delete(path).set(browser)
    expect(revoked.body).to.deep.equal({
      deleted: true,
      previous: {
        uuid: made.uuid,
        app_id: '11111111-2222-4333-8444-555555555555',
        name: 'by patch',
        created: '2026-11-21T06:00:00',
        last_used: null,
        last_ip: null,
      },
    })
    for (const answer of [
      await get(path),
      await post(path, { name: 'x' }),
      await request(site.http).delete(path).set(browser),
    ]) {
      expect([answer.status, answer.body.code]).to.deep.equal([404, 'rest_application_password_not_found'])
    }
  })
  it('revokes all and says how many', async () => {
    const path = `/wp-json/wp/v2/users/${author.id}/application-passwords`
    await post(path, { name: 'another' })
    const { body } = await request(site.http).delete(path).set(browser)
    expect(body).to.deep.equal({ deleted: true, count: 2 })
    expect((await get(path)).body).to.deep.equal([])
  })

  describe('belong to the user', () => {
    let asAuthor: { Authorization: string }
    before(async () => {
      asAuthor = { Authorization: await site.basic(author) }
    })
    it('who lists and makes their own', async () => {
      expect((await request(site.http).get(MINE).set(asAuthor)).status).to.equal(200)
      const authors = await openSession(auth, author, 'battery staple')
      expect((await request(site.http).post(MINE).set(authors).send({ name: 'n' })).status).to.equal(201)
      const byId = `/wp-json/wp/v2/users/${author.id}/application-passwords`
      expect((await request(site.http).get(byId).set(asAuthor)).status).to.equal(200)
    })
    it('and otherwise only to administrators, whether or not the user exists', async () => {
      for (const id of [admin.id, 999999]) {
        const path = `/wp-json/wp/v2/users/${id}/application-passwords`
        const answers = [
          await request(site.http).get(path).set(asAuthor),
          await request(site.http).post(path).set(asAuthor).send({}),
          await request(site.http).delete(path).set(asAuthor),
          await request(site.http).get(`${path}/${own.uuid}`).set(asAuthor),
          await request(site.http).put(`${path}/${own.uuid}`).set(asAuthor).send({}),
          await request(site.http).delete(`${path}/${own.uuid}`).set(asAuthor),
          await request(site.http).get(path),
        ]
        expect(answers.map(({ status, body }) => `${status} ${body.code}`)).to.deep.equal([
          '403 rest_cannot_list_application_passwords',
          '403 rest_cannot_create_application_passwords',
          '403 rest_cannot_delete_application_passwords',
          '403 rest_cannot_read_application_password',
          '403 rest_cannot_edit_application_password',
          '403 rest_cannot_delete_application_password',
          '401 rest_cannot_list_application_passwords',
        ])
      }
    })
    it('"me" without logging in is an error', async () => {
      const { status, body } = await request(site.http).get(MINE)
      expect([status, body.code]).to.deep.equal([401, 'rest_not_logged_in'])
    })
    it('an administrator learns that a user is not there', async () => {
      for (const id of ['999999', '0', '99999999999999999999']) {
        const { status, body } = await get(`/wp-json/wp/v2/users/${id}/application-passwords`)
        expect([status, body.code], id).to.deep.equal([404, 'rest_user_invalid_id'])
      }
    })
  })

  it('are made, renamed and revoked only after the current password was given again, and by none of themselves', async () => {
    const { uuid } = await auth.applicationPasswords.create(admin.id, 'lasting')
    const unconfirmed = await openSession(auth, admin)
    for (const [code, as] of [
      ['password_confirmation_required', unconfirmed],
      ['application_password_forbidden', headers],
    ] as const) {
      const answers = [
        await request(site.http).post(MINE).set(as).send({ name: 'another' }),
        await request(site.http).put(`${MINE}/${uuid}`).set(as).send({ name: 'renamed' }),
        await request(site.http).delete(`${MINE}/${uuid}`).set(as),
        await request(site.http).delete(MINE).set(as),
      ]
      expect(answers.map(({ status, body }) => `${status} ${body.code}`)).to.deep.equal(Array(4).fill(`403 ${code}`))
    }
    expect((await auth.applicationPasswords.get(admin.id, uuid))?.name).to.equal('lasting')
  })
  it('are revoked when the account gets another password', async () => {
    const carl = await site.addUser('carl', 'author', { password: 'the old password' })
    const as = { Authorization: await site.basic(carl) }
    const ask = async () => (await request(site.http).get('/wp-json/host/v1/sessions').set(as)).status
    expect(await ask()).to.equal(200)
    await auth.users.update(carl.id, { displayName: 'Carl' })
    expect(await ask()).to.equal(200)
    await auth.users.update(carl.id, { password: 'the new password' })
    expect(await ask()).to.equal(401)
    expect(await auth.applicationPasswords.list(carl.id)).to.deep.equal([])
  })

  it('refuses input that makes no sense', async () => {
    const bodies: [body: object, code: string][] = [
      [{}, 'rest_missing_callback_param'],
      [{ name: '' }, 'rest_invalid_param'],
      [{ name: ' \n ' }, 'rest_invalid_param'],
      [{ name: { a: 1 } }, 'rest_invalid_param'],
      [{ name: 'x', app_id: 'no uuid' }, 'rest_invalid_param'],
      [{ name: '\0' }, 'rest_invalid_param'],
    ]
    for (const [body, code] of bodies) {
      const answer = await post(MINE, body)
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([400, code])
    }
  })

  describe('last use', () => {
    it('is written at most once a minute', async () => {
      const created = await auth.applicationPasswords.create(author.id, 'used')
      const use = (address: string) =>
        auth.identifyRest({ authorization: basicHeader('auth', created.password), address })
      const last = async () => {
        const item = await auth.applicationPasswords.get(author.id, created.uuid)
        return [item?.lastUsed, item?.lastAddress]
      }
      await use('10.0.0.1')
      expect(await last()).to.deep.equal(['2026-11-21T06:00:00Z', '10.0.0.1'])
      site.clock.now += 59_999
      await use('10.0.0.2')
      expect(await last()).to.deep.equal(['2026-11-21T06:00:00Z', '10.0.0.1'])
      site.clock.now += 1
      await use('10.0.0.3')
      expect(await last()).to.deep.equal(['2026-11-21T06:01:00Z', '10.0.0.3'])
    })
  })
})
