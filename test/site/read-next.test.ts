import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { isStored } from '../speed/cached-site.ts'
import { until } from '../support/until.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

describe('“Read next” on cached posts', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
  })
  after(() => site.close())

  it('shows a post as soon as it is published in the same category, the first one too', async () => {
    const { content } = site.host
    for (const { id } of (await content.posts.query({ types: ['post'] })).items) await content.posts.delete(id)
    const category = await content.terms.insert('category', { name: 'Walks' })
    const insert = (title: string, status: 'publish' | 'draft') =>
      content.posts.insert({ title, content: title, status, terms: { category: [category.id] } })
    const { slug } = await insert('First walk', 'publish')
    const look = async () => {
      const response = await site.get(`/${slug}/`)
      return { state: response.headers.get('x-cache'), html: await response.text() }
    }
    const isCached = async () => (await look()).state === 'HIT' && isStored(site.host.config.siteDir, `/${slug}/`)
    await until(isCached)
    const alone = await look()
    expect(alone.state).to.equal('HIT')
    expect(alone.html).to.not.include('Read next')

    const second = await insert('Second walk', 'draft')
    expect((await look()).state).to.equal('HIT')
    await content.posts.update(second.id, { status: 'publish' })
    expect((await look()).html)
      .to.include('Read next')
      .and.include('Second walk')

    await insert('Third walk', 'publish')
    expect((await look()).html).to.include('Third walk')

    await until(isCached)
    await content.posts.insert({ title: 'Short swim', status: 'publish' })
    expect((await look()).html, 'the row is not full').to.include('Short swim')
  })
})
