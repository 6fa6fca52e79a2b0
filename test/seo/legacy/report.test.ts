import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { openImportedSite, openSeoSite } from '../seo-site.ts'

async function report(site: TestHost, as = 'administrator') {
  const answer = await site.get('/wp-json/seo/v1/legacy-seo', { as })
  return { status: answer.status, data: JSON.parse(await answer.text()).data }
}

describe('GET /seo/v1/legacy-seo of an imported site', () => {
  it('finds 20 posts of Yoast, 7 of Rank Math and 3 of All in One SEO', async () => {
    const site = await openImportedSite()
    expect((await report(site)).data).to.deep.equal({
      plugins: [
        { id: 'yoast', name: 'Yoast SEO', posts: 20, settings: false },
        { id: 'rankmath', name: 'Rank Math', posts: 7, settings: false },
        { id: 'aioseo', name: 'All in One SEO', posts: 3, settings: false },
      ],
    })
    await site.close()
  })
})

onEachDatabase('GET /seo/v1/legacy-seo', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite({ config: { databaseUrl: await databaseUrl() } })
  })
  after(() => site.close())

  it('is an administrator’s', async () => {
    expect((await report(site, 'editor')).status).to.equal(403)
  })

  it('finds nothing where there is nothing', async () => {
    expect((await report(site)).data).to.deep.equal({ plugins: [] })
  })

  it('counts each post once for each plugin, and none where nothing was filled in', async () => {
    const { posts } = site.host.content
    const both = { _yoast_wpseo_title: ['A'], _yoast_wpseo_metadesc: ['B'], rank_math_title: ['C'] }
    await posts.insert({ title: 'Two plugins', status: 'publish', meta: both })
    await posts.insert({ title: 'A draft', status: 'draft', meta: { _yoast_wpseo_focuskw: ['bread'] } })
    await posts.insert({ title: 'Left behind', status: 'auto-draft', meta: { _yoast_wpseo_title: ['D'] } })
    const empty = { _yoast_wpseo_title: [''], '_yoast_wpseo_meta-robots-noindex': ['0'], rank_math_robots: [[]] }
    await posts.insert({ title: 'Empty', status: 'publish', meta: empty })
    await posts.insert({ title: 'Scores only', status: 'publish', meta: { _yoast_wpseo_linkdex: ['62'] } })
    await posts.insert({ title: 'Parts', status: 'publish', meta: { slim_seo: [{ title: 'E' }] } })
    await posts.insert({ title: 'old-page', type: 'seopress_404', meta: { _seopress_redirections_value: ['/new/'] } })
    expect(
      (await report(site)).data.plugins.map(({ id, posts: count }: { id: string; posts: number }) => [id, count]),
    ).to.deep.equal([
      ['yoast', 2],
      ['rankmath', 1],
      ['slimseo', 1],
    ])
  })

  it('reports settings even without posts', async () => {
    await site.host.options.update('autodescription-site-settings', { title_separator: 'pipe' })
    expect((await report(site)).data.plugins.at(1)).to.include({ id: 'rankmath', settings: false })
    expect((await report(site)).data.plugins.find(({ id }: { id: string }) => id === 'seoframework')).to.deep.equal({
      ...{ id: 'seoframework', name: 'The SEO Framework', posts: 0, settings: true },
    })
  })
})
