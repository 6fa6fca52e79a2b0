import { doesNotMatch, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('announcement-bar', () => {
  let host: TestHost

  const page = async () => (await host.get('/')).text()
  const set = (body: unknown, as?: string) =>
    host.request('/wp-json/announcement-bar/v1/bar', { method: 'PUT', body, ...(as && { as }) })

  before(async () => {
    host = await createTestHost({ extensions: [import.meta.dirname] })
  })
  after(() => host.close())

  it('shows nothing until there is a message', async () => {
    doesNotMatch(await page(), /announcement-bar/)
  })

  it('shows the message at the start of the body, styled from the head', async () => {
    equal((await set({ message: 'Sale & more', linkUrl: 'https://example.org/sale' }, 'administrator')).status, 200)
    const html = await page()
    match(html, /<head>[\s\S]*<style>\.announcement-bar\{[\s\S]*<\/head>/)
    match(
      html,
      /<body[^>]*>\s*<div class="announcement-bar"[^>]*><a href="https:\/\/example\.org\/sale">Sale &amp; more</,
    )
  })

  it('escapes the message', async () => {
    await set({ message: '<script>alert(1)</script>' }, 'administrator')
    doesNotMatch(await page(), /<script>alert/)
  })

  it('can only be read and changed by administrators', async () => {
    equal((await set({ message: 'Mine' })).status, 401)
    equal((await set({ message: 'Mine' }, 'editor')).status, 403)
    equal((await host.get('/wp-json/announcement-bar/v1/bar')).status, 401)
  })

  it('rejects a link that is not an http(s) URL, and a message that is too long', async () => {
    equal((await set({ message: 'x', linkUrl: 'javascript:alert(1)' }, 'administrator')).status, 400)
    equal((await set({ message: 'x'.repeat(301) }, 'administrator')).status, 400)
  })

  it('counts its changes', async () => {
    const { options } = host.host
    const before = Number(options.get('announcement-bar_revision'))
    await set({ message: 'Another' }, 'administrator')
    equal(options.get('announcement-bar_revision'), before + 1)
    const response = await host.get('/wp-json/announcement-bar/v1/bar', { as: 'administrator' })
    match(await response.text(), new RegExp(`"message":"Another".*"revision":${before + 1}`))
  })

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('announcement-bar')
  })
})
