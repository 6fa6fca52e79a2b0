import { expect } from 'chai'
import { createContent } from '../../cms/content/index.ts'
import type { PostTable } from '../../cms/content/schema.ts'
import type { Content } from '../../cms/content/types.ts'
import type { Auth, User } from '../../core/auth/types.ts'
import { createLog } from '../../core/log.ts'
import { createTestSite, type TestSite, URL_OF_SITE } from '../auth/site.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

onEachDatabase('capabilities', (databaseUrl) => {
  let site: TestSite
  let auth: Auth
  let content: Content
  /** One user of each role, and `other`, an administrator who wrote what is not theirs. */
  const users: Record<string, User> = {}
  let slugs = 0

  before(async () => {
    site = await createTestSite(await databaseUrl())
    auth = site.auth
    content = await createContent({
      ...{ ...site, log: createLog('silent') },
      config: { url: URL_OF_SITE, adminEmail: 'admin@example.org', siteDir: temporaryFolder() },
    })
    for (const role of ROLES) users[role] = await site.addUser(role, role)
    users.other = await site.addUser('other', 'administrator')
  })
  after(() => site.close())

  const user = (name: string): User => {
    const found = users[name]
    if (!found) throw new Error(`no user ${name}`)
    return found
  }

  async function addPost(
    post: Partial<Pick<PostTable, 'type' | 'status' | 'author_id' | 'parent_id'>>,
  ): Promise<number> {
    const time = '2026-01-01 00:00:00'
    const { id } = await site.database.db
      .insertInto('posts')
      .values({
        type: 'post',
        status: 'publish',
        author_id: 0,
        parent_id: 0,
        ...post,
        slug: `p${++slugs}`,
        menu_order: 0,
        path: '',
        title: '',
        content: '',
        excerpt: '',
        password: '',
        comment_status: 'open',
        ping_status: 'open',
        template: '',
        mime_type: '',
        guid: '',
        date: time,
        date_gmt: time,
        modified: time,
        modified_gmt: time,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const setMeta = (postId: number, key: string, value: string) =>
    site.database.db
      .insertInto('postmeta')
      .values({ post_id: postId, meta_key: key, meta_value: JSON.stringify(value) })
      .execute()

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

  describe('on posts', () => {
    /** status → who may edit, delete, read another’s; then who of author and contributor may with their own. */
    const table: [status: string, others: [string, string, string], own: [string, string, string]][] = [
      ['publish', ['ae', 'ae', 'aeucs'], ['u', 'u', 'uc']],
      ['future', ['ae', 'ae', 'ae'], ['u', 'u', 'uc']],
      ['draft', ['ae', 'ae', 'ae'], ['uc', 'uc', 'uc']],
      ['pending', ['ae', 'ae', 'ae'], ['uc', 'uc', 'uc']],
      ['private', ['ae', 'ae', 'ae'], ['uc', 'uc', 'uc']],
      ['trash', ['ae', 'ae', 'ae'], ['uc', 'uc', 'uc']],
      ['auto-draft', ['ae', 'ae', 'ae'], ['uc', 'uc', 'uc']],
    ]
    for (const [status, others, own] of table) {
      it(`${status}: as WordPress maps edit, delete and read`, async () => {
        const post = await addPost({ status, author_id: user('other').id })
        for (const [index, capability] of ['edit_post', 'delete_post', 'read_post'].entries()) {
          expect(await whoMay(capability, post), `another's: ${capability}`).to.equal(others[index])
          expect(await auth.can(null, capability, post), `visitor: ${capability}`).to.equal(false)
          let may = ''
          for (const role of ['author', 'contributor']) {
            const mine = await addPost({ status, author_id: user(role).id })
            if (await auth.can(user(role), capability, mine)) may += role === 'author' ? 'u' : 'c'
          }
          expect(may, `own: ${capability}`).to.equal(own[index])
        }
      })
    }
    it('a trashed post is treated as what it was', async () => {
      const post = await addPost({ status: 'trash', author_id: user('contributor').id })
      await setMeta(post, '_wp_trash_meta_status', 'publish')
      expect(await auth.can(user('contributor'), 'edit_post', post)).to.equal(false)
      expect(await auth.can(user('contributor'), 'delete_post', post)).to.equal(false)
    })
    it('without an author it counts as no user’s own', async () => {
      const post = await addPost({ status: 'draft', author_id: 0 })
      expect(await whoMay('edit_post', post)).to.equal('ae')
      expect(await auth.can(null, 'edit_post', post)).to.equal(false)
    })
    it('publish_post asks for publish_posts', async () => {
      const post = await addPost({ status: 'draft', author_id: user('contributor').id })
      expect(await whoMay('publish_post', post)).to.equal('aeu')
    })
    it('pages ask for the capabilities of pages', async () => {
      const page = await addPost({ type: 'page', author_id: user('author').id })
      for (const capability of ['edit_post', 'edit_page', 'delete_page', 'publish_post']) {
        expect(await whoMay(capability, page), capability).to.equal('ae')
      }
      expect(await whoMay('read_page', page)).to.equal('aeucs')
    })
    it('a revision asks its parent and is never deleted', async () => {
      const parent = await addPost({ status: 'draft', author_id: user('author').id })
      const revision = await addPost({
        type: 'revision',
        status: 'inherit',
        author_id: user('editor').id,
        parent_id: parent,
      })
      expect(await whoMay('edit_post', revision)).to.equal('aeu')
      expect(await whoMay('read_post', revision)).to.equal('aeu')
      expect(await whoMay('delete_post', revision)).to.equal('')
      const orphan = await addPost({ type: 'revision', status: 'inherit', parent_id: 999999 })
      expect(await whoMay('edit_post', orphan)).to.equal('')
    })
    it('an attachment is read like its parent, alone by everybody', async () => {
      const parent = await addPost({ status: 'private', author_id: user('other').id })
      const inside = await addPost({
        type: 'attachment',
        status: 'inherit',
        author_id: user('other').id,
        parent_id: parent,
      })
      const alone = await addPost({ type: 'attachment', status: 'inherit', author_id: user('other').id })
      expect(await whoMay('read_post', inside)).to.equal('ae')
      expect(await whoMay('read_post', alone)).to.equal('aeucs')
      expect(await whoMay('edit_post', alone)).to.equal('ae')
    })
    it('the front page is deleted only by who may manage options', async () => {
      const page = await addPost({ type: 'page', author_id: user('other').id })
      expect(await whoMay('delete_post', page)).to.equal('ae')
      await site.options.update('site_settings', { pageOnFront: page })
      expect(await whoMay('delete_post', page)).to.equal('a')
      await site.options.delete('site_settings')
    })
    it('a post that is not there, or no id at all, refuses everybody', async () => {
      for (const args of [[999999], [0], [-1], [2 ** 40], [1.5], ['1'], []]) {
        expect(await whoMay('edit_post', ...args), JSON.stringify(args)).to.equal('')
        expect(await whoMay('read_post', ...args), JSON.stringify(args)).to.equal('')
      }
    })
    it('an unregistered type requires edit_others_posts', async () => {
      const post = await addPost({ type: 'mystery', author_id: user('author').id })
      for (const capability of ['edit_post', 'delete_post', 'read_post', 'publish_post']) {
        expect(await whoMay(capability, post), capability).to.equal('ae')
      }
    })
    it('a type of its own has capabilities of its own, until they are taken back', async () => {
      const undo = content.registerPostType({ name: 'book', capabilityType: ['book', 'books'] })
      const takeBack = auth.addCapabilities('author', ['edit_books', 'edit_published_books', 'publish_books'])
      const own = await addPost({ type: 'book', author_id: user('author').id })
      const others = await addPost({ type: 'book', author_id: user('other').id })
      expect(await whoMay('edit_post', own)).to.equal('u')
      expect(await whoMay('edit_book', own)).to.equal('u')
      expect(await whoMay('edit_book', others)).to.equal('')
      expect(await whoMay('delete_book', own)).to.equal('')
      expect(await whoMay('publish_post', own)).to.equal('u')
      expect(await whoMay('read_book', others)).to.equal('aeucs')
      takeBack()
      undo()
      expect(await whoMay('edit_post', own)).to.equal('ae')
    })
    it('a type called "user" does not change what edit_user means', async () => {
      const undo = content.registerPostType({ name: 'person', capabilityType: ['user', 'posts'] })
      expect(await whoMay('edit_user', user('other').id)).to.equal('a')
      undo()
    })
  })

  describe('on terms and comments', () => {
    let term: number
    let comment: number
    before(async () => {
      const { db } = site.database
      // The first one is the default category.
      for (const name of ['uncategorized', 'news']) {
        const made = await db
          .insertInto('terms')
          .values({ taxonomy: 'category', name, slug: name, description: '', parent_id: 0 })
          .returning('id')
          .executeTakeFirstOrThrow()
        term = made.id
      }
      const post = await addPost({ author_id: user('author').id })
      const added = await db
        .insertInto('comments')
        .values({
          post_id: post,
          parent_id: 0,
          user_id: 0,
          author_name: 'V',
          author_email: '',
          author_url: '',
          author_address: '',
          user_agent: '',
          content: 'x',
          status: 'approved',
          type: 'comment',
          date: '2026-01-01 00:00:00',
          date_gmt: '2026-01-01 00:00:00',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      comment = added.id
    })

    it('editors change terms, contributors assign them', async () => {
      expect(await whoMay('edit_term', term)).to.equal('ae')
      expect(await whoMay('delete_term', term)).to.equal('ae')
      expect(await whoMay('assign_term', term)).to.equal('aeuc')
      expect(await whoMay('assign_term', 999999)).to.equal('')
    })
    it('the default category cannot be deleted', async () => {
      await site.options.update('site_settings', { defaultCategory: term })
      expect(await whoMay('delete_term', term)).to.equal('')
      expect(await whoMay('edit_term', term)).to.equal('ae')
      await site.options.delete('site_settings')
    })
    it('who may edit the post may edit its comments', async () => {
      expect(await whoMay('edit_comment', comment)).to.equal('aeu')
      expect(await whoMay('edit_comment', 999999)).to.equal('')
    })
    it('meta asks for what the object asks for, and protected keys are closed', async () => {
      const post = await addPost({ author_id: user('author').id })
      expect(await whoMay('edit_post_meta', post, 'price')).to.equal('aeu')
      expect(await whoMay('edit_post_meta', post, '_price')).to.equal('')
      expect(await whoMay('edit_term_meta', term, 'color')).to.equal('ae')
      expect(await whoMay('add_comment_meta', comment, 'rating')).to.equal('aeu')
      expect(await whoMay('edit_post_meta', 999999, 'price')).to.equal('')
      const undo = site.hooks.addFilter('auth_post_meta__price', (_allowed, key, id) => key === '_price' && id === post)
      expect(await whoMay('edit_post_meta', post, '_price')).to.equal('aeu')
      undo()
    })
  })

  describe('the filters', () => {
    it('map_meta_cap changes what is needed, with WordPress’s arguments', async () => {
      const post = await addPost({ status: 'draft', author_id: user('author').id })
      const seen: unknown[] = []
      const undo = site.hooks.addFilter('map_meta_cap', (caps, cap, userId, args) => {
        seen.push([caps, cap, userId, args])
        return cap === 'edit_post' ? ['do_not_allow'] : caps
      })
      expect(await auth.can(user('author'), 'edit_post', post)).to.equal(false)
      expect(seen).to.deep.equal([[['edit_posts'], 'edit_post', user('author').id, [post]]])
      undo()
      expect(await auth.can(user('author'), 'edit_post', post)).to.equal(true)
    })
    it('read_post_caps looks things up after map_meta_cap, under any name of the capability', async () => {
      const post = await addPost({ author_id: user('author').id })
      const seen: unknown[] = []
      const undo = site.hooks.addFilter('read_post_caps', async (caps, postId, userId) => {
        seen.push([caps, postId, userId])
        return postId === post ? [...caps, 'manage_options'] : caps
      })
      expect(await whoMay('read_post', post)).to.equal('a')
      expect(await whoMay('read_block', post)).to.equal('a')
      expect(await auth.can(user('author'), 'edit_post', post)).to.equal(true)
      undo()
      expect(seen).to.have.length(10)
      expect(seen[0]).to.deep.equal([['read'], post, user('administrator').id])
      expect(await whoMay('read_post', post)).to.equal('aeucs')
    })
    it('user_has_cap cannot lift do_not_allow', async () => {
      const undo = site.hooks.addFilter('user_has_cap', (allcaps) => ({ ...allcaps, do_not_allow: true }))
      expect(await auth.can(user('administrator'), 'edit_post', 999999)).to.equal(false)
      undo()
    })
  })
  it('users are found by the types of what they have published', async () => {
    const writer = await site.addUser('writer', 'author')
    await addPost({ author_id: writer.id })
    await addPost({ type: 'page', status: 'draft', author_id: writer.id })
    const found = async (...hasPublishedPosts: string[]) =>
      (await auth.users.query({ include: [writer.id], hasPublishedPosts })).total
    expect([await found('post'), await found('page', 'post'), await found('page'), await found()]).to.deep.equal([
      1, 1, 0, 0,
    ])
  })
})
