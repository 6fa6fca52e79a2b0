import { deepEqual, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('reading-time', () => {
  let host: TestHost
  let post: number

  const minutes = async (id: number | string) => (await host.get(`/wp-json/reading-time/v1/posts/${id}`)).json()

  before(async () => {
    host = await createTestHost({ extensions: [import.meta.dirname] })
    const { content } = host.host
    const text = `<p>${'word '.repeat(1000)}</p>`
    post = (await content.posts.insert({ title: 'Long', slug: 'long', content: text, status: 'publish' })).id
  })
  after(() => host.close())

  it('shows the reading time above a post', async () => {
    match(await (await host.get('/long/')).text(), /<p class="reading-time">5 min read<\/p>/)
    match(await (await host.get('/hello-world/')).text(), />1 min read</)
  })

  it('shows nothing on pages', async () => {
    equal(/min read/.test(await (await host.get('/sample-page/')).text()), false)
  })

  it('returns the minutes over REST', async () => {
    deepEqual(await minutes(post), { minutes: 5 })
  })

  it('responds with 404 for posts that are not public, and with 400 for an invalid id', async () => {
    const draft = await host.host.content.posts.insert({ title: 'Draft', content: 'Secret', status: 'draft' })
    equal((await host.get(`/wp-json/reading-time/v1/posts/${draft.id}`)).status, 404)
    equal((await host.get('/wp-json/reading-time/v1/posts/99999')).status, 404)
    equal((await host.get('/wp-json/reading-time/v1/posts/x')).status, 400)
  })

  it('returns the minutes of a protected post only to users who may read it', async () => {
    const undo = host.host.hooks.addFilter('read_post_caps', async (caps, id) =>
      id === post ? ['manage_options'] : caps,
    )
    equal((await host.get(`/wp-json/reading-time/v1/posts/${post}`)).status, 404)
    equal((await host.get(`/wp-json/reading-time/v1/posts/${post}`, { as: 'administrator' })).status, 200)
    undo()
  })

  it('uses the reading speed from the settings', async () => {
    const answer = await host.request('/wp-json/host/v1/settings/reading-time', {
      method: 'PUT',
      body: { settings: { wordsPerMinute: 500 } },
      as: 'administrator',
    })
    equal(answer.status, 200)
    deepEqual(await minutes(post), { minutes: 2 })
  })

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('reading-time')
  })
})
