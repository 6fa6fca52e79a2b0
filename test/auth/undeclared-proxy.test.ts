import { expect } from 'chai'
import { type OwnSite, openOwnSite, PASSWORD } from '../wp-v2/own-site.ts'

/** A proxy in front that PENTAD_TRUSTED_PROXIES does not name: all visitors come from its address. */
describe('sign-ins behind an undeclared proxy', () => {
  let site: OwnSite
  beforeEach(async () => {
    site = await openOwnSite()
    for (const login of ['ann', 'bob', 'carl']) await site.signIn(login, 'author')
  })
  afterEach(() => site.close())

  /** 302: signed in; 200: the form again; 429: too many. */
  async function signIn(log: string, pwd: string, visitor: string): Promise<number> {
    const { status } = await fetch(`${site.url}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'X-Forwarded-For': visitor },
      body: new URLSearchParams({ log, pwd }),
    })
    return status
  }
  async function failTen(log: string, visitor: string): Promise<void> {
    for (let time = 0; time < 10; time++) expect(await signIn(log, 'wrong', visitor)).to.equal(200)
  }

  it('ten wrong ones from one client lock out no other client, known or not', async () => {
    expect(await signIn('bob', PASSWORD, '203.0.113.2')).to.equal(302)
    await failTen('ann', '203.0.113.1')
    expect(await signIn('ann', PASSWORD, '203.0.113.1')).to.equal(429)
    expect(await signIn('bob', PASSWORD, '203.0.113.2')).to.equal(302)
    expect(await signIn('carl', PASSWORD, '203.0.113.3')).to.equal(302)
  })
  it('a made-up X-Forwarded-For gives no further guesses', async () => {
    for (let time = 0; time < 10; time++) expect(await signIn('ann', 'wrong', `203.0.113.${time}`)).to.equal(200)
    expect(await signIn('ann', PASSWORD, '203.0.113.99')).to.equal(429)
  })
  it('one password tried on many names is stopped', async () => {
    const answers: number[] = []
    for (let time = 0; time < 110; time++) answers.push(await signIn(`name${time}`, 'Summer2026!', '203.0.113.1'))
    expect(answers.filter((status) => status === 429)).to.have.length(10)
  })
})
