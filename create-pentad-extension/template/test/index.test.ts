import { deepEqual, match } from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestHost, type TestHost } from 'pentad/testing'

describe('my-extension', () => {
  let host: TestHost

  before(async () => {
    host = await createTestHost({ extensions: [join(import.meta.dirname, '..')], config: { logLevel: 'error' } })
  })
  after(() => host.close())

  it('says hello below every post', async () => {
    const page = await host.get('/hello-world/')
    match(await page.text(), /<p class="my-extension">Hello!<\/p>/)
  })

  it('returns the greeting', async () => {
    const response = await host.get('/wp-json/my-extension/v1/greeting')
    deepEqual(await response.json(), { greeting: 'Hello!' })
  })

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('my-extension')
  })
})
