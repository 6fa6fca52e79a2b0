import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { type OpenContent, openContent } from './open-content.ts'

onEachDatabase('content.terms', (databaseUrl) => {
  let site: OpenContent
  before(async () => {
    site = await openContent(await databaseUrl())
  })
  after(() => site.close())

  const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => 'no error',
      (error: { code?: string }) => error.code ?? String(error),
    )

  it('nest, with paths made of their slugs', async () => {
    const { terms } = site.content
    const travel = await terms.insert('category', { name: 'Travel' })
    const europe = await terms.insert('category', { name: 'Europe', parentId: travel.id })
    const georgia = await terms.insert('category', { name: 'Géorgie', parentId: europe.id })
    expect(georgia.path).to.equal('/category/travel/europe/georgie/')
    expect((await terms.getBySlug('category', 'georgie'))?.path).to.equal(georgia.path)
    expect(site.content.link(georgia)).to.equal('http://127.0.0.1:8080/category/travel/europe/georgie/')
    await terms.update(travel.id, { slug: 'trips' })
    expect((await terms.get(georgia.id))?.path).to.equal('/category/trips/europe/georgie/')
  })

  it('refuses a second one of a name below one parent, with its id', async () => {
    const { terms } = site.content
    const first = await terms.insert('category', { name: 'Twin' })
    const refused = await terms
      .insert('category', { name: 'Twin' })
      .catch((error: { code: string; data: object }) => error)
    expect(refused).to.deep.include({ code: 'term_exists', data: { status: 400, term_id: first.id } })
    const child = await terms.insert('category', { name: 'Twin', parentId: first.id })
    expect(child.slug).to.equal('twin-twin')
    expect(await codeOf(terms.insert('category', { name: 'TWIN' }))).to.equal('term_exists')
    expect(await codeOf(terms.insert('category', { name: 'Twin', slug: 'twin' }))).to.equal('term_exists')
    expect((await terms.insert('category', { name: 'Twin', slug: 'second' })).slug).to.equal('second')
    await terms.insert('post_tag', { name: 'Tag' })
    expect(await codeOf(terms.insert('post_tag', { name: 'tag', parentId: 0 }))).to.equal('term_exists')
    expect(await codeOf(terms.insert('category', { name: '  ' }))).to.equal('empty_term_name')
    expect(await codeOf(terms.insert('category', { name: 'Orphan', parentId: 99999 }))).to.equal('rest_term_invalid')
  })

  it('never become their own ancestors', async () => {
    const { terms } = site.content
    const top = await terms.insert('category', { name: 'Top' })
    const below = await terms.insert('category', { name: 'Below', parentId: top.id })
    expect((await terms.update(top.id, { parentId: below.id })).parentId).to.equal(0)
  })

  it('count the published posts that carry them', async () => {
    const { posts, terms } = site.content
    const tag = await terms.insert('post_tag', { name: 'counted' })
    const count = async () => (await terms.get(tag.id))?.count
    const draft = await posts.insert({ title: 'x', terms: { post_tag: [tag.id] } })
    await posts.insert({ title: 'y', status: 'publish', terms: { post_tag: [tag.id, 9999] } })
    expect(await count()).to.equal(1)
    await posts.update(draft.id, { status: 'publish' })
    expect(await count()).to.equal(2)
    await posts.update(draft.id, { status: 'trash' })
    expect(await count()).to.equal(1)
    await terms.setForPost(draft.id, 'post_tag', [])
    await posts.update(draft.id, { status: 'publish' })
    expect(await count()).to.equal(1)
    await terms.setForPost(draft.id, 'post_tag', [tag.id])
    await posts.delete(draft.id)
    expect(await count()).to.equal(1)
  })

  it('are returned for many posts at once, by name', async () => {
    const { posts, terms } = site.content
    const [b, a] = [await terms.insert('post_tag', { name: 'bb' }), await terms.insert('post_tag', { name: 'Aa' })]
    const post = await posts.insert({ title: 'tagged', terms: { post_tag: [b.id, a.id] } })
    const other = await posts.insert({ title: 'untagged', type: 'page' })
    const found = await terms.ofPosts([post.id, other.id])
    expect(found.get(post.id)?.post_tag).to.deep.equal([a.id, b.id])
    expect(found.get(other.id)).to.deep.equal({})
  })

  it('leave their posts the default category when they go, and their children their parent', async () => {
    const { posts, terms } = site.content
    const fallback = await terms.insert('category', { name: 'Fallback' })
    await site.content.updateSiteSettings({ defaultCategory: fallback.id })
    const gone = await terms.insert('category', { name: 'Gone' })
    const child = await terms.insert('category', { name: 'Child of it', parentId: gone.id })
    const post = await posts.insert({ title: 'z', status: 'publish', terms: { category: [gone.id] } })
    const seen: unknown[] = []
    const undo = site.hooks.addAction('delete_term', (id, _same, taxonomy, term, postIds) => {
      seen.push([id, taxonomy, term.name, postIds])
    })
    await terms.delete(gone.id)
    undo()
    expect(seen).to.deep.equal([[gone.id, 'category', 'Gone', [post.id]]])
    expect((await terms.get(child.id))?.parentId).to.equal(0)
    expect((await terms.ofPosts([post.id])).get(post.id)).to.deep.equal({ category: [fallback.id] })
    expect((await terms.get(fallback.id))?.count).to.equal(1)
  })

  it('are found by words, slugs, parent and post', async () => {
    const { terms } = site.content
    const names = async (query: object) =>
      (await terms.query({ taxonomy: 'post_tag', ...query })).items.map(({ name }) => name)
    const post = await site.content.posts.insert({ title: 'q' })
    for (const name of ['red', 'dark red', '100%']) await terms.insert('post_tag', { name })
    const red = await terms.getBySlug('post_tag', 'red')
    await terms.setForPost(post.id, 'post_tag', [red?.id ?? 0])
    expect(await names({ search: 'RED' })).to.deep.equal(['dark red', 'red'])
    expect(await names({ search: '%' })).to.deep.equal(['100%'])
    expect(await names({ search: '\\' })).to.deep.equal([])
    expect(await names({ postId: post.id })).to.deep.equal(['red'])
    expect(await names({ slugs: ['red', 'dark-red'], orderBy: 'include_slugs' })).to.deep.equal(['red', 'dark red'])
    expect(await names({ hideEmpty: true, search: 'red' })).to.deep.equal([])
    expect(await names({ include: [2 ** 40] })).to.deep.equal([])
  })
})
