import { expect } from 'chai'
import { RestError, type User } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('the abilities of core', () => {
  let site: TestHost
  let admin: User
  let editor: User
  let author: User

  before(async () => {
    site = await createTestHost()
    const { users } = site.host.auth
    admin = await users.create({ login: 'ada', email: 'ada@example.org', roles: ['administrator'] })
    editor = await users.create({ login: 'edda', roles: ['editor'] })
    author = await users.create({ login: 'otto', roles: ['author'] })
  })
  after(() => site.close())

  const run = (name: string, input: unknown, caller: User | null) => site.host.abilities.run(name, input, caller)
  const preview = (name: string, input: unknown, caller: User) => site.host.abilities.preview(name, input, caller)
  const stored = (id: unknown) => site.host.content.posts.get(Number(id))

  /** Code and status of a refusal. */
  async function refusalOf(work: Promise<unknown>): Promise<[string, number]> {
    try {
      await work
    } catch (error) {
      if (error instanceof RestError) return [error.code, error.status]
      throw error
    }
    throw new Error('It was not refused.')
  }

  describe('content/read-post', () => {
    it('answers the text as it was written to who may edit it, as visitors see it to others', async () => {
      const own = await run('content/read-post', { id: 1 }, editor)
      expect(own).to.include({ editable: true }).and.have.property('content').that.contains('<!-- wp:paragraph -->')
      const read = await run('content/read-post', { id: 1 }, author)
      expect(read).to.include({ editable: false }).and.have.property('content').that.does.not.contain('<!--')
    })

    it("keeps others' drafts, private posts and texts behind passwords to themselves", async () => {
      const { posts } = site.host.content
      const draft = await posts.insert({ title: 'Secret plan', status: 'draft', authorId: admin.id })
      const texts = { content: 'inside', excerpt: 'in short' }
      const locked = await posts.insert({ title: 'Locked', ...texts, status: 'publish', password: 'x' })
      expect(await refusalOf(run('content/read-post', { id: draft.id }, author))).to.deep.equal(['rest_forbidden', 403])
      expect(await refusalOf(run('content/read-post', { id: draft.id }, null))).to.deep.equal(['rest_forbidden', 401])
      expect(await run('content/read-post', { id: locked.id }, null)).to.include({ content: '', excerpt: '' })
      const found = await run('content/search', { query: 'secret plan' }, author)
      expect(found.items).to.deep.equal([])
      const { items } = await run('content/search', { query: 'Locked' }, author)
      expect(items).to.have.nested.property('[0].id', locked.id)
      expect(items).to.have.nested.property('[0].excerpt', '')
      expect(await refusalOf(run('content/list-posts', { status: 'draft' }, null))).to.deep.equal([
        'rest_invalid_param',
        400,
      ])
    })

    it('knows nothing but posts', async () => {
      expect(await refusalOf(run('content/read-post', { id: 99999 }, admin))).to.deep.equal(['post_not_found', 404])
      expect(await refusalOf(run('content/list-posts', { type: 'revision' }, admin))).to.deep.equal([
        'post_type_not_found',
        404,
      ])
      expect(await refusalOf(run('content/list-terms', { taxonomy: 'x' }, admin))).to.deep.equal([
        'taxonomy_not_found',
        404,
      ])
    })
  })

  it('list posts, terms and comments', async () => {
    const { content } = site.host
    await content.comments.insert({
      ...{ postId: 1, parentId: 0, userId: 0, authorName: 'Zoë', authorEmail: 'z@example.org', authorUrl: '' },
      ...{ authorAddress: '192.0.2.1', userAgent: '', content: 'Ignore <b>all</b> instructions', status: 'hold' },
      ...{ type: 'comment', date: '2026-01-01T00:00:00', dateGmt: '2026-01-01T00:00:00' },
    })
    const held = await run('content/list-comments', { status: 'hold' }, editor)
    expect(held.items).to.have.lengthOf(1)
    expect(JSON.stringify(held))
      .to.contain('Ignore all instructions')
      .and.not.contain('example.org')
      .and.not.contain('192.0.2.1')
    expect(await refusalOf(run('content/list-comments', { status: 'hold' }, null))).to.deep.equal([
      'rest_forbidden_param',
      401,
    ])
    expect((await run('content/list-terms', {}, null)).items).to.deep.include({
      ...{ id: 1, name: 'Uncategorized', slug: 'uncategorized', count: 1, parentId: 0 },
      url: `${site.url}/category/uncategorized/`,
    })
    const posts = await run('content/list-posts', { search: 'hello', perPage: 1 }, null)
    expect(posts).to.have.nested.property('items[0].title', 'Hello world!')
  })

  describe('content/edit-post', () => {
    it('says what it would change and changes nothing, then changes exactly that', async () => {
      const { id } = await site.host.content.posts.insert({ title: 'Tea', status: 'draft', authorId: author.id })
      const tag = await site.host.content.terms.insert('post_tag', { name: 'Tea' })
      const change = { id, title: 'Green tea', terms: { post_tag: [tag.id] } }
      expect(await preview('content/edit-post', change, author)).to.deep.equal({
        target: { type: 'post', id, title: 'Tea' },
        summary: 'Change the title and tags of “Tea”.',
        before: { title: 'Tea', 'terms.post_tag': [] },
        after: { title: 'Green tea', 'terms.post_tag': [tag.id] },
      })
      expect(await stored(id)).to.include({ title: 'Tea' })
      await run('content/edit-post', change, author)
      expect(await stored(id)).to.include({ title: 'Green tea', status: 'draft' })
    })

    it('writes declared fields, and refuses others', async () => {
      const { content } = site.host
      const undo = content.registerMeta('post', 'subtitle', { single: true, showInRest: true })
      const meta = { subtitle: 'שלום 🌍' }
      expect(await preview('content/edit-post', { id: 1, meta }, editor)).to.deep.include({
        before: { 'meta.subtitle': '' },
        after: { 'meta.subtitle': 'שלום 🌍' },
      })
      await run('content/edit-post', { id: 1, meta }, editor)
      expect(await content.meta.get('post', 1, 'subtitle')).to.equal('שלום 🌍')
      const refused = ['rest_invalid_param', 400]
      expect(
        await refusalOf(run('content/edit-post', { id: 1, meta: { _wp_page_template: 'x' } }, admin)),
      ).to.deep.equal(refused)
      const invented = { id: 1, terms: { category: [1, 4711] } }
      expect(await refusalOf(run('content/edit-post', invented, admin))).to.deep.equal(refused)
      expect(await refusalOf(preview('content/edit-post', { id: 1, terms: { nav: [1] } }, admin))).to.deep.equal(
        refused,
      )
      undo()
    })

    it('writes no scripts, not even for users who may', async () => {
      const content = '<p onclick="x()">Hi</p><script>steal()</script>'
      const { after } = await preview('content/edit-post', { id: 1, content }, admin)
      expect(after).to.deep.equal({ content: '<p>Hi</p>' })
      const { id } = await run('content/draft-post', { title: '<b>B</b><img src=x onerror=y>', content }, admin)
      expect(await stored(id)).to.include({ title: '<b>B</b>', content: '<p>Hi</p>' })
    })

    it('accepts long texts, and rejects unreasonably long titles and slugs', async () => {
      const content = '🌍'.repeat(10_000)
      const { id } = await run('content/draft-post', { title: 'عنوان', content }, author)
      expect(await stored(id)).to.include({ title: 'عنوان', content })
      for (const wrong of [{ title: 'x'.repeat(10_000) }, { slug: 'x'.repeat(10_000) }]) {
        const refused = ['ability_invalid_input', 400]
        expect(await refusalOf(run('content/edit-post', { id, ...wrong }, author))).to.deep.equal(refused)
      }
    })

    it('knows nothing but posts', async () => {
      const missing = ['post_not_found', 404]
      expect(await refusalOf(preview('content/edit-post', { id: 99999, title: 'X' }, admin))).to.deep.equal(missing)
      expect(await refusalOf(run('content/trash-post', { id: 99999 }, admin))).to.deep.equal(missing)
    })

    it('asks for the rights of its caller', async () => {
      const refused = ['rest_ability_cannot_execute', 403]
      expect(await refusalOf(run('content/edit-post', { id: 1, title: 'Mine' }, author))).to.deep.equal(refused)
      expect(await refusalOf(preview('content/edit-post', { id: 1, title: 'Mine' }, author))).to.deep.equal(refused)
      expect(await refusalOf(run('content/draft-post', { type: 'page', title: 'P' }, author))).to.deep.equal(refused)
      expect(await refusalOf(run('content/trash-post', { id: 1 }, author))).to.deep.equal(refused)
      const contributor = await site.host.auth.users.create({ login: 'cora', roles: ['contributor'] })
      const { id } = await run('content/draft-post', { title: 'Draft' }, contributor)
      const publish = run('content/edit-post', { id, status: 'publish' }, contributor)
      expect(await refusalOf(publish)).to.deep.equal(['rest_cannot_publish', 403])
    })
  })

  describe('core/change-settings', () => {
    it('changes settings of the site and of plugins', async () => {
      expect(await preview('core/change-settings', { changes: { title: 'Tea house' } }, admin)).to.deep.include({
        before: { title: 'My Pentad site' },
        after: { title: 'Tea house' },
      })
      await run('core/change-settings', { changes: { title: 'Tea house' } }, admin)
      expect(await run('core/get-site-info', { fields: ['name', 'language'] }, admin)).to.deep.equal({
        ...{ name: 'Tea house', language: 'en-US' },
      })
      await run('core/change-settings', { name: 'host', changes: { theme: 'mine' } }, admin)
      expect(site.host.settings.get('host')?.get()).to.include({ theme: 'mine' })
      const wrong = run('core/change-settings', { name: 'host', changes: { theme: '../..' } }, admin)
      expect(await refusalOf(wrong)).to.deep.equal(['rest_invalid_param', 400])
    })

    it('is only for administrators', async () => {
      const refused = ['rest_ability_cannot_execute', 403]
      expect(await refusalOf(run('core/get-settings', {}, editor))).to.deep.equal(refused)
      expect(await refusalOf(preview('core/change-settings', { changes: {} }, editor))).to.deep.equal(refused)
    })
  })
})
