import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import sharp from 'sharp'
import type { SchemaThing } from '../../../plugins/seo/schema/types.ts'
import { only, readGraph } from '../schema/read-graph.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { headAt, type ReadHead } from './read-head.ts'

describe('The head of a page that is not cached shows at once that', () => {
  let site: TestHost
  let ids: { post: number; category: number; author: number; image: number; other: number }

  before(async () => {
    site = await openSeoSite()
    const { content, auth } = site.host
    const author = await auth.users.create({ login: 'ann', displayName: 'Ann', roles: ['author'] })
    const category = await content.terms.insert('category', { name: 'Travel' })
    const source = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const image = await content.media.upload({ source, name: 'dot.png' })
    const other = await content.media.upload({ source, name: 'spot.png' })
    const post = await content.posts.insert({
      ...{ type: 'post', status: 'publish', title: 'Rome', slug: 'rome', authorId: author.id },
      ...{ content: '<p>All roads.</p>', terms: { category: [category.id] } },
    })
    ids = { post: post.id, category: category.id, author: author.id, image: image.id, other: other.id }
  })
  after(() => site.close())

  /** The head after a change, of a page whose data was in memory before it. */
  async function afterwards(change: () => Promise<unknown>): Promise<ReadHead> {
    await headAt(site, '/rome/')
    await headAt(site, '/rome/')
    await change()
    return headAt(site, '/rome/')
  }
  const thing = ({ html }: ReadHead, type: string) => only(readGraph(html), type)

  it('the text of the post changed', async () => {
    const { posts } = site.host.content
    const text = await afterwards(() => posts.update(ids.post, { content: '<p>Seven hills.</p>' }))
    expect(text.meta('description')).to.deep.equal(['Seven hills.'])
    const excerpt = await afterwards(() => posts.update(ids.post, { excerpt: 'A city.', title: 'Roma' }))
    expect(excerpt.meta('description')).to.deep.equal(['A city.'])
    expect(thing(excerpt, 'Article').headline).to.equal('Roma')
  })

  it('a field of the post was written', async () => {
    const { meta } = site.host.content
    const head = await afterwards(() => meta.set('post', ids.post, '_seo_title', 'Read %title%'))
    expect(head.titles).to.deep.equal(['Read Roma'])
    expect((await afterwards(() => meta.delete('post', ids.post, '_seo_title'))).titles).to.not.deep.equal(head.titles)
  })

  it('a field of a category was written', async () => {
    await headAt(site, '/category/travel/')
    await headAt(site, '/category/travel/')
    await site.host.content.meta.set('term', ids.category, '_seo_title', 'Go')
    expect((await headAt(site, '/category/travel/')).titles).to.deep.equal(['Go'])
  })

  it('a filter changes its title, description or structured data', async () => {
    const { hooks } = site.host
    const title = (text: string) => `${text}!`
    const graph = (things: readonly SchemaThing[]) => [...things, { '@type': 'Thing', name: 'Added' }]
    const head = await afterwards(async () => {
      hooks.addFilter('seo_title', title)
      hooks.addFilter('seo_schema_graph', graph)
    })
    expect(head.titles[0]).to.match(/!$/)
    expect(head.meta('og:title')).to.deep.equal(head.titles)
    expect(thing(head, 'Thing').name).to.equal('Added')
    const without = await afterwards(async () => {
      hooks.removeFilter('seo_title', title)
      hooks.removeFilter('seo_schema_graph', graph)
    })
    expect(without.titles[0]).to.not.match(/!$/)
    expect(without.html).to.not.contain('"Added"')
  })

  it('its category or author changed', async () => {
    const { content, auth } = site.host
    const renamed = await afterwards(() => content.terms.update(ids.category, { name: 'Journeys' }))
    expect(renamed.meta('article:section')).to.deep.equal(['Journeys'])
    expect(thing(renamed, 'Article').articleSection).to.deep.equal(['Journeys'])
    const removed = await afterwards(() => content.terms.setForPost(ids.post, 'category', []))
    expect(removed.meta('article:section')).to.deep.equal([])
    const author = await afterwards(() => auth.users.update(ids.author, { displayName: 'Anna' }))
    expect(thing(author, 'Article').author).to.include({ name: 'Anna' })
  })

  it('its image or the text of the image changed', async () => {
    const { meta, posts } = site.host.content
    const inText = `<img class="wp-image-${ids.other}" src="/spot.png" width="300" height="300">`
    const read = await afterwards(() => posts.update(ids.post, { content: inText }))
    expect(read.meta('og:image')[0]).to.match(/\/spot\.png$/)
    const featured = await afterwards(() => meta.set('post', ids.post, '_thumbnail_id', String(ids.image)))
    expect(featured.meta('og:image')[0]).to.match(/\/dot\.png$/)
    const named = await afterwards(() => meta.set('post', ids.image, '_wp_attachment_image_alt', 'A dot'))
    expect(named.meta('og:image:alt')).to.deep.equal(['A dot'])
    const without = await afterwards(() => posts.delete(ids.image))
    expect(without.meta('og:image')[0]).to.match(/\/spot\.png$/)
  })

  it('the settings of the service or of the site changed', async () => {
    const titles = await afterwards(() => set(site, { postTitleTemplate: '%title% | %sitename%', xAccount: 'rome' }))
    expect(titles.meta('twitter:site')).to.deep.equal(['@rome'])
    const { content } = site.host
    const renamed = await afterwards(() => content.updateSiteSettings({ title: 'Guide', siteLogo: ids.other }))
    expect(renamed.titles).to.deep.equal(['Roma | Guide'])
    expect(thing(renamed, 'WebSite').name).to.equal('Guide')
    expect(thing(renamed, 'Organization').logo)
      .to.have.property('url')
      .that.matches(/\/spot\.png$/)
  })
})
