import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { openSeoSite, set } from '../seo-site.ts'
import { type ReadHead, readHead } from './read-head.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')

describe('The head of a cached page is regenerated when', () => {
  let site: TestHost
  let ids: { post: number; parent: number; category: number; author: number; image: number }

  before(async () => {
    site = await openSeoSite({ extensions: [SPEED] })
    const { content, auth } = site.host
    const author = await auth.users.create({ login: 'ann', displayName: 'Ann', roles: ['author'] })
    const category = await content.terms.insert('category', { name: 'Travel' })
    const source = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const image = await content.media.upload({ source, name: 'dot.png' })
    const post = await content.posts.insert({
      ...{ type: 'post', status: 'publish', title: 'Rome', slug: 'rome', authorId: author.id },
      ...{ terms: { category: [category.id] }, meta: { _thumbnail_id: [String(image.id)] } },
    })
    const parent = await content.posts.insert({ type: 'page', status: 'publish', title: 'About', slug: 'about' })
    await content.posts.insert({ type: 'page', status: 'publish', title: 'Team', slug: 'team', parentId: parent.id })
    ids = { post: post.id, parent: parent.id, category: category.id, author: author.id, image: image.id }
    await set(site, {
      breadcrumbs: 'on',
      pageTitleTemplate: '%title% of %parent_title%',
      postTitleTemplate: '%title% by %author%',
    })
  })
  after(() => site.close())

  async function visit(path: string): Promise<ReadHead & { cache: string | null }> {
    const answer = await site.get(path)
    return { ...readHead(answer.status, await answer.text()), cache: answer.headers.get('x-cache') }
  }
  /** What a visitor gets of a page that was cached before the change. */
  async function afterwards(path: string, change: () => Promise<unknown>): Promise<ReadHead> {
    await visit(path)
    expect((await visit(path)).cache).to.be.oneOf(['HIT', 'STALE'])
    await change()
    return visit(path)
  }

  it('a field of its post or term is written', async () => {
    const { meta } = site.host.content
    const post = await afterwards('/rome/', () => meta.set('post', ids.post, '_seo_description', 'All roads'))
    expect(post.meta('description')).to.deep.equal(['All roads'])
    const term = await afterwards('/category/travel/', () => meta.set('term', ids.category, '_seo_title', 'Go'))
    expect(term.titles).to.deep.equal(['Go'])
  })

  it('the category, author or image that it names changes', async () => {
    const { content, auth } = site.host
    const category = await afterwards('/rome/', () => content.terms.update(ids.category, { name: 'Journeys' }))
    expect(category.meta('article:section')).to.deep.equal(['Journeys'])
    expect(category.html).to.match(/class="?breadcrumbs"?.*>Journeys</s)
    const author = await afterwards('/rome/', () => auth.users.update(ids.author, { displayName: 'Anna' }))
    expect(author.titles).to.deep.equal(['Rome by Anna'])
    const image = await afterwards('/rome/', () =>
      content.meta.set('post', ids.image, '_wp_attachment_image_alt', 'A dot'),
    )
    expect(image.meta('og:image:alt')).to.deep.equal(['A dot'])
  })

  it('the page above it changes', async () => {
    const page = await afterwards('/about/team/', () => site.host.content.posts.update(ids.parent, { title: 'Us' }))
    expect(page.titles).to.deep.equal(['Team of Us'])
  })

  it('the settings change', async () => {
    const page = await afterwards('/rome/', () => set(site, { postTitleTemplate: 'Read %title%' }))
    expect(page.titles).to.deep.equal(['Read Rome'])
  })

  it('and the optimizer leaves all of it as it was', async () => {
    const head = await visit('/rome/')
    for (const name of ['description', 'robots', 'og:title', 'og:image', 'twitter:card'])
      expect(head.meta(name), name).to.have.length(1)
    expect(head.link('canonical')).to.deep.equal([`${site.url}/rome/`])
    expect(head.meta('og:image')[0]).to.match(/^http.*\/dot\.png$/)
  })
})
