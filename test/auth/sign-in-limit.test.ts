import { expect } from 'chai'
import { RestError } from '../../core/errors.ts'
import { basicHeader, codeOf, createTestSite, request, type TestSite } from './site.ts'

const MINUTE = 60_000

describe('guessing passwords', () => {
  let site: TestSite
  let password: string

  beforeEach(async () => {
    site = await createTestSite(undefined)
    const ann = await site.addUser('ann', 'author', { password: 'correct horse' })
    await site.addUser('bob', 'author', { password: 'correct horse' })
    password = (await site.auth.applicationPasswords.create(ann.id, 'client')).password
  })
  afterEach(() => site.close())

  const signIn = (login: string, address: string, guess = 'wrong') =>
    codeOf(site.auth.signIn({ login, password: guess, address, userAgent: '' }))
  const basic = (login: string, address: string, guess = 'wrong') =>
    codeOf(site.auth.identifyRest({ authorization: basicHeader(login, guess), address }))
  async function fail(times: number, attempt: (time: number) => Promise<string>): Promise<void> {
    for (let time = 0; time < times; time++) expect(await attempt(time)).to.equal('incorrect_password')
  }

  it('ten failures with one name are the end for that name, from everywhere, with the right password too', async () => {
    await fail(10, (time) => signIn('ann', `10.0.0.${time}`))
    expect(await signIn('ann', '10.0.0.99')).to.equal('rest_too_many_requests')
    expect(await signIn('ANN', '10.0.0.99', 'correct horse')).to.equal('rest_too_many_requests')
    expect(await signIn('bob', '10.0.0.99', 'correct horse')).to.equal('resolved')
  })
  it('the login name and the e-mail address of one user are counted together', async () => {
    await fail(5, (time) => signIn('ann', `10.0.0.${time}`))
    await fail(3, (time) => signIn('ann@example.org', `10.0.1.${time}`))
    await fail(2, (time) => basic('Ann@Example.org', `10.0.2.${time}`))
    expect(await signIn('ann', '10.0.0.99', 'correct horse')).to.equal('rest_too_many_requests')
    expect(await basic('ann@example.org', '10.0.0.99')).to.equal('rest_too_many_requests')
    expect(await signIn('bob@example.org', '10.0.0.99', 'correct horse')).to.equal('resolved')
  })
  it('ten failures from one address with other names lock out no other user', async () => {
    await fail(10, (time) => signIn(`nobody${time}`, '10.0.0.1'))
    await fail(10, () => signIn('bob', '10.0.0.1'))
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('resolved')
    expect(await signIn('bob', '10.0.0.1', 'correct horse')).to.equal('rest_too_many_requests')
  })
  it('a hundred failures from one address are the end for that address, with every name', async () => {
    await fail(100, (time) => signIn(`nobody${time}`, '10.0.0.1'))
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('rest_too_many_requests')
    expect(await signIn('ann', '10.0.0.2', 'correct horse')).to.equal('resolved')
  })
  describe('on a device with which the user has logged in before', () => {
    const cookieOf = async (login: string) => {
      const user = await site.auth.users.getByLogin(login)
      return site.auth.deviceCookie(user ?? { id: 0 }).split(';')[0] ?? ''
    }
    const signInWith = (cookie: string, guess = 'correct horse', login = 'ann') =>
      codeOf(site.auth.signIn({ login, password: guess, address: '10.0.0.1', userAgent: '', cookie }))

    it('failures of others, with the name or from the address, lock out no known client', async () => {
      const cookie = await cookieOf('ann')
      await fail(10, (time) => signIn('ann', `10.0.1.${time}`))
      await fail(100, (time) => signIn(`nobody${time}`, '10.0.0.1'))
      expect(await signInWith('')).to.equal('rest_too_many_requests')
      expect(await signInWith(cookie)).to.equal('resolved')
    })
    it('ten failures are the end for the device', async () => {
      const cookie = await cookieOf('ann')
      await fail(10, () => signInWith(cookie, 'wrong'))
      expect(await signInWith(cookie)).to.equal('rest_too_many_requests')
    })
    it('ten failures block that user from other addresses too, but not other users from this address', async () => {
      const cookie = await cookieOf('ann')
      await fail(10, () => signInWith(cookie, 'wrong'))
      await fail(99, (time) => signIn(`nobody${time}`, '10.0.0.1'))
      expect(await signIn('bob', '10.0.0.1', 'correct horse')).to.equal('resolved')
      expect(await signIn('ann', '10.0.0.2', 'correct horse')).to.equal('rest_too_many_requests')
    })
    it('counts for that user only, and only as this site has signed it', async () => {
      const cookie = await cookieOf('ann')
      const [name, value = ''] = cookie.split('=')
      const changed = `${name}=${(await site.auth.users.getByLogin('bob'))?.id}${value.slice(value.indexOf('.'))}`
      await fail(100, (time) => signIn(`nobody${time}`, '10.0.0.1'))
      for (const other of [cookie, changed]) {
        expect(await signInWith(other, 'correct horse', 'bob')).to.equal('rest_too_many_requests')
      }
    })
    it('a session is one for the confirmation of its password', async () => {
      const { token } = await site.auth.signIn({
        login: 'ann',
        password: 'correct horse',
        address: '10.0.0.1',
        userAgent: '',
      })
      const cookie = `pentad_session=${token}`
      const identity = await site.auth.identifyPage({ cookie, address: '10.0.0.1' })
      await fail(100, (time) => signIn(`nobody${time}`, '10.0.0.1'))
      expect(await codeOf(site.auth.confirmPassword(identity, 'correct horse', '10.0.0.1'))).to.equal('resolved')
      const confirm = () => codeOf(site.auth.confirmPassword(identity, 'wrong', '10.0.0.1'))
      await fail(10, confirm)
      expect(await confirm()).to.equal('rest_too_many_requests')
    })
  })
  it('nine are not', async () => {
    await fail(9, () => signIn('ann', '10.0.0.1'))
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('resolved')
  })
  it('the sign-in page and Basic are counted together', async () => {
    await fail(5, () => signIn('ann', '10.0.0.1'))
    await fail(5, () => basic('ann', '10.0.0.1'))
    expect(await basic('ann', '10.0.0.1')).to.equal('rest_too_many_requests')
    expect(await signIn('ann', '10.0.0.1')).to.equal('rest_too_many_requests')
  })
  it('each failure ages out after five minutes, and Retry-After says when', async () => {
    await fail(1, () => signIn('ann', '10.0.0.1'))
    site.clock.now += MINUTE
    await fail(9, () => signIn('ann', '10.0.0.1'))
    site.clock.now += MINUTE
    const refusal = await site.auth
      .signIn({ login: 'ann', password: 'wrong', address: '10.0.0.1', userAgent: '' })
      .catch((error: unknown) => error)
    expect(refusal).to.be.instanceOf(RestError)
    expect(refusal instanceof RestError && [refusal.status, refusal.headers]).to.deep.equal([
      429,
      { 'Retry-After': '180' },
    ])
    site.clock.now += 3 * MINUTE
    await fail(1, () => signIn('ann', '10.0.0.1'))
    expect(await signIn('ann', '10.0.0.1')).to.equal('rest_too_many_requests')
    site.clock.now += 5 * MINUTE
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('resolved')
  })
  it('of concurrent guesses, at most ten are checked', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => signIn('ann', '10.0.0.1')))
    expect(codes.filter((code) => code === 'incorrect_password')).to.have.length(10)
    expect(codes.filter((code) => code === 'rest_too_many_requests')).to.have.length(20)
  })
  it('a whole class signs in at once', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => signIn('ann', '10.0.0.1', 'correct horse')))
    expect(new Set(codes)).to.deep.equal(new Set(['resolved']))
  })
  it('an IPv6 address counts as its /64', async () => {
    await fail(100, (time) => signIn(`nobody${time}`, `2001:db8:0:1::${time + 1}`))
    expect(await signIn('ann', '2001:0db8:0000:0001:ffff::1', 'correct horse')).to.equal('rest_too_many_requests')
    expect(await signIn('ann', '2001:db8:0:2::1', 'correct horse')).to.equal('resolved')
  })
  it('who signed in from an address before is not locked out by others who guess with their name', async () => {
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('resolved')
    await fail(10, (time) => signIn('ann', `10.9.0.${time}`))
    expect(await signIn('ann', '10.0.0.2', 'correct horse')).to.equal('rest_too_many_requests')
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('resolved')
    await fail(10, () => signIn('ann', '10.0.0.1'))
    expect(await signIn('ann', '10.0.0.1', 'correct horse')).to.equal('rest_too_many_requests')
  })
  it('a client with an application password that was right before goes on, one that was never seen waits', async () => {
    expect(await basic('ann', '10.0.0.1', password)).to.equal('resolved')
    await fail(10, () => basic('ann', '10.0.0.1'))
    expect(await basic('ann', '10.0.0.1', password)).to.equal('resolved')
    site.clock.now += MINUTE
    expect(await basic('ann', '10.0.0.1', password)).to.equal('resolved')
    const ann = await site.auth.users.getByLogin('ann')
    const fresh = await site.auth.applicationPasswords.create(ann?.id ?? 0, 'fresh')
    expect(await basic('ann', '10.0.0.1', fresh.password)).to.equal('rest_too_many_requests')
  })
  it('a hundred first requests of one client at once all pass', async () => {
    const codes = await Promise.all(Array.from({ length: 100 }, () => basic('ann', '10.0.0.1', password)))
    expect(new Set(codes)).to.deep.equal(new Set(['resolved']))
  })
  it('over HTTP the answer is 429 with Retry-After', async () => {
    const ask = () => request(site.http).get('/wp-json/').auth('ann', 'wrong').set('X-Forwarded-For', '10.0.0.1')
    for (let time = 0; time < 10; time++) expect((await ask()).status).to.equal(401)
    const { status, body, headers } = await ask()
    expect([status, body.code, headers['retry-after']]).to.deep.equal([429, 'rest_too_many_requests', '300'])
  })
})
