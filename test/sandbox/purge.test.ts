import { equal } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { writeGuest } from './guests.ts'

const SOURCE = `
  permissions: { hooks: ['the_content', 'purge_pages'], routes: ['public'], storage: 1 },
  setup({ hooks, rest, options }) {
    const count = (id) => options.get('claps_' + id) ?? 0
    hooks.addFilter('the_content', (html, post) => html + '<p class="claps">' + count(post.id) + '</p>')
    rest.registerRoute('claps/v1', { method: 'POST', path: '/posts/{id}', access: 'public', input: z.object({ id: z.int() }), handler: async ({ input: { id } }) => {
      await options.modify('claps_' + id, (before) => (before ?? 0) + 1)
      hooks.doAction('purge_pages', { tags: ['post-' + id] })
      return { count: count(id) }
    } })
  },`

for (const isolation of ['process', 'sandbox'] as const) {
  describe(`cached pages that show data of an extension in a ${isolation}`, () => {
    let host: TestHost
    before(async () => {
      host = await createTestHost({ services: true, extensions: [await writeGuest('claps', isolation, SOURCE)] })
    })
    after(() => host.close())

    const page = async () => {
      const response = await host.get('/hello-world/')
      const claps = /<p class="claps">(\d+)<\/p>/.exec(await response.text())?.[1]
      return `${response.headers.get('X-Cache')} ${claps}`
    }

    it('show the new data after purge_pages', async () => {
      await until(async () => (await page()) === 'HIT 0')
      equal((await host.request('/wp-json/claps/v1/posts/1', { method: 'POST', body: {} })).status, 200)
      await until(async () => (await page()).endsWith(' 1'))
      await until(async () => (await page()) === 'HIT 1')
    })
  })
}
