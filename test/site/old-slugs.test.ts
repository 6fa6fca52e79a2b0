import { expect } from 'chai'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

onEachDatabase('the addresses that a post had before', (databaseUrl) => {
  let site: SiteUnderTest
  before(async () => {
    site = await startSite({ databaseUrl: await databaseUrl() })
  })
  after(() => site.close())

  const publish = (slug: string): Promise<Post> =>
    site.content.posts.insert({ title: slug, slug, status: 'publish', content: 'x' })
  const rename = (id: number, slug: string) => site.content.posts.update(id, { slug })
  async function targetOf(path: string): Promise<string> {
    const { status, headers } = await request(site.http).get(path)
    return `${status} ${headers.location ?? ''}`.trim()
  }

  it('redirect to the current one, with feeds and queries', async () => {
    const { id } = await publish('first')
    await rename(id, 'second')
    await rename(id, 'third')
    expect(await targetOf('/first/')).to.equal('301 /third/')
    expect(await targetOf('/second?ref=mail')).to.equal('301 /third/?ref=mail')
    expect(await targetOf('/third/')).to.equal('200')
    expect(await site.content.meta.of('post', [id]).then((all) => all.get(id)?._wp_old_slug)).to.deep.equal([
      'first',
      'second',
    ])
  })

  it('are free for another post', async () => {
    const { id } = await publish('old')
    await rename(id, 'new')
    await publish('old')
    expect(await targetOf('/old/')).to.equal('200')
  })

  it('can be taken back', async () => {
    const { id } = await publish('there')
    await rename(id, 'elsewhere')
    await rename(id, 'there')
    expect(await targetOf('/elsewhere/')).to.equal('301 /there/')
    expect(await targetOf('/there/')).to.equal('200')
  })

  it('do not redirect while the post is not public', async () => {
    const { id } = await publish('shown')
    await rename(id, 'renamed')
    await site.content.posts.update(id, { status: 'draft' })
    expect(await targetOf('/shown/')).to.equal('404')
  })

  it('are not kept of drafts, nor of pages', async () => {
    const draft = await site.content.posts.insert({ title: 'Draft', slug: 'draft-slug', status: 'draft' })
    await rename(draft.id, 'final')
    await site.content.posts.update(draft.id, { status: 'publish' })
    const page = await site.content.posts.insert({ type: 'page', title: 'Page', slug: 'page-slug', status: 'publish' })
    await rename(page.id, 'page-other')
    for (const path of ['/draft-slug/', '/page-slug/']) expect(await targetOf(path)).to.equal('404')
  })

  it('are found whatever is asked for', async () => {
    for (const path of ['/%27%22/', `/${'x'.repeat(3000)}/`, '/%F0%9F%98%80/', '//'])
      expect(await targetOf(path)).to.match(/^(404|301|200)/)
  })
})
