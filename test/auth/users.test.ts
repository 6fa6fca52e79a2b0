import { expect } from 'chai'
import { type SqlBool, sql } from 'kysely'
import type { HostAuth } from '../../core/auth/host-auth.ts'
import type { Auth, User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { codeOf, createTestSite, type TestSite } from './site.ts'

onEachDatabase('users', (databaseUrl) => {
  let site: TestSite
  let auth: HostAuth

  before(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
  })
  after(() => site.close())

  describe('create', () => {
    it('fills in what WordPress would', async () => {
      const user = await auth.users.create({ login: 'Jo.Bloggs', email: 'jo@example.org' })
      expect(user).to.deep.include({
        login: 'Jo.Bloggs',
        email: 'jo@example.org',
        slug: 'jo-bloggs',
        displayName: 'Jo.Bloggs',
        roles: ['subscriber'],
        registered: '2026-11-21T06:00:00Z',
      })
      expect(await auth.users.get(user.id)).to.deep.equal(user)
    })

    it('shows first and last name where they are given', async () => {
      const user = await site.addUser('full', 'author', { firstName: 'Ada', lastName: ' Lovelace\n' })
      expect(user.displayName).to.equal('Ada Lovelace')
      expect(user.lastName).to.equal('Lovelace')
    })

    it('numbers a slug that is taken', async () => {
      const first = await site.addUser('same_slug', 'author', { slug: 'Same Slug' })
      const second = await site.addUser('same.slug', 'author')
      const third = await site.addUser('same slug', 'author', { email: '' })
      expect([first.slug, second.slug, third.slug]).to.deep.equal(['same-slug', 'same-slug-2', 'same-slug-3'])
    })

    it('makes one of two users with one login at the same moment', async () => {
      const codes = await Promise.all(
        ['race', 'RACE'].map((login, n) => codeOf(auth.users.create({ login, email: `race${n}@example.org` }))),
      )
      expect(codes.sort()).to.deep.equal(['existing_user_login', 'resolved'])
    })

    it('gives thirty users who want one slug at the same moment thirty', async () => {
      const wanted = Array.from({ length: 30 }, (_, n) => ({ login: `crowd${n}`, email: `crowd${n}@example.org` }))
      const made = await Promise.all(wanted.map((user) => auth.users.create({ ...user, slug: 'crowd' })))
      expect(new Set(made.map(({ slug }) => slug)).size).to.equal(30)
    })

    const refusals: [why: string, user: { login: string; [key: string]: unknown }, code: string][] = [
      ['a login that is taken in another case', { login: 'JO.bloggs' }, 'existing_user_login'],
      [
        'an e-mail address that is taken in another case',
        { login: 'x1', email: 'JO@example.org' },
        'existing_user_email',
      ],
      ['no login', { login: '' }, 'empty_user_login'],
      ['a login of 61 characters', { login: 'x'.repeat(61) }, 'user_login_too_long'],
      ['letters that are not ASCII', { login: 'josé' }, 'rest_user_invalid_username'],
      ['a login with a NUL', { login: 'a\0b' }, 'rest_user_invalid_username'],
      ['a login with a space at its end', { login: 'ann ' }, 'rest_user_invalid_username'],
      ['what is no e-mail address', { login: 'x2', email: 'nowhere' }, 'rest_user_invalid_email'],
      ['a role that does not exist', { login: 'x3', roles: ['king'] }, 'rest_user_invalid_role'],
      ['a role named like a property of every object', { login: 'x3', roles: ['__proto__'] }, 'rest_user_invalid_role'],
      ['an empty password', { login: 'x4', password: '' }, 'rest_user_invalid_password'],
    ]
    for (const [why, user, code] of refusals) {
      it(`refuses ${why}`, async () => {
        expect(await codeOf(auth.users.create(user))).to.equal(code)
      })
    }

    it('drops a URL that a browser would run, and NUL anywhere', async () => {
      const user = await site.addUser('sly', 'author', {
        url: 'javascript:alert(1)',
        description: 'a\0b',
        displayName: 'S\0y',
      })
      expect(user).to.deep.include({ url: '', description: 'ab', displayName: 'S y' })
    })

    it('fires user_register with the id', async () => {
      const seen: [number, User][] = []
      const stop = site.hooks.addAction('user_register', (id, user) => void seen.push([id, user]))
      const user = await site.addUser('noticed', 'subscriber')
      stop()
      expect(seen).to.deep.equal([[user.id, user]])
    })
  })

  describe('look-ups', () => {
    it('find by login and e-mail in any case, and by slug', async () => {
      const user = await site.addUser('Finder', 'author')
      expect(await auth.users.getByLogin('fINDER')).to.deep.equal(user)
      expect(await auth.users.getByEmail('FINDER@example.org')).to.deep.equal(user)
      expect(await auth.users.getBySlug('finder')).to.deep.equal(user)
      expect(await auth.users.getMany([user.id, user.id, 999999])).to.deep.equal(new Map([[user.id, user]]))
    })

    it('answer nothing for what cannot be, without troubling the database', async () => {
      for (const id of [0, -1, 1.5, Number.NaN, 2 ** 31, 1e20]) expect(await auth.users.get(id)).to.equal(undefined)
      expect(await auth.users.getByLogin('a\0')).to.equal(undefined)
      expect(await auth.users.getByEmail('')).to.equal(undefined)
      expect(await auth.users.getMany([2 ** 40])).to.deep.equal(new Map())
    })
  })

  describe('query', () => {
    let ids: number[]

    before(async () => {
      const made = [
        await site.addUser('q-bea', 'editor', { displayName: 'bea 100%' }),
        await site.addUser('q-abe', 'author', { displayName: 'Abe_Q' }),
        await site.addUser('q-cid', 'author', { displayName: 'Cid' }),
      ]
      ids = made.map((user) => user.id)
    })
    const logins = async (query: Parameters<Auth['users']['query']>[0]) =>
      (await auth.users.query({ include: ids, ...query })).items.map((user) => user.login)

    it('sorts by display name without regard to case', async () => {
      expect(await logins({})).to.deep.equal(['q-abe', 'q-bea', 'q-cid'])
      expect(await logins({ order: 'desc' })).to.deep.equal(['q-cid', 'q-bea', 'q-abe'])
    })
    it('keeps the order of include', async () => {
      expect(await logins({ include: [...ids].reverse(), orderBy: 'include' })).to.deep.equal([
        'q-cid',
        'q-abe',
        'q-bea',
      ])
    })
    for (const orderBy of ['id', 'slug', 'email', 'url', 'registered'] as const) {
      it(`sorts by ${orderBy}`, async () => expect(await logins({ orderBy })).to.have.length(3))
    }
    it('pages and counts', async () => {
      const page = await auth.users.query({ include: ids, limit: 1, offset: 1 })
      expect([page.total, page.items.map((user) => user.login)]).to.deep.equal([3, ['q-bea']])
    })
    it('filters by role, slug and exclusion', async () => {
      expect(await logins({ roles: ['author'] })).to.deep.equal(['q-abe', 'q-cid'])
      expect(await logins({ roles: ['auth_r'] })).to.deep.equal([])
      expect(await logins({ slugs: ['q-cid'] })).to.deep.equal(['q-cid'])
      expect(await logins({ exclude: ids.slice(0, 1) })).to.deep.equal(['q-abe', 'q-cid'])
      expect(await logins({ include: [] })).to.deep.equal([])
    })
    it('searches without regard to case, and means wildcards literally', async () => {
      expect(await logins({ search: 'BEA' })).to.deep.equal(['q-bea'])
      expect(await logins({ search: '100%' })).to.deep.equal(['q-bea'])
      expect(await logins({ search: 'e_q' })).to.deep.equal(['q-abe'])
      expect(await logins({ search: '%' })).to.deep.equal(['q-bea'])
      expect(await logins({ search: "'\\\0" })).to.deep.equal([])
    })
    it('searches only the given columns', async () => {
      expect(await logins({ search: 'example.org', searchColumns: ['displayName', 'slug'] })).to.deep.equal([])
      expect(await logins({ search: 'example.org' })).to.have.length(3)
    })
    it('asks the conditions of parts of the site', async () => {
      const undo = auth.addUserCondition(({ limit }) =>
        limit === 50 ? sql<SqlBool>`users.login = 'q-abe'` : undefined,
      )
      expect(await logins({ limit: 50 })).to.deep.equal(['q-abe'])
      expect((await auth.users.query({ include: ids, limit: 50 })).total).to.equal(1)
      expect(await logins({})).to.have.length(3)
      undo()
      expect(await logins({ limit: 50 })).to.have.length(3)
    })
  })

  describe('update', () => {
    it('changes what is given and nothing else, and fires profile_update', async () => {
      const before = await site.addUser('changing', 'author', { description: 'old' })
      const seen: unknown[] = []
      const stop = site.hooks.addAction('profile_update', (...args) => void seen.push(args))
      const after = await auth.users.update(before.id, { displayName: 'New', email: 'new@example.org' })
      stop()
      expect(after).to.deep.equal({ ...before, displayName: 'New', email: 'new@example.org' })
      expect(seen).to.deep.equal([[before.id, before, after]])
    })
    it('keeps its own slug and e-mail address', async () => {
      const user = await site.addUser('keeps', 'author')
      const same = await auth.users.update(user.id, { slug: user.slug, email: 'KEEPS@example.org' })
      expect(same.slug).to.equal('keeps')
    })
    it('rejects the email address of another user, and a missing user', async () => {
      const user = await site.addUser('greedy', 'author')
      expect(await codeOf(auth.users.update(user.id, { email: 'keeps@example.org' }))).to.equal('existing_user_email')
      expect(await codeOf(auth.users.update(999999, {}))).to.equal('rest_user_invalid_id')
    })

    const endings: [
      what: string,
      changes: { password?: string; roles?: string[]; displayName?: string },
      left: number,
    ][] = [
      ['a new password ends all sessions', { password: 'another one' }, 0],
      ['a new role ends all sessions', { roles: ['editor'] }, 0],
      ['the same role ends none', { roles: ['author'] }, 1],
      ['another change ends none', { displayName: 'Else' }, 1],
    ]
    for (const [index, [what, changes, left]] of endings.entries()) {
      it(what, async () => {
        const user = await site.addUser(`ending${index}`, 'author')
        const cookie = await site.signIn(user)
        expect((await auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(user.id)
        await auth.users.update(user.id, changes)
        expect(await auth.sessions.list(user.id)).to.have.length(left)
        expect((await auth.identifyPage({ cookie, address: '' })).user?.id).to.equal(left ? user.id : undefined)
      })
    }
    it('fires set_user_role with the role and the old ones', async () => {
      const user = await site.addUser('promoted', 'author')
      const seen: unknown[] = []
      const stop = site.hooks.addAction('set_user_role', (...args) => void seen.push(args))
      await auth.users.update(user.id, { roles: ['editor'] })
      stop()
      expect(seen).to.deep.equal([[user.id, 'editor', ['author']]])
    })
    it('fires actions for each added and removed role, for a new user before user_register', async () => {
      const seen: unknown[] = []
      const undo = (['add_user_role', 'remove_user_role', 'set_user_role', 'user_register'] as const).map((name) =>
        site.hooks.addAction(name, (_id: number, ...args: readonly unknown[]) => {
          seen.push(name === 'user_register' ? name : [name, ...args])
        }),
      )
      const user = await auth.users.create({ login: 'rolling', roles: ['author'] })
      await auth.users.update(user.id, { roles: ['author', 'editor'] })
      await auth.users.update(user.id, { roles: ['editor'], displayName: 'Rolling' })
      for (const one of undo) one()
      expect(seen).to.deep.equal([
        ['add_user_role', 'author'],
        ['set_user_role', 'author', []],
        'user_register',
        ['add_user_role', 'editor'],
        ['set_user_role', 'author', ['author']],
        ['remove_user_role', 'author'],
        ['set_user_role', 'editor', ['author', 'editor']],
      ])
    })
  })

  it('delete takes sessions, application passwords and meta along', async () => {
    const user = await site.addUser('going', 'author')
    const cookie = await site.signIn(user)
    const authorization = await site.basic(user)
    expect((await auth.identifyRest({ authorization, address: '10.0.0.1' })).user?.id).to.equal(user.id)
    const seen: string[] = []
    const stops = [
      site.hooks.addAction(
        'delete_user',
        (id, reassign, gone) => void seen.push(`delete ${id} ${reassign} ${gone.login}`),
      ),
      site.hooks.addAction('deleted_user', (id, _reassign, gone) => void seen.push(`deleted ${id} ${gone.login}`)),
    ]
    await auth.users.delete(user.id)
    for (const stop of stops) stop()
    expect(seen).to.deep.equal([`delete ${user.id} null going`, `deleted ${user.id} going`])
    expect(await auth.users.get(user.id)).to.equal(undefined)
    expect((await auth.identifyPage({ cookie, address: '' })).user).to.equal(null)
    expect(await codeOf(auth.identifyRest({ authorization, address: '10.0.0.1' }))).to.equal('incorrect_password')
  })

  describe('checkPassword', () => {
    it('knows the user by login or e-mail address', async () => {
      const user = await site.addUser('checked', 'author', { password: 'correct horse' })
      expect(await auth.users.checkPassword('CHECKED', 'correct horse')).to.deep.equal(user)
      expect(await auth.users.checkPassword('checked@example.org', 'correct horse')).to.deep.equal(user)
    })
    it('answers nothing for a wrong password, an unknown name, and who has no password', async () => {
      await site.addUser('passwordless', 'author')
      expect(await auth.users.checkPassword('checked', 'wrong horse')).to.equal(undefined)
      expect(await auth.users.checkPassword('nobody', 'correct horse')).to.equal(undefined)
      expect(await auth.users.checkPassword('no\0body', 'correct horse')).to.equal(undefined)
      expect(await auth.users.checkPassword('passwordless', '')).to.equal(undefined)
    })
    it('stores a hash that names its cost and differs for the same password', async () => {
      await site.addUser('checked2', 'author', { password: 'correct horse' })
      const rows = await site.database.db
        .selectFrom('users')
        .select('password_hash')
        .where('login', 'in', ['checked', 'checked2'])
        .execute()
      const hashes = new Set(rows.map((row) => row.password_hash))
      expect(hashes).to.have.property('size', 2)
      for (const hash of hashes) expect(hash).to.match(/^\$scrypt\$ln=4,r=8,p=1\$/)
    })
    it('rehashes the password at a login when the required cost has increased', async () => {
      const { createPasswordHasher } = await import('../../core/auth/password-hash.ts')
      const weak = await createPasswordHasher({ ln: 2, r: 8, p: 1 }).hash('correct horse')
      await site.database.db.updateTable('users').set({ password_hash: weak }).where('login', '=', 'checked').execute()
      expect(await auth.users.checkPassword('checked', 'wrong')).to.equal(undefined)
      const stored = () =>
        site.database.db.selectFrom('users').select('password_hash').where('login', '=', 'checked').executeTakeFirst()
      expect((await stored())?.password_hash).to.equal(weak)
      expect((await auth.users.checkPassword('checked', 'correct horse'))?.login).to.equal('checked')
      expect((await stored())?.password_hash).to.match(/^\$scrypt\$ln=4,r=8,p=1\$/)
      expect((await auth.users.checkPassword('checked', 'correct horse'))?.login).to.equal('checked')
    })
  })
})
