import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')
const POSTS = '/wp-sitemap-posts-post-1.xml'
const MAPS = ['/wp-sitemap.xml', POSTS, '/wp-sitemap-posts-page-1.xml', '/wp-sitemap-taxonomies-category-1.xml']

describe('Sitemaps and llms.txt with the page cache', () => {
  let site: TestHost
  const visit = async (path: string) => {
    const answer = await site.get(path)
    return { state: answer.headers.get('x-cache'), text: await answer.text() }
  }
  /** Visits each, so that it comes from the cache. */
  const fill = async (paths: readonly string[]) => {
    for (const path of paths) {
      await visit(path)
      expect([path, (await visit(path)).state]).to.deep.equal([path, 'HIT'])
    }
  }

  before(async () => {
    site = await openSeoSite({ extensions: [SPEED] })
  })
  after(() => site.close())

  it('come from the cache', () => fill([...MAPS, '/llms.txt']))

  it('are regenerated when a post is published or changed', async () => {
    await fill([...MAPS, '/llms.txt'])
    const { id } = await site.host.content.posts.insert({ title: 'Fresh', status: 'publish' })
    expect((await visit(POSTS)).text).to.contain('/fresh/')
    expect((await visit('/llms.txt')).text).to.contain('/fresh/')
    await fill([...MAPS, '/llms.txt'])
    const { modifiedGmt } = await site.host.content.posts.update(id, { content: 'Other words' })
    for (const path of MAPS) expect((await visit(path)).text, path).to.contain(`<lastmod>${modifiedGmt}Z</lastmod>`)
  })

  it('are regenerated when a meta change excludes a page', async () => {
    await fill(MAPS)
    const [post] = (await site.host.content.posts.query({ slugs: ['fresh'] })).items
    await site.host.content.meta.set('post', post?.id ?? 0, '_seo_noindex', true)
    expect((await visit(POSTS)).text).to.not.contain('/fresh/')
    const [term] = (await site.host.content.terms.query({ taxonomy: 'category' })).items
    await fill(MAPS)
    await site.host.content.meta.set('term', term?.id ?? 0, '_seo_noindex', true)
    expect((await visit('/wp-sitemap.xml')).text).to.not.contain('taxonomies-category')
  })
})
