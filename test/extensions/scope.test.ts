import { expect } from 'chai'
import type { ExtensionHost } from '../../core/extensions/types.ts'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

/** An extension that uses everything there is. */
const EVERYTHING = extensionSource(
  'everything',
  `
  process.emit('host', host)
  host.hooks.addFilter('test_text', (text) => text + '!')
  host.hooks.addAction('test_action', () => {})
  host.rest.registerRoute('everything/v1', { method: 'GET', path: '/x', access: 'public', handler: () => ({ ok: true }) })
  host.settings.register(z.object({ color: z.string().default('red') }))
  host.jobs.schedule('tidy', 'hourly', () => {})
  host.jobs.define({ type: 'everything', data: z.object({}), tick: async () => ({ done: true }) })
  host.content.registerPostType({ name: 'book', label: 'Books', singularLabel: 'Book', hierarchical: false, public: true,
    restBase: null, taxonomies: [], supports: [], capabilityType: ['post', 'posts'], description: '' })
  host.content.registerTaxonomy({ name: 'genre', label: 'Genres', singularLabel: 'Genre', hierarchical: false, public: true,
    restBase: null, types: ['book'], rewriteSlug: 'genre', description: '' })
  host.abilities.registerCategory({ slug: 'library', label: 'Library', description: 'Books.' })
  host.abilities.register({ name: 'everything/greet', label: 'Greet', description: 'Greets.', category: 'library',
    input: z.object({}), output: z.object({}), permission: 'read', readonly: true, execute: () => ({}) })
  host.admin.addPage({ slug: 'loans', title: 'Loans', parts: [{ type: 'text', text: 'Nobody has borrowed a book.' }] })
  host.auth.addRole('librarian', 'Librarian', ['read'])
  host.auth.addCapabilities('editor', ['lend_books'])
  host.setInterval(() => process.emit('beat'), 1)
  host.onDispose(() => process.emit('disposed', 'first'))
  host.onDispose(async () => { await null; process.emit('disposed', 'second') })
  `,
  `import { z } from 'zod'`,
)

