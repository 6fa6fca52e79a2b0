import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, letGoOn, refusal } from './extension-site.ts'

const ROUTE = (answer: string) =>
  `host.rest.registerRoute('tool/v1', { method: 'GET', path: '/', access: 'public', handler: () => ({ answer: '${answer}' }) })`

describe('reload', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  const write = (body: string, files = {}, head = '') =>
    site.write('tool', { 'index.ts': extensionSource('tool', body, head), ...files })
  const report = () => site.extensions.list().find(({ id }) => id === 'tool')

  it('puts the new version in the place of the old one, helper files too', async () => {
    const helper = (word: string) => ({ 'lib/word.ts': `export const word: string = '${word}'` })
    write(
      `host.hooks.addFilter('test_text', (text) => text + word)`,
      helper('old'),
      `import { word } from './lib/word.ts'`,
    )
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('old')
    site.write('tool', helper('new'))
    await site.extensions.reload('tool')
    expect(site.text()).to.equal('new')
  })

  it('keeps the order among extensions', async () => {
    for (const id of ['a', 'b', 'c']) {
      site.write(id, { 'index.ts': extensionSource(id, `host.hooks.addFilter('test_text', (text) => text + '${id}')`) })
      await site.extensions.activate(id)
    }
    await site.extensions.reload('b')
    expect(site.text()).to.equal('abc')
  })

  const failures: [what: string, body: string][] = [
    ['throws in setup', `host.hooks.addFilter('test_text', (text) => text + 'new'); throw new Error('no luck')`],
    ['does not compile', `let a = 1; let a = 2`],
    [
      'wants a route that is taken',
      `${ROUTE('new')}; host.rest.registerRoute('other/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 })`,
    ],
    [
      'declares a post type that cannot be',
      `host.auth.addRole('tool', 'New', ['x']); host.content.registerPostType({ get name() { throw new Error('no name') } })`,
    ],
  ]
  for (const [what, body] of failures) {
    it(`leaves the old version running when the new one ${what}`, async () => {
      site.rest.registerRoute('other/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 })
      write(
        `${ROUTE('old')}
        host.hooks.addFilter('test_text', (text) => text + 'old')
        host.auth.addRole('tool', 'Old', ['read'])
        host.settings.register(z.object({ old: z.string().default('yes') }))`,
        {},
        `import { z } from 'zod'`,
      )
      await site.extensions.activate('tool')
      write(body)
      const refused = await refusal(site.extensions.reload('tool'))
      expect(refused).to.include({ code: 'extension_failed', status: 409 })
      expect(report()).to.include({ state: 'active' })
      expect(report()?.reason).to.be.a('string')
      expect(site.text()).to.equal('old')
      expect((await site.ask('/tool/v1')).body).to.deep.equal({ answer: 'old' })
      expect(site.auth.roles().get('tool')?.name).to.equal('Old')
      expect(site.settings.get('tool')?.get()).to.deep.equal({ old: 'yes' })

      write(ROUTE('mended'))
      expect(await site.extensions.reload('tool')).to.include({ state: 'active', reason: null })
      expect(site.text()).to.equal('')
      expect((await site.ask('/tool/v1')).body).to.deep.equal({ answer: 'mended' })
      expect(site.auth.roles().has('tool')).to.equal(false)
      expect(site.settings.names()).to.not.include('tool')
    })
  }

  it('lets calls under way finish before the old version is torn down', async () => {
    const slow = (word: string) => `
      let open = true
      host.onDispose(() => { open = false })
      const answer = async () => {
        await new Promise((resolve) => process.once('go on', resolve))
        return '${word} ' + (open ? 'open' : 'closed') + ' ' + host.signal.aborted
      }
      host.rest.registerRoute('tool/v1', { method: 'GET', path: '/slow', access: 'public', handler: answer })
      host.hooks.addFilter('test_text_async', answer)`
    write(slow('old'))
    await site.extensions.activate('tool')
    const request = site.ask('/tool/v1/slow')
    const filtered = site.hooks.applyFiltersAsync('test_text_async', '')
    await until(() => process.listenerCount('go on') === 2)
    write(slow('new'))
    await site.extensions.reload('tool')
    letGoOn()
    expect((await request).body).to.equal('old open false')
    expect(await filtered).to.equal('old open false')
  })

  it('serves every request while it reloads again and again', async () => {
    write(ROUTE('1'))
    await site.extensions.activate('tool')
    let done = false
    const answers: { status: number; body: unknown }[] = []
    const client = async () => {
      while (!done) answers.push(await site.ask('/tool/v1'))
    }
    const clients = [client(), client(), client(), client()]
    for (let version = 2; version <= 40; version++) {
      write(ROUTE(String(version)))
      await site.extensions.reload('tool')
    }
    done = true
    await Promise.all(clients)
    expect(answers.length).to.be.greaterThan(40)
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([])
  })

  it('refuses an extension that is not active', async () => {
    write('')
    expect(await refusal(site.extensions.reload('tool'))).to.include({ code: 'extension_failed' })
    expect(report()).to.include({ state: 'inactive' })
  })

  it('starts a paused extension again', async () => {
    write(`throw new Error('no luck')`)
    await refusal(site.extensions.activate('tool'))
    expect(report()).to.include({ state: 'paused' })
    write(ROUTE('mended'))
    expect(await site.extensions.reload('tool')).to.include({ state: 'active', reason: null })
  })

  describe('on save', () => {
    it('follows the extension’s files, and one that was mended is back', async () => {
      const helper = (text: string) => ({ 'lib/word.ts': `export const word: string = ${text}` })
      write(
        `host.hooks.addFilter('test_text', (text) => text + word)`,
        helper(`'one'`),
        `import { word } from './lib/word.ts'`,
      )
      await site.extensions.activate('tool')
      site.loader.watch(site.extensions)
      site.write('tool', helper(`'two'`))
      await until(() => site.text() === 'two')
      site.write('tool', helper(`'three`))
      await until(() => report()?.reason?.includes('Unterminated string') === true)
      expect(site.text()).to.equal('two')
      site.write('tool', helper(`'four'`))
      await until(() => site.text() === 'four')
      expect(report()?.reason).to.equal(null)
    })

    it('follows a helper file in a new folder, even if it was wrong at first', async () => {
      write('')
      await site.extensions.activate('tool')
      site.loader.watch(site.extensions)
      write(
        `host.hooks.addFilter('test_text', (text) => text + word)`,
        { 'lib/deep/word.ts': `export const word = 'un` },
        `import { word } from './lib/deep/word.ts'`,
      )
      await until(() => report()?.reason?.includes('Unterminated string') === true)
      site.write('tool', { 'lib/deep/word.ts': `export const word = 'fine'` })
      await until(() => site.text() === 'fine')
    })

    it('ignores logs in its folder, such as that of the command that watches it', async () => {
      write(`return host.options.modify('test_starts', (starts) => Number(starts ?? 0) + 1).then(() => {})`)
      await site.extensions.activate('tool')
      site.loader.watch(site.extensions)
      site.write('tool', { 'dev.log': 'extension reloaded' })
      // Several times as long as the watcher waits after a save.
      await wait(500)
      expect(site.options.get('test_starts')).to.equal(1)
    })

    it('starts one again that was paused when it was activated', async () => {
      site.loader.watch(site.extensions)
      write(`throw new Error('no luck')`)
      await refusal(site.extensions.activate('tool'))
      expect(report()).to.include({ state: 'paused' })
      write(`host.hooks.addFilter('test_text', (text) => text + 'up')`)
      await until(() => site.text() === 'up')
      expect(report()).to.include({ state: 'active', reason: null })
    })
  })
})
