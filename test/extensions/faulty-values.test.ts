import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

describe('a filter callback whose value holds what it must not', () => {
  let site: TestHost
  const folder = temporaryFolder()
  let count = 0

  before(async () => {
    site = await createTestHost({ services: true })
  })
  after(() => site.close())

  for (const [hook, value, path, fault, answer] of [
    ['pre_get_posts', `{ limit: 'x' }`, '/', `"limit" is a string instead of number`, 'Hello world!'],
    ['pre_get_posts', `{ orderBy: {} }`, '/feed/', `"orderBy" is an object that is none of: date`, 'Hello world!'],
    ['pre_get_posts', `{ after: 'soon' }`, '/?s=hello', `"after" is a string that is not a date`, 'Hello world!'],
    ['pre_get_posts', `{ meta: { a: 1n } }`, '/category/uncategorized/', `"a" is a bigint`, 'Hello world!'],
    ['rest_post_query', `{ include: [{}] }`, '/wp-json/wp/v2/posts', `item 0 is an object`, 'Hello world!'],
    ['rest_post_query', `{ terms: { category: 5 } }`, '/wp-json/wp/v2/posts', `is a number instead`, 'Hello world!'],
    ['seo_sitemap_urls', `[{ url: 5 }]`, '/wp-sitemap-posts-post-1.xml', `"url" is a number`, '/hello-world/'],
    ['seo_schema_graph', `[{ '@type': 'X', x: 1n }]`, '/hello-world/', `contains a bigint`, '"@graph"'],
    ['seo_schema_product', `{ name: 5 }`, '/hello-world/', `"name" is a number`, '"@graph"'],
    ['seo_robots', `{ noindex: {} }`, '/hello-world/', `"noindex" is an object`, '<html'],
    ['pwa_manifest', `{ x: 1n }`, '/manifest.webmanifest', `contains a bigint`, 'start_url'],
    ['content_security_policy', `{ 'script-src': [5] }`, '/', `item 0 is a number`, 'Hello world!'],
  ] as const) {
    it(`is skipped and named, and the value before it is kept: ${hook}, ${value}`, async () => {
      const id = `bad-${++count}`
      mkdirSync(join(folder, id), { recursive: true })
      writeFileSync(
        join(folder, id, 'index.ts'),
        extensionSource(id, `host.hooks.addFilter('${hook}', (() => (${value})) as never)`),
      )
      await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
      const reportOf = () => site.host.extensions.list().find((extension) => extension.id === id)
      for (let time = 1; time <= 5 && reportOf()?.state === 'active'; time++) {
        // Past the page cache.
        const shown = await site.get(`${path}${path.includes('?') ? '&' : '?'}again=${time}`, {
          headers: { cookie: `comment_author=${time}` },
        })
        expect(shown.status).to.equal(200)
        expect(await shown.text()).to.contain(answer)
      }
      await until(() => reportOf()?.state === 'paused')
      expect(reportOf()?.reason).to.contain(`of ${hook} returned`)
      expect(reportOf()?.reason).to.contain(fault)
      expect(reportOf()?.reason).to.contain(`(${id}/index.ts:5)`)
    })
  }

  it('is skipped where files are taken in, too', async () => {
    const told: string[] = []
    const view = site.host.hooks.forOwner({
      id: 'files',
      signal: new AbortController().signal,
      onError: (error) => told.push(error instanceof Error ? error.message : ''),
      onUndefined: () => {},
    })
    view.addFilter('upload_mimes', () => ({ txt: 5 }) as never)
    view.addFilter('intermediate_image_sizes_advanced', () => ({ big: { width: 5, height: Number.NaN, crop: true } }))
    view.addFilter('wp_generate_attachment_metadata', () => ({ big: 5n }) as never)
    const { applyFilters, applyFiltersAsync } = site.host.hooks
    expect(applyFilters('upload_mimes', { txt: 'text/plain' }, 1)).to.deep.equal({ txt: 'text/plain' })
    expect(applyFilters('intermediate_image_sizes_advanced', {}, {}, 1)).to.deep.equal({})
    expect(await applyFiltersAsync('wp_generate_attachment_metadata', { a: 1 }, 1, 'create')).to.deep.equal({ a: 1 })
    expect(told.map((message) => message.split(' returned ')[1])).to.deep.equal([
      'an object whose "txt" is a number instead of string.',
      'an object whose "big" is an object whose "height" is the number NaN.',
      'an object that cannot be serialized as JSON: it contains a bigint.',
    ])
    view[Symbol.dispose]()
  })

  it('is not changed for others when a callback mutates it in place', async () => {
    const id = 'changes-post'
    const change = `(html, post) => { post.title = null; post.content = 7; return html }`
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(
      join(folder, id, 'index.ts'),
      extensionSource(id, `host.hooks.addFilter('the_content', (${change}) as never, 1)`),
    )
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
    for (const path of ['/hello-world/', '/feed/', '/wp-json/wp/v2/posts']) {
      const shown = await site.get(`${path}?again=post`)
      expect(shown.status).to.equal(200)
      expect(await shown.text()).to.contain('Hello world!')
    }
    await site.host.extensions.deactivate(id)
  })
})
