import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { NewPost } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { LICENSED } from '../license.ts'
import { SEO } from '../seo-site.ts'

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
    await site.host.extensions.activate(await site.host.extensions.add(SEO))
  }
  async function orphans(): Promise<string[]> {
    const answer = await site.get('/wp-json/seo/v1/orphans?perPage=100', { as: 'administrator' })
    const { data } = JSON.parse(await answer.text())
    return data.items.map(({ title }: { title: string }) => title)
  }

  /** The look at what there is happens in the background, so this waits until it has come to that. */
  async function expectOrphans(...titles: readonly string[]): Promise<void> {
    const deadline = Date.now() + 20_000
    while ((await orphans()).toSorted().join() !== titles.toSorted().join() && Date.now() < deadline) await wait(20)
    expect(await orphans()).to.have.members(titles)
  }

  it('are there soon after the service is switched on', async () => {
    await publish('target')
    await publish('source', linkTo('/target/'))
    await publish('draft', linkTo('/source/'), { status: 'draft' })
    await switchOn()
    await expectOrphans('source')
  })

  it('are brought up to date with what changed while it was off', async () => {
    const target = await publish('target')
    const source = await publish('source', linkTo('/target/'))
    const gone = await publish('gone', linkTo('/source/'))
    await switchOn()
    await expectOrphans('gone')
    await site.host.extensions.deactivate('seo')
    await site.host.content.posts.delete(gone.id)
    await site.host.content.posts.update(target.id, { status: 'trash' })
    await site.host.content.posts.update(source.id, { content: 'No link', modifiedGmt: '2030-01-01T00:00:00' })
    await publish('newcomer')
    await switchOn()
    await expectOrphans('source', 'newcomer')
  })

  it('follow an import in the background', async () => {
    await switchOn()
    await site.host.hooks.doActionAsync('import_start')
    for (let number = 0; number < 200; number++)
      await publish(`post-${number}`, linkTo(`/post-${(number + 1) % 190}/`), { modified: '2020-01-01T00:00:00' })
    await site.host.hooks.doActionAsync('import_end')
    // The site answers meanwhile.
    expect((await site.get('/post-7/')).status).to.equal(200)
    await expectOrphans(...Array.from({ length: 10 }, (_, at) => `post-${190 + at}`))
  })

  it('follow the pages below one that moves or goes', async () => {
    await switchOn()
    const hidden = await publish('hidden', '', { type: 'page', status: 'private' })
    const parent = await publish('about', '', { type: 'page', parentId: hidden.id })
    const child = await publish('team', '', { type: 'page', parentId: parent.id })
    await publish('source', linkTo('/hidden/imprint/team/') + linkTo('/hidden/imprint/'))
    await expectOrphans('source', 'about')
    await site.host.content.posts.update(parent.id, { slug: 'imprint' })
    await expectOrphans('source')
    // The page below is listed by its parent in any case: nothing shows when its new address is known.
    while ((await site.host.jobs.list({ type: 'seo-links', state: 'running' })).length > 0) await wait(20)
    await site.host.content.posts.delete(parent.id)
    await expectOrphans('source')
    await site.host.content.posts.update(child.id, { slug: 'crew' })
    await expectOrphans('source')
  })
})
