import { expect } from 'chai'
import type { NewPost } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { LICENSED } from '../licence.ts'
import { SEO } from '../seo-site.ts'
import { linksSettled } from './links-settled.ts'

onEachDatabase('Links of content that was there before', (databaseUrl) => {
  let site: TestHost
  beforeEach(async () => {
    site = await createTestHost({ config: { ...LICENSED, databaseUrl: await databaseUrl() } })
    await site.host.content.posts.delete(1)
  })
  afterEach(() => site.close())

  const publish = (slug: string, content = '', more: NewPost = {}) =>
    site.host.content.posts.insert({ title: slug, slug, content, status: 'publish', type: 'post', ...more })
  const linkTo = (href: string) => `<p>Read <a href="${href}">this</a>.</p>`

  async function switchOn(): Promise<void> {
    const id = await site.host.extensions.add(SEO)
    await site.host.extensions.activate(id)
    await settled()
  }
  /** The look at what there is begins right after the start. */
  async function settled(): Promise<void> {
    await site.get('/wp-json/host/v1/health')
    await linksSettled(site)
  }
  async function orphans(): Promise<{ titles: string[]; total: number }> {
    const answer = await site.get('/wp-json/seo/v1/orphans?perPage=100', { as: 'administrator' })
    const { data } = JSON.parse(await answer.text())
    return { titles: data.items.map(({ title }: { title: string }) => title), total: data.total }
  }

  it('are there soon after the service is switched on', async () => {
    await publish('target')
    await publish('source', linkTo('/target/'))
    await publish('draft', linkTo('/source/'), { status: 'draft' })
    await switchOn()
    expect((await orphans()).titles).to.deep.equal(['source'])
  })

  it('are brought up to date with what changed while it was off', async () => {
    const target = await publish('target')
    const source = await publish('source', linkTo('/target/'))
    const gone = await publish('gone', linkTo('/source/'))
    await switchOn()
    expect((await orphans()).titles).to.deep.equal(['gone'])
    await site.host.extensions.deactivate('seo')
    await site.host.content.posts.delete(gone.id)
    await site.host.content.posts.update(target.id, { status: 'trash' })
    await site.host.content.posts.update(source.id, { content: 'No link', modifiedGmt: '2030-01-01T00:00:00' })
    await publish('newcomer')
    await switchOn()
    expect((await orphans()).titles).to.have.members(['source', 'newcomer'])
  })

  it('follow an import in the background', async () => {
    await switchOn()
    await site.host.hooks.doActionAsync('import_start')
    for (let number = 0; number < 200; number++)
      await publish(`post-${number}`, linkTo(`/post-${(number + 1) % 190}/`), { modified: '2020-01-01T00:00:00' })
    expect((await orphans()).total).to.equal(0)
    await site.host.hooks.doActionAsync('import_end')
    // The site answers meanwhile.
    expect((await site.get('/post-7/')).status).to.equal(200)
    await linksSettled(site)
    expect((await orphans()).total).to.equal(10)
  })

  it('follow the pages below one that moves or goes', async () => {
    await switchOn()
    const hidden = await publish('hidden', '', { type: 'page', status: 'private' })
    const parent = await publish('about', '', { type: 'page', parentId: hidden.id })
    const child = await publish('team', '', { type: 'page', parentId: parent.id })
    await publish('source', linkTo('/hidden/imprint/team/') + linkTo('/hidden/imprint/'))
    expect((await orphans()).titles).to.have.members(['source', 'about'])
    await site.host.content.posts.update(parent.id, { slug: 'imprint' })
    await settled()
    expect((await orphans()).titles).to.deep.equal(['source'])
    await site.host.content.posts.delete(parent.id)
    await settled()
    expect((await orphans()).titles).to.have.members(['source'])
    await site.host.content.posts.update(child.id, { slug: 'crew' })
    await settled()
    expect((await orphans()).titles).to.have.members(['source'])
  })
})
