import { expect } from 'chai'
import type { HostAuth } from '../../core/auth/host-auth.ts'
import type { User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { createTestSite, type TestSite } from './site.ts'

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

onEachDatabase('can', (databaseUrl) => {
  let site: TestSite
  let auth: HostAuth
  /** One user of each role, and `other`, an administrator who wrote what is not theirs. */
  const users: Record<string, User> = {}

  before(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    for (const role of ROLES) users[role] = await site.addUser(role, role)
    users.other = await site.addUser('other', 'administrator')
  })
  after(() => site.close())

  const user = (name: string): User => {
    const found = users[name]
    if (!found) throw new Error(`no user ${name}`)
    return found
  }

  /** Which of the roles may, as initials: `aeucs` is everybody. */
  async function whoMay(capability: string, ...args: (number | string)[]): Promise<string> {
    const initials: Record<string, string> = {
      administrator: 'a',
      editor: 'e',
      author: 'u',
      contributor: 'c',
      subscriber: 's',
    }
    let may = ''
    for (const role of ROLES) if (await auth.can(user(role), capability, ...args)) may += initials[role]
    return may
  }

  describe('a primitive capability', () => {
    it('is had by its roles and by no visitor', async () => {
      expect(await whoMay('manage_options')).to.equal('a')
      expect(await whoMay('moderate_comments')).to.equal('ae')
      expect(await whoMay('upload_files')).to.equal('aeu')
      expect(await whoMay('edit_posts')).to.equal('aeuc')
      expect(await whoMay('read')).to.equal('aeucs')
      expect(await auth.can(null, 'read')).to.equal(false)
      expect(await auth.can(null, 'exist')).to.equal(true)
    })
    it('that no role has is granted to no user, whatever its name', async () => {
      for (const capability of [
        'fly',
        '',
        '__proto__',
        'constructor',
        'do_not_allow',
        'unfiltered_upload',
        'manage_links',
      ]) {
        expect(await whoMay(capability), capability).to.equal('')
      }
    })
    it('may be a role', async () => expect(await whoMay('editor')).to.equal('e'))
    it('may mean another one', async () => {
      expect(await whoMay('deactivate_plugins')).to.equal('a')
      expect(await whoMay('customize')).to.equal('a')
      expect(await whoMay('edit_categories')).to.equal('ae')
      expect(await whoMay('assign_post_tags')).to.equal('aeuc')
    })
  })

  describe('on users', () => {
    it('everybody edits themselves, administrators edit all', async () => {
      expect(await whoMay('edit_user', user('other').id)).to.equal('a')
      expect(await whoMay('edit_user', user('author').id)).to.equal('au')
      expect(await whoMay('list_app_passwords', user('author').id)).to.equal('au')
      expect(await auth.can(null, 'edit_user', 0)).to.equal(false)
    })
    it('meta asks for what the user asks for, and protected keys are closed', async () => {
      const { id } = user('author')
      expect(await whoMay('delete_user_meta', id, 'phone')).to.equal('au')
      expect(await whoMay('edit_user_meta', id, '_phone')).to.equal('')
      expect(await whoMay('edit_user_meta', 999999, 'phone')).to.equal('')
      const undo = site.hooks.addFilter(
        'auth_user_meta__phone',
        (_allowed, key, userId) => key === '_phone' && userId === id,
      )
      expect(await whoMay('edit_user_meta', id, '_phone')).to.equal('au')
      undo()
    })
    it('only administrators promote, delete or remove users', async () => {
      for (const capability of ['promote_user', 'delete_user', 'remove_user', 'create_users', 'list_users']) {
        expect(await whoMay(capability, user('author').id), capability).to.equal('a')
      }
    })
  })

  describe('on things of a part of the site', () => {
    it('call its resolver until that is removed, and are denied without an object id', async () => {
      const seen: unknown[] = []
      const undo = auth.addMetaCapabilities({
        nameOf: (capability) => (/^edit_(?:ship|boat)$/.test(capability) ? 'edit_ship' : undefined),
        map: (capability, userId, [id], map) => {
          seen.push([capability, userId, id])
          return id === 7 ? map('edit_user', userId, [userId]) : ['manage_options']
        },
        mapAfterFilter: (needed, _capability, _userId, [id]) => (id === 8 ? ['exist'] : needed),
      })
      expect(await auth.can(user('author'), 'edit_boat' as string, 7)).to.equal(true)
      expect(seen).to.deep.equal([['edit_ship', user('author').id, 7]])
      expect(await whoMay('edit_ship', 6)).to.equal('a')
      expect(await whoMay('edit_ship', 8)).to.equal('aeucs')
      expect(auth.has(user('administrator'), 'edit_ship' as string)).to.equal(false)
      const filtered: unknown[] = []
      const stop = site.hooks.addFilter('map_meta_cap', (caps, capability, _userId, args) => {
        filtered.push([caps, capability, args])
        return caps
      })
      await auth.can(user('author'), 'edit_boat' as string, 7)
      stop()
      expect(filtered).to.deep.equal([
        [[], 'edit_user', [user('author').id]],
        [[], 'edit_ship', [7]],
      ])
      undo()
      const takeBack = auth.addCapabilities('author', ['edit_ship' as string])
      expect(await whoMay('edit_ship', 7)).to.equal('u')
      takeBack()
    })
    it('everybody may be asked with capabilities that they do not have', async () => {
      expect(await auth.canWith(null, { fly: true }, 'fly')).to.equal(true)
      expect(await auth.can(null, 'fly' as string)).to.equal(false)
    })
  })

  describe('the filters', () => {
    it('user_has_cap gives and takes capabilities, for this question only', async () => {
      const seen: unknown[] = []
      const undo = site.hooks.addFilter('user_has_cap', (allcaps, caps, args, who) => {
        seen.push([caps, args, who?.login ?? null])
        allcaps.manage_options = true
        return allcaps
      })
      expect(await auth.can(user('subscriber'), 'manage_options')).to.equal(true)
      expect(await auth.can(null, 'manage_options')).to.equal(true)
      expect(seen).to.deep.equal([
        [['manage_options'], ['manage_options', user('subscriber').id], 'subscriber'],
        [['manage_options'], ['manage_options', 0], null],
      ])
      undo()
      expect(await auth.can(user('subscriber'), 'manage_options')).to.equal(false)
      expect(auth.capabilities(user('subscriber'))).to.not.have.property('manage_options')
    })
    it('user_has_cap cannot lift do_not_allow', async () => {
      const undo = site.hooks.addFilter('user_has_cap', (allcaps) => ({ ...allcaps, do_not_allow: true }))
      expect(await auth.can(user('administrator'), 'edit_user_meta', 999999, 'phone')).to.equal(false)
      undo()
    })
  })
})
