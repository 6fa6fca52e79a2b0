import { expect } from 'chai'
import { ANONYMOUS } from '../../core/auth/identify.ts'
import type { Auth, User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openSession } from '../support/session.ts'
import { codeOf, createTestSite, request, type TestSite } from './site.ts'

const CONFIRM = '/wp-json/host/v1/confirm-password'
const GUARDED = '/wp-json/demo/v1/payouts'
const PASSWORD = 'correct horse'
const MINUTE = 60_000

onEachDatabase('POST /host/v1/confirm-password', (databaseUrl) => {
  let site: TestSite
  let auth: Auth
  let ann: User

  beforeEach(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    ann = await site.addUser('ann', 'administrator', { password: PASSWORD })
    await site.addUser('bob', 'administrator', { password: 'battery staple' })
    site.rest.registerRoute('demo/v1', {
      method: 'POST',
      path: '/payouts',
      access: ({ user }) => user !== null,
      async handler({ identity }) {
        await auth.requireConfirmation(identity)
        return { paid: true }
      },
    })
  })
  afterEach(() => site.close())

  type Headers = Record<string, string>
  const send = async (path: string, headers: object, body: object = {}) => {
    const answer = await request(site.http)
      .post(path)
      .set({ ...headers } as Headers)
      .send(body)
    return `${answer.status} ${answer.body.code ?? 'ok'}`
  }
  const confirm = (headers: object, password: string) => send(CONFIRM, headers, { password })
  const pay = (headers: object) => send(GUARDED, headers)

  it('opens what asks for the current password, for ten minutes', async () => {
    const headers = await openSession(auth, ann)
    expect(await pay(headers)).to.equal('403 password_confirmation_required')
    const answer = await request(site.http).post(CONFIRM).set(headers).send({ password: PASSWORD })
    expect([answer.status, answer.body]).to.deep.equal([
      200,
      { status: 'success', data: { expires: '2026-11-21T06:10:00.000Z' } },
    ])
    expect(await pay(headers)).to.equal('200 ok')
    site.clock.now += 10 * MINUTE - 1
    expect(await pay(headers)).to.equal('200 ok')
    site.clock.now += 1
    expect(await pay(headers)).to.equal('403 password_confirmation_required')
  })
  it('logging in does not count as one', async () => {
    const signedIn = await auth.signIn({ login: 'ann', password: PASSWORD, address: '127.0.0.1', userAgent: '' })
    const cookie = auth.sessionCookie(signedIn).split(';')[0] ?? ''
    const nonce = auth.createNonce('wp_rest', signedIn)
    expect(await pay({ Cookie: cookie, 'X-WP-Nonce': nonce })).to.equal('403 password_confirmation_required')
  })
  it('holds for that session only, and in every process', async () => {
    const here = await openSession(auth, ann)
    const elsewhere = await openSession(auth, ann)
    expect(await confirm(here, PASSWORD)).to.equal('200 ok')
    expect(await pay(elsewhere)).to.equal('403 password_confirmation_required')
    const other = await site.another()
    const identityOf = (cookie: string) => other.auth.identifyPage({ cookie, address: '' })
    expect(await codeOf(other.auth.requireConfirmation(await identityOf(here.Cookie)))).to.equal('resolved')
    expect(await codeOf(other.auth.requireConfirmation(await identityOf(elsewhere.Cookie)))).to.equal(
      'password_confirmation_required',
    )
    await other.close()
  })
  it('accepts no other user’s password, and no application password', async () => {
    const headers = await openSession(auth, ann)
    const { password } = await auth.applicationPasswords.create(ann.id, 'client')
    for (const wrong of ['battery staple', password, 'Correct horse']) {
      expect(await confirm(headers, wrong)).to.equal('403 incorrect_password')
    }
    expect(await pay(headers)).to.equal('403 password_confirmation_required')
  })
  it('is closed to application passwords, and so is what it opens', async () => {
    const headers = { Authorization: await site.basic(ann) }
    expect(await confirm(headers, PASSWORD)).to.equal('403 application_password_forbidden')
    expect(await pay(headers)).to.equal('403 application_password_forbidden')
  })
  it('is closed to visitors', async () => {
    expect(await confirm({}, PASSWORD)).to.equal('401 rest_forbidden')
    expect(await codeOf(auth.requireConfirmation(ANONYMOUS))).to.equal('rest_not_logged_in')
  })
  it('guesses count with those at the sign-in form', async () => {
    const headers = await openSession(auth, ann)
    const guess = () => confirm(headers, 'wrong')
    for (let time = 0; time < 10; time++) expect(await guess()).to.equal('403 incorrect_password')
    expect(await confirm(headers, PASSWORD)).to.equal('429 rest_too_many_requests')
    site.clock.now += 5 * MINUTE
    expect(await confirm(headers, PASSWORD)).to.equal('200 ok')
  })
  it('is no part of a batch', async () => {
    const headers = await openSession(auth, ann)
    const answer = await request(site.http)
      .post('/wp-json/batch/v1')
      .set(headers)
      .send({ requests: [{ method: 'POST', path: '/host/v1/confirm-password', body: { password: PASSWORD } }] })
    expect(answer.text).to.include('rest_batch_not_allowed')
    expect(await pay(headers)).to.equal('403 password_confirmation_required')
  })
  it('another user whom the filter authenticate answers confirms nothing', async () => {
    const headers = await openSession(auth, ann)
    const bob = (await auth.users.getByLogin('bob')) ?? null
    site.hooks.addFilter('authenticate', (user, _login, password) => (password === 'bob’s' ? bob : user))
    expect(await confirm(headers, 'bob’s')).to.equal('403 incorrect_password')
    expect(await pay(headers)).to.equal('403 password_confirmation_required')
  })
  it('what a program does in a user’s name without a session of theirs does not pass; the process itself does', async () => {
    expect(await codeOf(auth.requireConfirmation({ ...ANONYMOUS, user: ann, via: 'session' }))).to.equal(
      'password_confirmation_required',
    )
    expect(await codeOf(auth.requireConfirmation({ ...ANONYMOUS, user: ann }))).to.equal('resolved')
  })
})
