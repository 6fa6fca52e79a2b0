import { expect } from 'chai'
import type { Auth, Identity } from '../../core/auth/types.ts'
import { createTestSite, type TestSite } from './site.ts'

const HOUR = 60 * 60 * 1000
/** The beginning of a tick. */
const START = Date.parse('2026-11-21T00:00:00Z') + 1

describe('nonces', () => {
  let site: TestSite
  let auth: Auth
  let one: Identity
  let other: Identity
  const visitor = { user: null, session: null }

  before(async () => {
    site = await createTestSite(undefined)
    auth = site.auth
    const user = await site.addUser('one', 'author')
    one = await auth.identifyPage({ cookie: await site.signIn(user), address: '' })
    other = await auth.identifyPage({ cookie: await site.signIn(user), address: '' })
  })
  beforeEach(() => {
    site.clock.now = START
  })
  after(() => site.close())

  it('have at least ten characters that need no escaping', () => {
    expect(auth.createNonce('wp_rest', one)).to.match(/^[\w-]{10,}$/)
  })
  it('are fresh for twelve hours, old for twelve more, then worthless', () => {
    const nonce = auth.createNonce('wp_rest', one)
    const atHour = (hours: number) => {
      site.clock.now = START + hours * HOUR - 1
      return auth.verifyNonce(nonce, 'wp_rest', one)
    }
    expect([atHour(0.001), atHour(11.99), atHour(12.01), atHour(23.99), atHour(24.01)]).to.deep.equal([
      1,
      1,
      2,
      2,
      false,
    ])
  })
  it('live twelve hours at least, however late in a tick they are made', () => {
    site.clock.now = START + 11.99 * HOUR
    const nonce = auth.createNonce('wp_rest', one)
    site.clock.now = START + 23.98 * HOUR
    expect(auth.verifyNonce(nonce, 'wp_rest', one)).to.equal(2)
  })
  it('are not valid before they could have been made', () => {
    site.clock.now = START + 12 * HOUR
    const nonce = auth.createNonce('wp_rest', one)
    site.clock.now = START
    expect(auth.verifyNonce(nonce, 'wp_rest', one)).to.equal(false)
  })
  it('belong to one action, one user and one session', () => {
    const nonce = auth.createNonce('wp_rest', one)
    expect(auth.verifyNonce(nonce, 'log-out', one)).to.equal(false)
    expect(auth.verifyNonce(nonce, 'wp_rest', other)).to.equal(false)
    expect(auth.verifyNonce(nonce, 'wp_rest', visitor)).to.equal(false)
    expect(auth.verifyNonce(auth.createNonce('wp_rest', visitor), 'wp_rest', one)).to.equal(false)
    expect(auth.verifyNonce(auth.createNonce('wp_rest', visitor), 'wp_rest', visitor)).to.equal(1)
  })
  it('of another site are worthless', async () => {
    const elsewhere = await createTestSite(undefined)
    elsewhere.clock.now = START
    const nonce = elsewhere.auth.createNonce('wp_rest', visitor)
    await elsewhere.close()
    expect(auth.verifyNonce(nonce, 'wp_rest', visitor)).to.equal(false)
  })
  it('are refused in any other form', () => {
    const nonce = auth.createNonce('wp_rest', one)
    for (const wrong of ['', nonce.slice(0, -1), `${nonce}0`, nonce.toUpperCase(), 'é'.repeat(10), '\0'.repeat(20)]) {
      expect(auth.verifyNonce(wrong, 'wp_rest', one), JSON.stringify(wrong)).to.equal(false)
    }
  })
})
