import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

const BOX = '<!-- wp:bad/box --><p>savedpart of it</p><!-- /wp:bad/box -->'

/** The JSON of an answer. */
const read = async (answer: Response) => JSON.parse(await answer.text())

describe('a block type of an extension', () => {
  let site: TestHost
  let folder: string
  let path: string

  beforeEach(async () => {
    site = await createTestHost()
    folder = temporaryFolder()
    await site.request('/wp-json/host/v1/settings/host', {
      ...{ method: 'PUT', as: 'administrator', body: { settings: { callbackTimeLimit: 50 } } },
    })
    const content = `<!-- wp:paragraph --><p>Before</p><!-- /wp:paragraph -->${BOX}<!-- wp:good/box /-->`
    const made = await site.request('/wp-json/wp/v2/posts', {
      ...{ method: 'POST', as: 'administrator', body: { title: 'Blocks', status: 'publish', content } },
    })
    path = new URL((await read(made)).link).pathname
  })
  afterEach(() => site.close())

  async function activate(id: string, setup: string): Promise<void> {
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(join(folder, id, 'index.ts'), extensionSource(id, setup))
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
  }
  const turnOff = (id: string) =>
    site.request(`/wp-json/host/v1/extensions/${id}/deactivate`, { method: 'POST', as: 'administrator' })
  const report = (id: string) => site.host.extensions.list().find((extension) => extension.id === id)
  const good = () =>
    activate('good', `host.content.registerBlockType('good/box', { renderCallback: () => 'good was here' })`)

  it('is rendered while the extension is active, and listed for editors', async () => {
    await good()
    expect(await (await site.get(path)).text())
      .to.contain('good was here')
      .and.to.contain('savedpart')
      .and.not.to.contain('<!-- wp:')
    const ofGood = () => site.get('/wp-json/wp/v2/block-types/good', { as: 'editor' })
    const [type] = await read(await ofGood())
    expect(type).to.deep.include({ name: 'good/box', is_dynamic: true, category: null, styles: [], parent: null })
    expect(type.attributes).to.deep.equal({
      ...{ className: { type: 'string' }, lock: { type: 'object' }, metadata: { type: 'object' } },
    })
    expect((await site.get('/wp-json/wp/v2/block-types/good/box', { as: 'editor' })).status).to.equal(200)
    expect(await read(await site.get('/wp-json/wp/v2/block-types/bad', { as: 'editor' }))).to.deep.equal([])
    const missing = await site.get('/wp-json/wp/v2/block-types/bad/box', { as: 'editor' })
    expect([missing.status, (await read(missing)).code]).to.deep.equal([404, 'rest_block_type_invalid'])
    const refused = await site.get('/wp-json/wp/v2/block-types')
    expect([refused.status, (await read(refused)).code]).to.deep.equal([401, 'rest_block_type_cannot_view'])

    expect((await turnOff('good')).status).to.equal(200)
    expect(await (await site.get(path)).text()).not.to.contain('good was here')
    expect(await read(await ofGood())).to.deep.equal([])
  })

  for (const [title, callback, fault] of [
    ['throws', `() => { throw new Error('no luck') }`, 'no luck'],
    ['returns a number', '() => 5 as never', 'returned a number'],
    ['never ends', '() => new Promise<string>(() => {})', 'took longer than 50 ms'],
  ] as const) {
    it(`shows nothing in its place where its render callback ${title}, and is named`, async () => {
      await good()
      await activate('bad', `host.content.registerBlockType('bad/box', { renderCallback: ${callback} })`)
      for (let view = 1; view <= 5; view++) {
        const page = await site.get(path)
        const html = await page.text()
        expect(page.status).to.equal(200)
        expect(html).to.contain('<p>Before</p>').and.to.contain('good was here').and.not.to.contain('savedpart')
      }
      await until(() => report('bad')?.state === 'paused')
      expect(report('bad')?.reason)
        .to.contain(fault)
        .and.to.contain('block_render_callback_bad/box')
        .and.to.contain('bad/index.ts:5')
      expect(report('good')?.state).to.equal('active')
    })
  }

  it('that protects content closes the page when it fails, and while its extension is paused', async () => {
    await activate(
      'bad',
      `host.content.registerBlockType('bad/box', { renderCallback: () => { throw new Error('no luck') } }, { onError: 'closed' })`,
    )
    const expectClosed = async () => {
      const page = await site.get(path)
      expect(page.status).to.equal(503)
      expect(await page.text()).not.to.contain('savedpart')
    }
    for (let view = 1; view <= 5; view++) await expectClosed()
    await until(() => report('bad')?.state === 'paused')
    await expectClosed()
    expect((await turnOff('bad')).status).to.equal(200)
    expect(await (await site.get(path)).text()).to.contain('savedpart')
  })

  for (const [title, setup] of [
    ['a render callback', `host.content.registerBlockType('bad/box', { renderCallback: () => '' })`],
    [
      'render_block',
      `host.hooks.addFilter('render_block', (html, block) => block.blockName === 'bad/box' ? '' : html)`,
    ],
    ['a filter of one type', `host.hooks.addFilter('render_block_bad/box', () => '')`],
  ] as const) {
    it(`is not found by words that ${title} hides`, async () => {
      const found = async () => (await read(await site.get('/wp-json/wp/v2/posts?search=savedpart'))).length
      expect(await found()).to.equal(1)
      await activate('bad', setup)
      expect(await found()).to.equal(0)
      await turnOff('bad')
      expect(await found()).to.equal(1)
    })
  }

  it('cannot break the page by a wrong value of render_block_data', async () => {
    await good()
    await activate(
      'bad',
      `host.hooks.addFilter('render_block_data', (block) => ({ ...block, innerBlocks: [5] as never }))`,
    )
    const page = await site.get(path)
    expect(page.status).to.equal(200)
    expect(await page.text()).to.contain('good was here')
  })
})
