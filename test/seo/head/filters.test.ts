import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { headAt } from './read-head.ts'

const PAGE = '/bread/'
const PATHS = [PAGE, '/wp-sitemap.xml', '/wp-sitemap-posts-page-1.xml', '/llms.txt', '/robots.txt']
const FILTERS = [
  ...['seo_title', 'seo_description', 'seo_canonical', 'seo_robots', 'seo_schema_graph', 'seo_schema_product'],
  ...['seo_sitemap_urls', 'seo_llms_txt', 'wp_sitemaps_post_types', 'wp_sitemaps_taxonomies', 'wp_sitemaps_max_urls'],
  'robots_txt',
]
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a number': () => Number.NaN,
  'an object': () => ({ a: { b: 1 } }),
  'a list with nothing in it': () => [null],
  'a promise': async () => 'late',
}

describe('A filter of another extension that answers', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
    await site.host.content.posts.insert({
      type: 'page',
      status: 'publish',
      title: 'Bread',
      slug: 'bread',
      authorId: 1,
    })
  })
  after(() => site.close())

  const stateOf = async () => {
    const answer = await site.request('/wp-json/host/v1/extensions', { as: 'administrator' })
    const { data }: { data: { id: string; state: string }[] } = JSON.parse(await answer.text())
    return data.find(({ id }) => id === 'seo')?.state
  }

  for (const [what, answer] of Object.entries(ANSWERS)) {
    it(`${what} takes neither a page nor the service down`, async () => {
      for (const name of FILTERS) {
        const undo = site.host.hooks.addFilter<string>(name, answer)
        for (const path of PATHS) expect((await site.get(path)).status, `${name} ${path}`).to.equal(200)
        const { titles, html } = await headAt(site, PAGE)
        expect(titles, name).to.have.length(1)
        expect(html, name).to.not.match(/content="(?:null|NaN|\[object|undefined)|href="(?:null|NaN|\[object)/)
        undo()
      }
      expect(await stateOf()).to.equal('active')
    })
  }

  it('an empty title leaves the page its own; a path as canonical address is one of this site', async () => {
    const undo = [
      site.host.hooks.addFilter('seo_title', () => ''),
      site.host.hooks.addFilter('seo_canonical', () => '/cake/'),
    ]
    const head = await headAt(site, PAGE)
    for (const one of undo) one()
    expect(head.titles[0]).to.include('Bread')
    expect(head.link('canonical')).to.deep.equal([`${site.url}/cake/`])
  })

  it('a robots directive that is not a string is ignored', async () => {
    const [usual] = (await headAt(site, PAGE)).meta('robots')
    const undo = site.host.hooks.addFilter<string>('seo_robots', () => ({ noindex: 1 }))
    expect((await headAt(site, PAGE)).meta('robots')).to.deep.equal([usual])
    undo()
  })
})
