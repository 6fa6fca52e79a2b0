import { deepEqual, equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { createTestHost, type TestHost } from 'pentad/testing'

/** Not of an account. */
const KEY = 'a-key-of-this-test'

describe('spam check', () => {
  let server: Server
  let host: TestHost
  const calls: { path: string; fields: URLSearchParams }[] = []
  let isDown = false
  before(async () => {
    // Akismet's interface.
    server = createServer(async (request, response) => {
      const fields = new URLSearchParams(await text(request))
      const path = request.url ?? ''
      calls.push({ path, fields })
      if (isDown) response.writeHead(500).end()
      else if (fields.get('api_key') !== KEY) response.end('invalid')
      else if (path === '/1.1/comment-check') response.end(String(fields.get('comment_content')?.includes('pills')))
      else response.end(path === '/1.1/verify-key' ? 'valid' : 'Thanks for making the web a better place.')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    host = await createTestHost({ extensions: [import.meta.dirname] })
    host.respond(({ method, url, headers, body }) =>
      fetch(url.replace('https://rest.akismet.com', `http://127.0.0.1:${port}`), { method, headers, body }),
    )
    host.host.hooks.addFilter('comment_flood_filter', () => false)
    await host.host.settings.get('discussion')?.update({ commentPreviouslyApproved: 'off' })
  })
  after(async () => {
    await host.close()
    server.close()
  })

  const set = (settings: object) =>
    host.request('/wp-json/host/v1/settings/spam-check', { method: 'PUT', as: 'administrator', body: { settings } })
  async function comment(content: string): Promise<{ id: number; status: string }> {
    const { items } = await host.host.content.posts.query({ types: ['post'], limit: 1 })
    const response = await fetch(`${host.url}/wp-comments-post.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        ...{ comment_post_ID: String(items[0]?.id), author: 'Ada', email: 'ada@example.org', comment: content },
      }),
    })
    equal(response.status, 302, await response.text())
    const found = await host.host.content.comments.query({ limit: 100 })
    const stored = found.items.find((one) => one.content.includes(content))
    return { id: stored?.id ?? 0, status: stored?.status ?? '' }
  }
  async function called(path: string): Promise<URLSearchParams> {
    for (;;) {
      const found = calls.find((call) => call.path === path)
      if (found) return found.fields
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const test = async () => {
    const answer = await host.request('/wp-json/spam-check/v1/test', { method: 'POST', as: 'administrator' })
    return { status: answer.status, message: JSON.parse(await answer.text()).message }
  }

  it('sends nothing without a key', async () => {
    equal((await comment('cheap pills, unchecked')).status, 'approved')
    deepEqual(calls, [])
    equal((await test()).status, 409)
  })

  it('tests the key', async () => {
    await set({ apiKey: 'wrong' })
    const { status, message } = await test()
    equal(status, 502)
    match(message, /Check the API key\.$/)
    await set({ apiKey: KEY })
    equal((await test()).status, 200)
  })

  it('marks spam, leaves other comments alone, and reports corrections', async () => {
    const spam = await comment('cheap pills, checked')
    equal(spam.status, 'spam')
    const fine = await comment('A fine post!')
    equal(fine.status, 'approved')
    const fields = calls.at(-1)?.fields
    deepEqual(
      ['comment_author', 'comment_author_email', 'user_ip', 'blog'].map((name) => fields?.get(name)),
      ['Ada', 'ada@example.org', '127.0.0.1', host.url],
    )
    calls.length = 0
    await host.host.content.comments.setStatus(spam.id, 'approved')
    equal((await called('/1.1/submit-ham')).get('comment_content'), 'cheap pills, checked')
    await host.host.content.comments.setStatus(fine.id, 'spam')
    equal((await called('/1.1/submit-spam')).get('comment_content'), 'A fine post!')
    // WordPress's clients restore a comment, which then waits for approval.
    const { id } = await comment('cheap pills, restored')
    calls.length = 0
    const restore = { method: 'POST', as: 'administrator', body: { status: 'unspam' } }
    await host.request(`/wp-json/wp/v2/comments/${id}`, restore)
    equal((await host.host.content.comments.get(id))?.status, 'hold')
    equal((await called('/1.1/submit-ham')).get('comment_content'), 'cheap pills, restored')
  })

  it('holds comments while the server is down', async () => {
    isDown = true
    equal((await comment('While it is down')).status, 'hold')
    isDown = false
  })
})
