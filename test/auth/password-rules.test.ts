import { expect } from 'chai'
import { createSite } from '../../app/create-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { codeOf, createTestSite, type TestSite } from './site.ts'

describe('rules for new passwords', () => {
  let site: TestSite
  let made = 0

  before(async () => {
    site = await createTestSite(undefined)
    await site.options.update('site_settings', { title: 'Lighthouse Gazette' })
  })
  after(() => site.close())

  /** What becomes of a password for a new user and for one who is there, which must be the same. */
  async function outcome(password: string): Promise<string> {
    const login = `somebody${++made}`
    const { users } = site.auth
    const created = await codeOf(users.create({ login, email: `${login}@example.org`, password }))
    const user = (await users.getByLogin(login)) ?? (await users.create({ login, email: `${login}@example.org` }))
    expect(await codeOf(users.update(user.id, { password })), password).to.equal(created)
    return created
  }

  const refused = {
    'seven characters': 'aB3$xY9',
    'seven characters of two UTF-16 units': '🐌🐞🐝🦋🐛🐜🦗',
    'a common one': 'iloveyou',
    'a common one in other case': 'PaSSworD123',
    'a common one in full-width characters': 'ｐａｓｓｗｏｒｄ１',
    'a common one with blanks around it': ' qwerty123 ',
    'one letter over and over': 'aaaaaaaaaaaaaaaaaaaaaaaaa',
    'a few characters over and over': 'abcabcabcabcabca',
    'a run of digits': '87654321',
    'a run of letters': 'abcdefghijkl',
    'a row of the keyboard': 'lkjhgfdsa',
    'the title of the site': 'lighthouse gazette',
    'more than anybody types': 'x1'.padEnd(4097, 'klmnqrst'),
  }
  for (const [what, password] of Object.entries(refused)) {
    it(`refuse ${what}`, async () => {
      expect(await outcome(password)).to.equal('rest_user_invalid_password')
    })
  }
  it('refuse the user’s own names', async () => {
    const owner = { login: 'lighthouse-keeper', email: 'keeper.of.light@example.org' }
    for (const password of ['Lighthouse-Keeper', 'keeper.of.light@example.org', 'keeper.of.light']) {
      expect(await codeOf(site.auth.users.create({ ...owner, password })), password).to.equal(
        'rest_user_invalid_password',
      )
    }
    const { id } = await site.auth.users.create(owner)
    const both = { email: 'moved.elsewhere@example.org', password: 'Moved.Elsewhere' }
    expect(await codeOf(site.auth.users.update(id, both))).to.equal('rest_user_invalid_password')
    expect((await site.auth.users.get(id))?.email).to.equal(owner.email)
  })

  it('refuse that of the first administrator, and say where it comes from', async () => {
    const opened = createSite({ siteDir: temporaryFolder(), port: 0, logLevel: 'silent', adminPassword: 'Password123' })
    const reason = await opened.then(
      (host) => host.close(),
      (error: unknown) => String(error),
    )
    expect(reason).to.include('PENTAD_ADMIN_PASSWORD').and.to.include('too common')
  })

  const taken = [
    'correct horse battery staple',
    'aB3$xY9!',
    '🐌🐞🐝🦋🐛🐜🦗🐢',
    'Ein Satz mit Umlaut: größer',
    'kX7 pQ2w',
  ]
  for (const password of taken) {
    it(`take ${password}`, async () => {
      expect(await outcome(password)).to.equal('resolved')
    })
  }
})
