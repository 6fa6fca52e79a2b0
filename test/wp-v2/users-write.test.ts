import { expect } from 'chai'
import type { User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openSession } from '../support/session.ts'
import { toObject } from './gazette.ts'
import { PASSWORD, useOwnSite } from './own-site.ts'

const NEW = { username: 'ann', email: 'ann@example.org', password: 'a good password' }

onEachDatabase('writing wp/v2 users', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let adminId: number
  let made = 0
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    adminId = await site.idOf('admin')
  })

  /** Somebody new; answers their id and login. */
  async function someone(role = 'author', fields: object = {}): Promise<{ id: number; login: string; as: string }> {
    const login = `someone-${++made}`
    const as = await site.signIn(login, role)
    const id = await site.idOf(login)
    if (Object.keys(fields).length > 0) await site.host.auth.users.update(id, fields)
    return { id, login, as }
  }

  /** Whether the cookie of a session still opens the site's door. */
  async function isSignedIn(cookie: string): Promise<boolean> {
    const nonce = await fetch(`${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { cookie } })
    const headers = { cookie, 'x-wp-nonce': await nonce.text() }
    return (await fetch(`${site.url}/wp-json/wp/v2/users/me`, { headers })).status === 200
  }

  async function userOf(id: number): Promise<User> {
    const user = await site.host.auth.users.get(id)
    if (!user) throw new Error('no such user')
    return user
  }

  const adminBrowser = () => site.browser('admin', 'admin-password')

  async function sessionOf(id: number): Promise<string> {
    const { auth } = site.host
    const signedIn = await auth.startSession(await userOf(id), { address: '127.0.0.1', userAgent: 'test' })
    return auth.sessionCookie(signedIn).split(';')[0] ?? ''
  }

  describe('POST /wp/v2/users', () => {
    it('answers 201 with the whole record, and the password opens the door', async () => {
      const { status, item, headers } = await site.ask(
        'POST /wp/v2/users',
        { ...NEW, first_name: 'Ann', last_name: 'Lee', roles: ['author'], nickname: 'Annie', locale: 'de_DE' },
        admin,
      )
      expect(status).to.equal(201)
      expect(headers.get('location')).to.equal(`${site.url}/wp-json/wp/v2/users/${item.id}`)
      expect(item).to.include({ username: 'ann', name: 'Ann Lee', slug: 'ann', locale: 'de_DE', nickname: 'Annie' })
      expect(item.roles).to.deep.equal(['author'])
      expect(item).not.to.have.property('password')
      expect((await site.host.auth.users.checkPassword('ann', NEW.password))?.id).to.equal(item.id)
    })

    it('creates subscribers by default', async () => {
      const { item } = await site.ask(
        'POST /wp/v2/users',
        { username: 'plain', email: 'plain@example.org', password: 'secret-secret' },
        admin,
      )
      expect(item.roles).to.deep.equal(['subscriber'])
      // No language of their own: they read the admin in that of the site.
      expect(item.locale).to.equal('')
    })

    it('refuses what is missing, wrong or taken', async () => {
      const outcome = (fields: object) =>
        site.outcome(
          'POST /wp/v2/users',
          { username: 'bob', email: 'bob@example.org', password: PASSWORD, ...fields },
          admin,
        )
      const problem = async (fields: object) => {
        const { item } = await site.ask('POST /wp/v2/users', { ...NEW, ...fields }, admin)
        return Object.values(toObject(toObject(item.data).details)).map((one) => toObject(one).code)
      }
      expect(await site.outcome('POST /wp/v2/users', {}, admin)).to.equal('400 rest_missing_callback_param')
      expect(await problem({ username: 'not <ok>' })).to.deep.equal(['rest_user_invalid_username'])
      expect(await problem({ password: '' })).to.deep.equal(['rest_user_invalid_password'])
      expect(await problem({ password: 'seven77' })).to.deep.equal(['rest_user_invalid_password'])
      expect(await problem({ password: 'Password1' })).to.deep.equal(['rest_user_invalid_password'])
      expect(await problem({ password: 'back\\slash' })).to.deep.equal(['rest_user_invalid_password'])
      expect(await problem({ email: 'nowhere' })).to.deep.equal(['rest_invalid_email'])
      expect(await outcome({ roles: ['emperor'] })).to.equal('400 rest_user_invalid_role')
      expect(await outcome({ id: 1 })).to.equal('400 rest_user_exists')
      expect(await outcome({ username: 'ADMIN' })).to.equal('400 existing_user_login')
      expect(await outcome({ email: 'ADMIN@example.org' })).to.equal('400 existing_user_email')
      const undo = site.host.hooks.addFilter('illegal_user_logins', () => ['Bob'])
      expect(await problem({ username: 'bob', email: 'bob@example.org' })).to.deep.equal(['rest_user_invalid_username'])
      undo()
    })
  })

  describe('changing a user', () => {
    it('of one’s own takes profile fields, also as `me`', async () => {
      const { id, as } = await someone('subscriber')
      const { status, item } = await site.ask(
        `POST /wp/v2/users/${id}`,
        { name: 'New Name', url: 'https://a.example' },
        as,
      )
      expect(status).to.equal(200)
      expect(item).to.include({ name: 'New Name', url: 'https://a.example' })
      expect((await site.ask('PATCH /wp/v2/users/me', { description: 'Me' }, as)).item.description).to.equal('Me')
      expect(await site.outcome('PATCH /wp/v2/users/me', { description: 'Me' })).to.equal('401 rest_not_logged_in')
    })

    it('rejects a new login, the slug or email address of another user, and missing users', async () => {
      const { id } = await someone()
      const outcome = (fields: object) => site.outcome(`POST /wp/v2/users/${id}`, fields, admin)
      expect(await outcome({ username: 'renamed' })).to.equal('400 rest_user_invalid_argument')
      expect(await outcome({ slug: 'admin' })).to.equal('400 rest_user_invalid_slug')
      expect(await outcome({ email: 'admin@example.org' })).to.equal('400 rest_user_invalid_email')
      expect(await site.outcome('POST /wp/v2/users/99999', { name: 'x' }, admin)).to.equal('404 rest_user_invalid_id')
    })

    it('users cannot promote themselves, and only users with promote_users assign roles', async () => {
      for (const role of ['subscriber', 'contributor', 'author', 'editor']) {
        const { id, as } = await someone(role)
        expect(await site.outcome(`POST /wp/v2/users/${id}`, { roles: ['administrator'] }, as), role).to.equal(
          '403 rest_cannot_edit_roles',
        )
        expect(await site.outcome('POST /wp/v2/users/me', { roles: ['administrator'] }, as), role).to.equal(
          '403 rest_cannot_edit_roles',
        )
      }
      const undo = site.host.auth.addRole('people', 'People', ['read', 'promote_users', 'edit_users', 'list_users'])
      const { id, as } = await someone('people')
      expect(await site.outcome(`POST /wp/v2/users/${id}`, { roles: ['administrator'] }, as)).to.equal(
        '403 rest_user_invalid_role',
      )
      undo()
    })

    it('an administrator neither gives up their own right nor leaves the site without one', async () => {
      expect(await site.outcome(`POST /wp/v2/users/${adminId}`, { roles: ['editor'] }, admin)).to.equal(
        '403 rest_user_invalid_role',
      )
      const undo = site.host.auth.addRole('people', 'People', ['read', 'promote_users', 'edit_users', 'delete_users'])
      const { as } = await someone('people')
      expect(await site.outcome(`POST /wp/v2/users/${adminId}`, { roles: ['editor'] }, as)).to.equal(
        '409 last_administrator',
      )
      expect(await site.outcome(`DELETE /wp/v2/users/${adminId}?force=1&reassign=false`, undefined, as)).to.equal(
        '409 last_administrator',
      )
      undo()
    })

    it('leaves no scripts in public profile fields', async () => {
      const { id, as } = await someone()
      const evil = '<img src=x onerror=alert(1)>'
      const { item } = await site.ask(
        'POST /wp/v2/users/me',
        {
          ...{ name: `Ann ${evil} & Bo`, first_name: `Ann${evil}`, last_name: evil, nickname: `${evil}Annie` },
          description: `Writes <em>much</em>.${evil}<a href="javascript:alert(1)">Here</a>`,
        },
        as,
      )
      expect(item).to.include({ id, name: 'Ann & Bo', first_name: 'Ann', last_name: '', nickname: 'Annie' })
      expect(item.description).to.equal('Writes <em>much</em>.<a>Here</a>')
    })

    it('two administrators who take the right from each other at the same time do not both succeed', async () => {
      const one = await someone('administrator')
      const other = await someone('administrator')
      const change = { roles: ['editor'] }
      // Each of them is let in before another is done.
      const allLetIn = Promise.withResolvers<void>()
      let letIn = 0
      const undo = site.host.hooks.addFilter('rest_pre_insert_user', async (prepared) => {
        if (++letIn === 3) allLetIn.resolve()
        await allLetIn.promise
        return prepared
      })
      const outcomes = await Promise.all([
        site.outcome(`POST /wp/v2/users/${adminId}`, change, one.as),
        site.outcome(`POST /wp/v2/users/${one.id}`, change, other.as),
        site.outcome(`POST /wp/v2/users/${other.id}`, change, admin),
      ])
      undo()
      expect(outcomes.toSorted()).to.deep.equal(['200', '200', '409 last_administrator'])
      const { items } = await site.host.auth.users.query({ roles: ['administrator'] })
      expect(items).to.have.length(1)
      await Promise.all([adminId, one.id].map((id) => site.host.auth.users.update(id, { roles: ['administrator'] })))
    })

    it('a new password ends every session; the old one opens nothing any more', async () => {
      const { id, login } = await someone('author', { password: 'the old password' })
      const cookie = await sessionOf(id)
      expect(await isSignedIn(cookie)).to.equal(true)
      const change = { password: 'the new password' }
      expect(await site.outcome(`POST /wp/v2/users/${id}`, change, await adminBrowser())).to.equal('200')
      expect(await isSignedIn(cookie)).to.equal(false)
      expect(await site.host.auth.users.checkPassword(login, 'the old password')).to.equal(undefined)
    })

    it('one’s own new password ends all sessions but the one it was set in, and the application passwords', async () => {
      const { id, login, as } = await someone()
      const browser = await site.browser(login)
      const elsewhere = await sessionOf(id)
      expect(await site.outcome('POST /wp/v2/users/me', { password: 'the new password' }, browser)).to.equal('200')
      expect(await isSignedIn(browser.Cookie)).to.equal(true)
      expect(await isSignedIn(elsewhere)).to.equal(false)
      expect(await site.outcome('GET /wp/v2/users/me', undefined, as)).to.equal('401 incorrect_password')
    })

    describe('a password or an e-mail address', () => {
      const changes = { password: 'the new password', email: 'elsewhere@example.org' }

      for (const [field, value] of Object.entries(changes)) {
        it(`${field}: of oneself and of others only after the current password was given again`, async () => {
          const { id, login } = await someone('author')
          const change = { [field]: value }
          const unconfirmed = await openSession(site.host.auth, await userOf(id))
          expect(await site.outcome('POST /wp/v2/users/me', change, unconfirmed)).to.equal(
            '403 password_confirmation_required',
          )
          const administrators = await openSession(site.host.auth, await userOf(adminId))
          expect(await site.outcome(`POST /wp/v2/users/${id}`, change, administrators)).to.equal(
            '403 password_confirmation_required',
          )
          const before = await userOf(id)
          expect(before.email).to.equal(`${login}@example.org`)
          expect(await site.host.auth.users.checkPassword(login, PASSWORD)).to.deep.equal(before)
          expect(await site.outcome('POST /wp/v2/users/me', change, await site.browser(login))).to.equal('200')
          await site.host.auth.users.update(id, { email: before.email })
        })

        it(`${field}: with no application password, neither one’s own nor another’s`, async () => {
          const { id, as } = await someone('author')
          const change = { [field]: value }
          expect(await site.outcome('POST /wp/v2/users/me', change, as)).to.equal('403 application_password_forbidden')
          expect(await site.outcome(`POST /wp/v2/users/${id}`, change, admin)).to.equal(
            '403 application_password_forbidden',
          )
        })
      }

      it('sent as it is, with other fields, is no change', async () => {
        const { id, login, as } = await someone('author')
        const same = { email: `${login}@example.org`, name: 'Renamed' }
        expect(await site.outcome('POST /wp/v2/users/me', same, as)).to.equal('200')
        expect((await userOf(id)).displayName).to.equal('Renamed')
      })

      it('and a role that can change those of others', async () => {
        const { id, login } = await someone('author')
        const promotion = { roles: ['administrator'] }
        expect(await site.outcome(`POST /wp/v2/users/${id}`, promotion, admin)).to.equal(
          '403 application_password_forbidden',
        )
        const created = { username: 'second', email: 'second@example.org', password: PASSWORD, ...promotion }
        expect(await site.outcome('POST /wp/v2/users', created, admin)).to.equal('403 application_password_forbidden')
        expect(await site.outcome(`POST /wp/v2/users/${id}`, promotion, await adminBrowser())).to.equal('200')
        await site.host.auth.users.update(id, { roles: ['author'] })
        expect((await site.host.auth.users.getByLogin(login))?.roles).to.deep.equal(['author'])
      })

      it('in a batch is asked about too', async () => {
        const { as } = await someone('author')
        const requests = [{ method: 'POST', path: '/wp/v2/users/me', body: changes }]
        const { item } = await site.ask('POST /batch/v1', { requests }, as)
        expect(JSON.stringify(item.responses)).to.include('application_password_forbidden')
      })
    })

    it('another role ends every session; the same one does not', async () => {
      const { id } = await someone('author')
      const cookie = await sessionOf(id)
      await site.ask(`POST /wp/v2/users/${id}`, { roles: ['author'], name: 'Same role' }, admin)
      expect(await isSignedIn(cookie)).to.equal(true)
      const { item } = await site.ask(`POST /wp/v2/users/${id}`, { roles: ['subscriber'] }, admin)
      expect(item.roles).to.deep.equal(['subscriber'])
      expect(await isSignedIn(cookie)).to.equal(false)
    })
  })

  describe('deleting a user', () => {
    it('needs force and an answer to who gets what they have written', async () => {
      const { id } = await someone()
      const outcome = (query: string) => site.outcome(`DELETE /wp/v2/users/${id}${query}`, undefined, admin)
      expect(await outcome('')).to.equal('400 rest_missing_callback_param')
      expect(await outcome('?force=true')).to.equal('400 rest_missing_callback_param')
      expect(await outcome('?reassign=1')).to.equal('501 rest_trash_not_supported')
      expect(await outcome('?force=true&reassign=99999')).to.equal('400 rest_user_invalid_reassign')
      expect(await outcome(`?force=true&reassign=${id}`)).to.equal('400 rest_user_invalid_reassign')
      expect(await outcome('?force=true&reassign=nobody')).to.equal('400 rest_invalid_param')
    })

    it('reassigns the posts and ends sessions and application passwords', async () => {
      const { id, as } = await someone()
      const cookie = await sessionOf(id)
      const post = await site.host.content.posts.insert({ status: 'publish', title: 'Left behind', authorId: id })
      const seen: unknown[] = []
      const undo = [
        site.host.hooks.addAction('delete_user', (userId, to) => void seen.push(['delete_user', userId, to])),
        site.host.hooks.addAction('deleted_user', (userId, to) => void seen.push(['deleted_user', userId, to])),
      ]
      expect(await site.outcome('GET /wp/v2/users/me', undefined, as)).to.equal('200')
      const { status, item } = await site.ask(
        `DELETE /wp/v2/users/${id}?force=true&reassign=${adminId}`,
        undefined,
        admin,
      )
      for (const one of undo) one()
      expect([status, item.deleted, toObject(item.previous).id]).to.deep.equal([200, true, id])
      expect((await site.host.content.posts.get(post.id))?.authorId).to.equal(adminId)
      expect(await isSignedIn(cookie)).to.equal(false)
      expect(await site.outcome('GET /wp/v2/users/me', undefined, as)).to.equal('401 incorrect_password')
      expect(await site.outcome(`GET /wp/v2/users/${id}`, undefined, admin)).to.equal('404 rest_user_invalid_id')
      expect(seen).to.deep.equal([
        ['delete_user', id, adminId],
        ['deleted_user', id, adminId],
      ])
    })

    it('moves the posts to the trash if they are not reassigned', async () => {
      const { id } = await someone()
      const { posts } = site.host.content
      const made = await Promise.all(
        ['publish', 'draft', 'private'].map((status) => posts.insert({ status, title: status, authorId: id })),
      )
      await site.ask(`DELETE /wp/v2/users/${id}?force=true&reassign=false`, undefined, admin)
      const after = await posts.getMany(made.map((post) => post.id))
      expect([...after.values()].map(({ status }) => status)).to.deep.equal(['trash', 'trash', 'trash'])
    })

    it('is for those who may delete users only', async () => {
      const { id } = await someone()
      for (const role of ['subscriber', 'editor']) {
        const { as } = await someone(role)
        const query = `?force=true&reassign=${adminId}`
        expect(await site.outcome(`DELETE /wp/v2/users/${id}${query}`, undefined, as)).to.equal(
          '403 rest_user_cannot_delete',
        )
        expect(await site.outcome(`DELETE /wp/v2/users/me${query}`, undefined, as)).to.equal(
          '403 rest_user_cannot_delete',
        )
      }
      expect(await site.outcome(`DELETE /wp/v2/users/${id}?force=true&reassign=1`)).to.equal(
        '401 rest_user_cannot_delete',
      )
    })
  })
})
