import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'

const SPEED = join(import.meta.dirname, '../../plugins/speed')
/** Name of the header with the tags that a write made outdated (RFC 9875). */
const INVALIDATION = 'cache-group-invalidation'

describe('cache groups', () => {
  let site: TestHost

  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
  })
  after(() => site.close())

  const groupsOf = (header: string | null) => (header === null ? [] : header.split(', '))
  const update = (body: object, path = '/wp-json/wp/v2/posts/1') =>
    site.request(path, { method: 'POST', as: 'administrator', body })

  it('are the tags of a page, cached or not', async () => {
    for (const state of ['MISS', 'HIT']) {
      const response = await site.get('/hello-world/')
      expect(response.headers.get('x-cache')).to.equal(state)
      const tags = (response.headers.get('surrogate-key') ?? '').split(' ')
      expect(tags).to.include('post-1')
      expect(groupsOf(response.headers.get('cache-groups'))).to.deep.equal(tags.map((tag) => `"${tag}"`))
    }
  })

  it('are invalidated by the response to a write, and to no other request', async () => {
    const { headers } = await update({ title: 'Other' })
    expect(groupsOf(headers.get(INVALIDATION)))
      .to.include('"post-1"')
      .and.not.include('"site"')
    const read = await site.get('/wp-json/wp/v2/posts/1', { as: 'administrator' })
    expect(read.headers.get(INVALIDATION)).to.equal(null)
    expect((await update({ title: 'No' }, '/wp-json/wp/v2/posts/999')).headers.get(INVALIDATION)).to.equal(null)
  })

  it('are all invalidated by a change that affects every page', async () => {
    const { status, headers } = await update({ title: 'Other site' }, '/wp-json/wp/v2/settings')
    expect(status).to.equal(200)
    expect(headers.get(INVALIDATION)).to.equal('"site"')
  })
})
