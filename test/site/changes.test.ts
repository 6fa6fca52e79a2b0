import { expect } from 'chai'
import request from 'supertest'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

describe('A list that is not cached shows at once that', () => {
  let site: SiteUnderTest
  let ids: { post: number; category: number; author: number }

  before(async () => {
    site = await startSite()
    const { content, auth } = site
    const author = await auth.users.create({
      login: 'ann',
      displayName: 'Ann',
      email: 'ann@example.org',
      password: 'a long one',
    })
    const category = await content.terms.insert('category', { name: 'Travel' })
    const post = await content.posts.insert({
      ...{ status: 'publish', title: 'Rome', content: 'All roads.', authorId: author.id },
      terms: { category: [category.id] },
    })
    ids = { post: post.id, category: category.id, author: author.id }
  })
  after(() => site.close())

  /** A list after a change, whose posts were in memory before it. */
  async function afterwards(path: string, change: () => unknown): Promise<string> {
    await request(site.http).get(path)
    await request(site.http).get(path)
    await change()
    return (await request(site.http).get(path)).text
  }

  it('a post was published, changed or deleted', async () => {
    const { posts } = site.content
    const terms = { category: [ids.category] }
    let added = 0
    const publish = async () => {
      added = (await posts.insert({ status: 'publish', title: 'Paris', authorId: ids.author, terms })).id
    }
    expect(await afterwards('/category/travel/', publish)).to.contain('Paris')
    expect(await afterwards('/', () => posts.update(added, { title: 'Lyon' })))
      .to.contain('Lyon')
      .and.not.contain('Paris')
    expect(await afterwards('/category/travel/', () => posts.update(added, { status: 'draft' }))).to.not.contain('Lyon')
    await posts.update(added, { status: 'publish' })
    expect(await afterwards('/author/ann/', () => posts.delete(added)))
      .to.contain('Rome')
      .and.not.contain('Lyon')
  })

  it('its term or author changed', async () => {
    const { content, auth } = site
    const rename = () => content.terms.update(ids.category, { name: 'Journeys' })
    expect(await afterwards('/category/travel/', rename))
      .to.contain('Journeys')
      .and.not.contain('>Travel<')
    expect(await afterwards('/author/ann/', () => auth.users.update(ids.author, { displayName: 'Anna' }))).to.contain(
      'Anna',
    )
    const empty = await afterwards('/category/travel/', () => content.terms.setForPost(ids.post, 'category', []))
    expect(empty).to.not.contain('Rome')
  })

  it('an extension decides who can read a post', async () => {
    const hide = (caps: readonly string[], cap: string, _user: unknown, args: readonly unknown[]) =>
      cap === 'read_post' && args[0] === ids.post ? ['do_not_allow'] : caps
    const hidden = await afterwards('/', () => site.hooks.addFilter('map_meta_cap', hide))
    expect(hidden).to.not.contain('Rome')
    site.hooks.removeFilter('map_meta_cap', hide)
    expect((await request(site.http).get('/')).text).to.contain('Rome')
  })
})
