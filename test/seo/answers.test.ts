import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { checkedAnswers } from '../support/checked-answers.ts'
import { type Endpoint, letOut, openEndpoint } from './indexnow/endpoint.ts'
import { LICENSED } from './license.ts'
import { linksSettled } from './links/links-settled.ts'
import { TOPICS } from './links/topics.ts'
import { PIXEL } from './pixel.ts'
import { set } from './seo-site.ts'
import { GPTBOT, OF_GPTBOT, openVisitedSite, visit } from './visits/visit-site.ts'

describe('OpenAPI describes what the SEO service answers', () => {
  let site: TestHost
  let endpoint: Endpoint
  let answers: ReturnType<typeof checkedAnswers>
  let postId = 0

  before(async () => {
    site = await openVisitedSite({ config: LICENSED })
    endpoint = await openEndpoint()
    letOut(site)
    await set(site, { indexNowEndpoint: endpoint.url, notificationEmail: 'ann@example.org' })
    const { posts } = site.host.content
    const [topic] = TOPICS
    if (!topic) throw new Error('There is no topic.')
    postId = (await posts.insert({ ...topic.post, status: 'publish' })).id
    for (const post of topic.posts) await posts.insert({ ...post, status: 'publish' })
    const meta = { _yoast_wpseo_title: ['Bread %%unknown%%'], _yoast_wpseo_redirect: ['/new/'] }
    await posts.insert({ title: 'Bread', status: 'publish', meta })
    answers = checkedAnswers(site)
  })
  after(async () => {
    await site.close()
    await endpoint.close()
  })

  it('settings, setup, the overview and notifications', async () => {
    await answers.check('PUT /seo/v1/settings', { body: { settings: { unknownSetting: 1 } } })
    await answers.check('GET /seo/v1/setup')
    await answers.check('POST /seo/v1/setup/complete', { body: { answers: { personName: 'Ann', other: 1 } } })
    await answers.check('GET /seo/v1/setup')
    expect((await answers.check('GET /seo/v1/overview')).actionItems).to.not.be.empty
    await answers.check('POST /seo/v1/notifications/test')
  })

  it('redirects', async () => {
    const list = '/seo/v1/redirects'
    const { id } = await answers.check(`POST ${list}`, { body: { source: '/old/', target: '/middle/' } })
    await answers.check(`POST ${list}`, { body: { source: '/middle/', target: '/new/' } })
    await answers.check(`POST ${list}`, { body: { source: '/gone/', status: 410 } })
    for (const url of ['/old/', '/gone/', '/none/']) await answers.check(`POST ${list}/test`, { body: { url } })
    expect((await answers.check(`POST ${list}/flatten`)).rules).to.have.length(1)
    await visit(site, '/old/')
    await answers.check(`GET ${list}`)
    const path = `${list}/${id}`
    await answers.check(`GET ${list}/{id}`, { path })
    for (const method of ['PUT', 'PATCH']) {
      await answers.check(`${method} ${list}/{id}`, { path, body: { note: method } })
      await answers.check(`${method} ${list}`, { body: { ids: [id, 999], enabled: false } })
    }
    await answers.check(`GET ${list}/export`)
    for (const format of ['csv', 'htaccess', 'nginx']) {
      await answers.checkFile(`GET ${list}/export`, `${list}/export?format=${format}`)
    }
    const rules = [{ source: '/a/', target: '/b/' }, { source: 7 }]
    expect((await answers.check(`POST ${list}/import`, { body: { rules } })).errors).to.have.length(1)
    await answers.check(`DELETE ${list}/{id}`, { path })
    await answers.check(`DELETE ${list}`, { body: { ids: [id, 2] } })
  })

  it('missing addresses', async () => {
    await visit(site, '/hello-world.html', { Referer: 'https://other.example/' })
    await visit(site, '/nowhere/')
    const log = '/seo/v1/404s'
    const { items } = await answers.check(`GET ${log}`)
    const [one, other] = items
    await answers.check(`POST ${log}/redirect`, { body: { id: one.id, target: '/' } })
    await answers.check(`POST ${log}/ignore`, { body: { id: other.id } })
    await answers.check(`DELETE ${log}`)
  })

  it('crawlers and referrals', async () => {
    await visit(site, '/', { as: GPTBOT, from: OF_GPTBOT })
    await visit(site, '/', { Referer: 'https://chatgpt.com/' })
    expect((await answers.check('GET /seo/v1/geo/crawlers')).crawlers).to.have.length(1)
    expect((await answers.check('GET /seo/v1/geo/referrals')).pages).to.have.length(1)
    await answers.check('POST /seo/v1/geo/clear')
    await site.host.license.set('')
    expect(site.host.license.active).to.equal(false)
    await visit(site, '/', { as: GPTBOT, from: OF_GPTBOT })
    const { crawlers } = await answers.check('GET /seo/v1/geo/crawlers')
    expect(crawlers[0]).not.to.have.property('verified')
    await site.host.license.set(LICENSED.licenseKey)
  })

  it('IndexNow', async () => {
    await answers.check('POST /seo/v1/geo/indexnow', { body: {} })
    expect((await answers.check('GET /seo/v1/geo/indexnow')).items).to.have.length(1)
  })

  it('link suggestions and orphans', async () => {
    await linksSettled(site)
    const path = `/seo/v1/link-suggestions?postId=${postId}`
    expect((await answers.check('GET /seo/v1/link-suggestions', { path })).suggestions).to.not.be.empty
    expect((await answers.check('GET /seo/v1/orphans')).items).to.not.be.empty
  })

  it('previews and the score of a post', async () => {
    const image = await site.host.content.media.upload({ source: PIXEL, name: 'a.png' }, {})
    const meta = { _seo_og_image: image.id }
    await answers.check('POST /seo/v1/snippet', { body: { postId, meta } })
    await answers.check('POST /seo/v1/snippet', { body: { title: 'New' } })
    await answers.check('GET /seo/v1/title-variables')
    for (const kind of ['post', 'category', 'notFound']) {
      await answers.check('POST /seo/v1/title-preview', { body: { kind } })
    }
    await answers.check('GET /seo/v1/retrieval-score', { path: `/seo/v1/retrieval-score?postId=${postId}` })
  })

  it('what other SEO plugins left', async () => {
    expect((await answers.check('GET /seo/v1/legacy-seo')).plugins).to.have.length(1)
    const migrate = '/seo/v1/legacy-seo/migrate'
    await answers.check(`GET ${migrate}`)
    const { migration } = await answers.check(`POST ${migrate}`, { body: { from: 'yoast' } })
    while ((await answers.check(`GET ${migrate}`)).migration.state === 'running') {
      await site.host.jobs.advance(migration.jobId)
    }
    const { report } = (await answers.check(`GET ${migrate}`)).migration
    expect(report.posts).to.deep.equal({ found: 1, changed: 1 })
  })

  it('every operation was asked for', () => answers.expectAll('seo/v1'))
})
