import { expect } from 'chai'
import type { Auth } from '../../core/auth/types.ts'
import { createTestSite, type TestSite } from './site.ts'

/** What WordPress 6.1 stores in `wp_user_roles` on a new site. */
const WORDPRESS_ROLES = {
  administrator:
    'switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options moderate_comments ' +
    'manage_categories manage_links upload_files import unfiltered_html edit_posts edit_others_posts ' +
    'edit_published_posts publish_posts edit_pages read level_10 level_9 level_8 level_7 level_6 level_5 level_4 ' +
    'level_3 level_2 level_1 level_0 edit_others_pages edit_published_pages publish_pages delete_pages ' +
    'delete_others_pages delete_published_pages delete_posts delete_others_posts delete_published_posts ' +
    'delete_private_posts edit_private_posts read_private_posts delete_private_pages edit_private_pages ' +
    'read_private_pages delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins ' +
    'install_plugins update_themes install_themes update_core list_users remove_users promote_users ' +
    'edit_theme_options delete_themes export',
  editor:
    'moderate_comments manage_categories manage_links upload_files unfiltered_html edit_posts edit_others_posts ' +
    'edit_published_posts publish_posts edit_pages read level_7 level_6 level_5 level_4 level_3 level_2 level_1 ' +
    'level_0 edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages ' +
    'delete_published_pages delete_posts delete_others_posts delete_published_posts delete_private_posts ' +
    'edit_private_posts read_private_posts delete_private_pages edit_private_pages read_private_pages',
  author:
    'upload_files edit_posts edit_published_posts publish_posts read level_2 level_1 level_0 delete_posts ' +
    'delete_published_posts',
  contributor: 'edit_posts read level_1 level_0 delete_posts',
  subscriber: 'read level_0',
}

describe('roles', () => {
  let site: TestSite
  let auth: Auth

  before(async () => {
    site = await createTestSite(undefined)
    auth = site.auth
  })
  after(() => site.close())

  for (const [role, capabilities] of Object.entries(WORDPRESS_ROLES)) {
    it(`${role} has exactly the capabilities that WordPress gives it`, () => {
      expect([...(auth.roles().get(role)?.capabilities ?? [])].sort()).to.deep.equal(capabilities.split(' ').sort())
    })
  }

  it('are five, with WordPress’s names', () => {
    expect([...auth.roles()].map(([role, { name }]) => [role, name])).to.deep.equal([
      ['administrator', 'Administrator'],
      ['editor', 'Editor'],
      ['author', 'Author'],
      ['contributor', 'Contributor'],
      ['subscriber', 'Subscriber'],
    ])
  })

  it('give a user everything that any of their roles has, and the roles’ own names', async () => {
    const user = await site.addUser('two-roles', 'author', { roles: ['author', 'subscriber'] })
    expect(Object.keys(auth.capabilities(user))).to.have.members([
      ...WORDPRESS_ROLES.author.split(' '),
      'author',
      'subscriber',
    ])
  })

  it('can be added and given more capabilities, until that is undone', async () => {
    const removeShopkeeper = auth.addRole('shopkeeper', 'Shopkeeper', ['read', 'edit_products'])
    const takeBack = auth.addCapabilities('shopkeeper', ['ship_products'])
    const user = await site.addUser('keeper', 'shopkeeper')
    expect(await auth.can(user, 'edit_products')).to.equal(true)
    expect(await auth.can(user, 'ship_products')).to.equal(true)
    takeBack()
    expect(await auth.can(user, 'ship_products')).to.equal(false)
    removeShopkeeper()
    expect(await auth.can(user, 'edit_products')).to.equal(false)
    expect(auth.roles().has('shopkeeper')).to.equal(false)
  })

  it('stay while one of two who added them is left, as during a reload', async () => {
    const removeOld = auth.addRole('guide', 'Guide', ['read'])
    const removeNew = auth.addRole('guide', 'Tour guide', ['read', 'lead_tours'])
    removeOld()
    removeOld()
    expect(auth.roles().get('guide')?.name).to.equal('Tour guide')
    expect([...(auth.roles().get('guide')?.capabilities ?? [])]).to.have.members(['read', 'lead_tours'])
    removeNew()
    expect(auth.roles().has('guide')).to.equal(false)
  })
})