describe('the host that setup gets', () => {
  let site: ExtensionSite
  let host: ExtensionHost
  const disposed: string[] = []
  const receive = (given: ExtensionHost) => {
    host = given
  }
  const note = (which: string) => void disposed.push(which)

  beforeEach(async () => {
    disposed.length = 0
    process.on('host', receive).on('disposed', note)
    site = await createExtensionSite()
    site.write('everything', { 'index.ts': EVERYTHING })
    await site.extensions.load()
  })
  afterEach(async () => {
    process.off('host', receive).off('disposed', note)
    await site.close()
  })

  /** Everything of the site that an extension can add to. */
  const inventory = () => ({
    text: site.text('a'),
    listeners: site.hooks.inspect().flatMap(({ name, listeners }) => listeners.map(({ owner }) => `${owner} ${name}`)),
    routes: site.rest.routes(),
    settings: site.settings.names(),
    postTypes: [...site.content.postTypes().keys()],
    taxonomies: [...site.content.taxonomies().keys()],
    roles: [...site.auth.roles()].map(([name, { capabilities }]) => `${name} ${[...capabilities].sort()}`),
  })

  it('registers, and everything is removed when the extension is deactivated', async () => {
    const before = inventory()
    expect(await site.extensions.activate('everything')).to.deep.include({
      hooks: ['test_action', 'test_text'],
      routes: ['GET /everything/v1/x'],
      abilities: ['everything/greet'],
      jobs: ['everything', 'tidy'],
      pages: ['/wp-admin/extension/everything/loans'],
      hasSettings: true,
    })
    const callbacks = site.hooks.inspect().find(({ name }) => name === 'test_text')?.listeners
    const line = EVERYTHING.split('\n').findIndex((text) => text.includes(`addFilter('test_text'`)) + 1
    expect(callbacks?.map(({ callback }) => callback)).to.deep.equal([`index.ts:${line}`])
    const during = inventory()
    expect(during.text).to.equal('a!')
    expect(during.settings).to.include('everything')
    expect(during.postTypes).to.include('book')
    expect(during.taxonomies).to.include('genre')
    expect(during.roles).to.include('librarian read')
    expect((await site.ask('/everything/v1/x')).body).to.deep.equal({ ok: true })

    await site.extensions.deactivate('everything')
    expect(inventory()).to.deep.equal(before)
    expect((await site.ask('/everything/v1/x')).status).to.equal(404)
    expect(disposed).to.deep.equal(['second', 'first'])
    expect(host.signal.aborted).to.equal(true)
  })

  it('undoes single registrations', async () => {
    await site.extensions.activate('everything')
    const undos = [
      host.hooks.addFilter('test_text', (text) => `${text}?`),
      host.auth.addRole('guest', 'Guest', []),
      host.setTimeout(() => note('too late'), 1),
    ]
    expect(site.text('a')).to.equal('a!?')
    expect(site.auth.roles().has('guest')).to.equal(true)
    for (const undo of undos) {
      undo()
      undo()
    }
    expect(site.text('a')).to.equal('a!')
    expect(site.auth.roles().has('guest')).to.equal(false)
    expect(disposed).to.deep.equal([])
  })

  it('refuses every registration after it was disposed of', async () => {
    await site.extensions.activate('everything')
    await site.extensions.deactivate('everything')
    const before = inventory()
    const late: (() => unknown)[] = [
      () => host.hooks.addFilter('test_text', (text) => text),
      () => host.rest.registerRoute('late/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 }),
      () => host.jobs.schedule('late', 'hourly', () => {}),
      () => host.jobs.createQueue({ name: 'late', work: async () => {} }),
      () => host.auth.addRole('late', 'Late', []),
      () => host.setTimeout(() => {}, 1),
      () => host.setInterval(() => {}, 1),
      () => host.onDispose(() => {}),
    ]
    for (const register of late) expect(register).to.throw('unloaded')
    expect(inventory()).to.deep.equal(before)
  })

  it('warns once of each filter whose callback returns nothing, and again after a reload', async () => {
    const source = `host.hooks.addFilter('test_text', () => {})\nhost.hooks.addFilter('test_text_async', () => {})`
    site.write('silent', { 'index.ts': extensionSource('silent', source) })
    await site.extensions.activate('silent')
    const warned = () => site.records.filter(({ msg }) => String(msg).includes('returned undefined'))
    for (let call = 0; call < 3; call++) {
      expect(site.text('a')).to.equal('a')
      expect(await site.hooks.applyFiltersAsync('test_text_async', 'b')).to.equal('b')
    }
    expect(warned().map(({ extension, hook }) => `${extension} ${hook}`)).to.deep.equal([
      'silent test_text',
      'silent test_text_async',
    ])
    await site.extensions.reload('silent')
    site.text('a')
    expect(warned()).to.have.length(3)
  })

  it('lets an extension find and remove its own callbacks', async () => {
    await site.extensions.activate('everything')
    const callback = (text: string) => `${text}?`
    host.hooks.addFilter('test_text', callback, 20)
    expect(host.hooks.hasFilter('test_text', callback)).to.equal(20)
    expect(host.hooks.removeFilter('test_text', callback, 20)).to.equal(true)
    expect(host.hooks.hasFilter('test_text', callback)).to.equal(false)
    expect(site.text('a')).to.equal('a!')
  })

  it('lets an extension remove a callback of another extension', async () => {
    const callback = (text: string) => `${text}#`
    site.hooks.addFilter('test_text', callback)
    await site.extensions.activate('everything')
    expect(host.hooks.removeFilter('test_text', callback)).to.equal(true)
    expect(site.text('a')).to.equal('a!')
  })

  it('stops timers', async () => {
    let beats = 0
    const count = () => void beats++
    process.on('beat', count)
    await site.extensions.activate('everything')
    await until(() => beats > 2)
    await site.extensions.deactivate('everything')
    beats = 0
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('beat', count)
    expect(beats).to.equal(0)
  })

  it('aborts requests to other servers', async () => {
    await site.close()
    site = await createExtensionSite({
      siteDir: site.siteDir,
      fetch: (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    })
    await site.extensions.load()
    await site.extensions.activate('everything')
    const request = refusal(host.fetch('http://example.org/'))
    await site.extensions.deactivate('everything')
    expect((await request).message).to.contain('unloaded')
  })
})
