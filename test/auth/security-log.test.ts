import { expect } from 'chai'
import type { User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openSession } from '../support/session.ts'
import { basicHeader, codeOf, createTestSite, request, type TestSite } from './site.ts'

const PASSWORD = 'correct horse'
const DAY = 24 * 60 * 60 * 1000

interface Item {
  readonly event: string
  readonly count: number
  readonly first: string
  readonly last: string
  readonly user: { readonly login: string } | null
  readonly actor: { readonly login: string } | null
  readonly network: string
  readonly userAgent: string
  readonly detail: object
}

onEachDatabase('GET /host/v1/security-log', (databaseUrl) => {
  let site: TestSite
  let auth: TestSite['auth']
  let admin: User
  let authorization: string

  beforeEach(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    admin = await site.addUser('admin', 'administrator', { password: PASSWORD })
    authorization = await site.basic(admin)
  })
  afterEach(() => site.close())

  async function log(query = ''): Promise<{ items: readonly Item[]; total: number }> {
    const { body } = await request(site.http)
      .get(`/wp-json/host/v1/security-log?perPage=100${query}`)
      .set({ Authorization: authorization })
    return body.data
  }
  const events = async (query = '') => (await log(query)).items.map(({ event }) => event)
  const brief = ({ event, user, actor, network, count }: Item) =>
    `${count} ${event} of ${user?.login ?? 'nobody'} by ${actor?.login ?? 'nobody'} from ${network || 'nowhere'}`

  const postLogin = (log: string, pwd: string, address = '203.0.113.7') =>
    request(site.http)
      .post('/wp-login.php')
      .type('form')
      .set({ 'X-Forwarded-For': address, 'User-Agent': 'Browser 7' })
      .send({ log, pwd })

  it('has sign-ins that worked and failed, with the network and not the address', async () => {
    await postLogin('admin', PASSWORD)
    site.clock.now += 1000
    await postLogin('admin@example.org', 'wrong', '2001:db8:1:2::3')
    site.clock.now += 1000
    await postLogin('hunter2 is my password', 'admin')
    const { items } = await log('&event=sign_in,sign_in_failed')
    expect(items.map(brief)).to.deep.equal([
      '1 sign_in_failed of nobody by nobody from 203.0.113.0/24',
      '1 sign_in_failed of admin by nobody from 2001:db8:1::/48',
      '1 sign_in of admin by nobody from 203.0.113.0/24',
    ])
    expect(items[2]).to.deep.include({ userAgent: 'Browser 7', first: '2026-11-21T06:00:00Z', detail: {} })
    const rows = await site.database.db.selectFrom('security_log').selectAll().execute()
    expect(JSON.stringify(rows)).to.not.match(/hunter2|203\.0\.113\.7|correct horse/)
  })
  it('counts repeated events within the hour, and attempts rejected by the rate limit', async () => {
    await site.addUser('ann', 'author', { password: PASSWORD })
    for (let time = 0; time < 13; time++) {
      await postLogin('ann', 'wrong')
      site.clock.now += 10_000
    }
    const { items } = await log('&event=sign_in_failed,sign_in_blocked')
    expect(items.map(brief)).to.deep.equal([
      '3 sign_in_blocked of ann by nobody from 203.0.113.0/24',
      '10 sign_in_failed of ann by nobody from 203.0.113.0/24',
    ])
    expect(items[1]).to.include({ first: '2026-11-21T06:00:00Z', last: '2026-11-21T06:01:30Z' })
  })
  it('is bounded under a flood from many networks, and loses no count', async () => {
    for (let time = 0; time < 120; time++) await postLogin(`name${time}`, 'wrong', `10.${time}.0.1`)
    const { items, total } = await log('&event=sign_in_failed')
    expect(total).to.equal(51)
    await auth.securityLog.settle()
    const rows = await site.database.db.selectFrom('security_log').selectAll().execute()
    const failed = rows.filter(({ event }) => event === 'sign_in_failed')
    expect(failed.reduce((sum, { count }) => sum + count, 0)).to.equal(120)
    expect(items.filter(({ network }) => network === '')).to.have.length(1)
  })
  it('has wrong application passwords, wrong confirmations and the end of sessions', async () => {
    await request(site.http)
      .get('/wp-json/')
      .set({ Authorization: basicHeader('admin', 'wrong') })
    const browser = await openSession(auth, admin)
    await request(site.http).post('/wp-json/host/v1/confirm-password').set(browser).send({ password: 'wrong' })
    await openSession(auth, admin)
    await request(site.http).delete('/wp-json/host/v1/sessions').set(browser)
    const { items } = await log('&event=application_password_failed,password_confirmation_failed,sessions_ended')
    expect(items.map(brief).sort()).to.deep.equal([
      '1 application_password_failed of admin by nobody from 127.0.0.0/24',
      '1 password_confirmation_failed of admin by admin from 127.0.0.0/24',
      '1 sessions_ended of admin by admin from 127.0.0.0/24',
    ])
  })
  it('has what happens to accounts, and who did it', async () => {
    const browser = await openSession(auth, admin, PASSWORD)
    const ann = await site.addUser('ann', 'author')
    const path = `/wp-json/wp/v2/users/${ann.id}/application-passwords`
    const { body } = await request(site.http).post(path).set(browser).send({ name: 'Deploy script' })
    await request(site.http).delete(`${path}/${body.uuid}`).set(browser)
    await auth.users.update(ann.id, { roles: ['editor'], email: 'moved@example.org', password: 'battery staple' })
    await auth.users.delete(ann.id)
    const { items } = await log(`&user=${ann.id}`)
    expect(items.map(brief).sort()).to.deep.equal([
      '1 application_password_created of ann by admin from 127.0.0.0/24',
      '1 application_password_revoked of ann by admin from 127.0.0.0/24',
      '1 email_changed of ann by nobody from nowhere',
      '1 password_changed of ann by nobody from nowhere',
      '1 roles_changed of ann by nobody from nowhere',
      '1 user_created of ann by nobody from nowhere',
      '1 user_deleted of ann by nobody from nowhere',
    ])
    const detail = (event: string) => items.find((item) => item.event === event)?.detail
    expect(detail('roles_changed')).to.deep.equal({ from: ['author'], to: ['editor'] })
    expect(detail('application_password_created')).to.deep.equal({ name: 'Deploy script' })
    expect(JSON.stringify(items)).to.not.include('battery')
  })
  it('is filtered by event, user and time, and comes in pages, the newest first', async () => {
    const bob = await site.addUser('bob', 'author')
    for (let day = 0; day < 3; day++) {
      await auth.startSession(bob, { address: '192.0.2.1', userAgent: '' })
      site.clock.now += DAY
    }
    expect(await events(`&user=${bob.id}&event=sign_in`)).to.have.length(3)
    expect(await events('&event=sign_in&after=2026-11-22T00:00:00Z')).to.have.length(2)
    expect(await events('&event=sign_in&before=2026-11-22T00:00:00Z')).to.have.length(1)
    const { items, total } = await log('&event=sign_in&page=2&perPage=1')
    expect([total, items.map(({ first }) => first)]).to.deep.equal([3, ['2026-11-22T06:00:00Z']])
  })
  it('forgets after a year', async () => {
    await auth.securityLog.record('shop_payout_changed', { user: admin })
    site.clock.now += 364 * DAY
    await auth.securityLog.prune()
    expect(await events('&event=shop_payout_changed')).to.have.length(1)
    site.clock.now += 2 * DAY
    await auth.securityLog.prune()
    expect(await events()).to.deep.equal([])
  })
  it('is for administrators', async () => {
    const editor = await site.addUser('ed', 'editor')
    const ask = (headers: Record<string, string>) =>
      request(site.http).get('/wp-json/host/v1/security-log').set(headers)
    expect((await ask({ Authorization: await site.basic(editor) })).status).to.equal(403)
    expect((await ask({})).status).to.equal(401)
  })
  it('blocks no request when it cannot be written', async () => {
    await site.database.db.schema.dropTable('security_log').execute()
    const signIn = { login: 'admin', password: PASSWORD, address: '203.0.113.7', userAgent: '' }
    expect(await codeOf(auth.signIn(signIn))).to.equal('resolved')
    expect(await codeOf(auth.signIn({ ...signIn, password: 'wrong' }))).to.equal('incorrect_password')
  })
})
