import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import packageJson from '../../package.json' with { type: 'json' }
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

describe('what an extension requires', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  /** The definition property is written before or after the others. */
  const write = (id: string, requires: string, body = '') =>
    site.write(id, {
      'index.ts': extensionSource(id, body).replace('async setup', `requires: ${requires},\n  async setup`),
    })
  const activation = async (id: string) => (await refusal(site.extensions.activate(id))).message

  it('is a range that this version of Pentad must be in', async () => {
    write('modern', `{ pentad: '>=99' }`)
    expect(await activation('modern')).to.equal(
      `The extension failed: It requires Pentad >=99. This is Pentad ${packageJson.version}.`,
    )
    write('modern', `{ pentad: \`^${packageJson.version}\` }`)
    expect(await site.extensions.activate('modern')).to.include({ state: 'active' })
  })

  it('is other extensions, which must be installed, active, and in the range', async () => {
    write('cart', `{ extensions: { 'shop': '^1.2.0' } }`)
    expect(await activation('cart')).to.match(/It requires the extension "shop" \^1\.2\.0, which is not installed\.$/)
    site.write('shop', { 'index.ts': extensionSource('shop', '') })
    expect(await activation('cart')).to.match(/, which is not active\. Activate it first\.$/)
    await site.extensions.activate('shop')
    expect(await site.extensions.activate('cart')).to.include({ state: 'active' })
    write('cart', `{ extensions: { shop: '>=2' } }`)
    expect((await refusal(site.extensions.reload('cart'))).message).to.match(/Version 1\.2\.3 is installed\.$/)
  })

  it('is met by pre-releases of a version in the range, but not by those of its first one', async () => {
    const version = (id: string, next: string) =>
      site.write(id, { 'index.ts': extensionSource(id, '').replace('1.2.3', next) })
    version('shop', '1.3.0-beta.1')
    await site.extensions.activate('shop')
    write('cart', `{ extensions: { shop: '^1.2.0' } }`)
    expect(await site.extensions.activate('cart')).to.include({ state: 'active' })
    version('shop', '2.0.0-beta.1')
    await site.extensions.reload('shop')
    for (const range of ['^1.2.0', '^2.0.0']) {
      write('cart', `{ extensions: { shop: '${range}' } }`)
      expect((await refusal(site.extensions.reload('cart'))).message).to.contain('Version 2.0.0-beta.1 is installed.')
    }
    write('cart', `{ extensions: { shop: '^2.0.0-beta.1' } }`)
    expect(await site.extensions.activate('cart')).to.include({ state: 'active' })
  })

  it('is checked when the site starts', async () => {
    site.write('shop', { 'index.ts': extensionSource('shop', '') })
    write('cart', `{ extensions: { shop: '^1.0.0' } }`, `host.hooks.addFilter('test_text', () => 'cart')`)
    await site.extensions.activate('shop')
    await site.extensions.activate('cart')
    await site.close()
    site = await createExtensionSite({ siteDir: site.siteDir })
    await site.extensions.load()
    expect(site.text()).to.equal('cart')
    await site.close()
    await rm(join(site.siteDir, 'extensions', 'shop'), { recursive: true })
    site = await createExtensionSite({ siteDir: site.siteDir })
    await site.extensions.load()
    expect(site.text('none')).to.equal('none')
    expect(site.extensions.list().find(({ id }) => id === 'cart')).to.include({ state: 'paused' })
  })

  it('cannot be deactivated before it', async () => {
    site.write('shop', { 'index.ts': extensionSource('shop', '') })
    write('cart', `{ extensions: { shop: '^1.0.0' } }`)
    await site.extensions.activate('shop')
    await site.extensions.activate('cart')
    const { code, status, message } = await refusal(site.extensions.deactivate('shop'))
    expect([code, status]).to.deep.equal(['extension_required', 409])
    expect(message).to.match(/ is required by: cart\. Deactivate the dependent extensions first\.$/)
    expect(site.extensions.list().find(({ id }) => id === 'shop')).to.include({ state: 'active' })
    await site.extensions.deactivate('cart')
    expect(await site.extensions.deactivate('shop')).to.include({ state: 'inactive' })
  })

  it('can be deactivated if it requires the other one, too', async () => {
    site.write('shop', { 'index.ts': extensionSource('shop', '') })
    write('cart', `{ extensions: { shop: '*' } }`)
    await site.extensions.activate('shop')
    await site.extensions.activate('cart')
    write('shop', `{ extensions: { cart: '*' } }`)
    await site.extensions.reload('shop')
    expect(await site.extensions.deactivate('shop')).to.include({ state: 'inactive' })
  })

  it('must be ranges, written as literals before setup', async () => {
    write('odd', `{ pentad: 'the newest' }`)
    expect(await activation('odd')).to.match(
      /It requires "the newest", which is not a range of versions such as \^1\.2\.0\.$/,
    )
    write('odd', `{ pentad: 1 }`)
    expect(await activation('odd')).to.match(/requires must be an object such as/)
    write('odd', `{ pentad: String('>=0') }`)
    expect(await activation('odd')).to.match(/Write requires before setup, as a literal/)
  })
})

describe('the end of an extension', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
    site.hooks.addFilter('test_text', (text) => `${text}!`, 5)
  })
  afterEach(() => site.close())

  const record = (what: string) => `await host.options.modify('record', (all) => [...(all ?? []), '${what}'])`
  const recorded = () => site.options.get('record') ?? []

  const LIFE = `
    host.registerActivationHook(async () => { ${record('activated')} })
    host.registerDeactivationHook(async () => { ${record('deactivating')}; ${record('still there')} })`

  it('is announced to it while it runs; a reload, a pause, and the end of the site are not', async () => {
    site.write('tool', { 'index.ts': extensionSource('tool', LIFE) })
    await site.extensions.activate('tool')
    expect(recorded()).to.deep.equal(['activated'])
    await site.extensions.reload('tool')
    site.write('other', { 'index.ts': extensionSource('other', '') })
    await site.extensions.activate('other')
    await site.extensions.deactivate('other')
    await site.close()
    site = await createExtensionSite({ siteDir: site.siteDir })
    await site.extensions.load()
    expect(recorded()).to.deep.equal(['activated'])
    await site.extensions.get('tool')?.pause('for a test')
    await site.extensions.activate('tool')
    await site.extensions.deactivate('tool')
    expect(recorded()).to.deep.equal(['activated', 'activated', 'deactivating', 'still there'])
  })

  it('runs uninstall without setup, and only if it is inactive', async () => {
    const source = extensionSource('tool', record('setup')).replace(
      'async setup',
      `async uninstall(host) { ${record('uninstalled')}; await host.options.delete('tool_data') },\n  async setup`,
    )
    site.write('tool', { 'index.ts': source })
    await site.options.update('tool_data', 1)
    await site.extensions.activate('tool')
    expect((await refusal(site.extensions.uninstall('tool', true))).message).to.match(
      /It is active\. Deactivate it first\.$/,
    )
    await site.extensions.deactivate('tool')
    await site.extensions.uninstall('tool', true)
    expect(recorded()).to.deep.equal(['setup', 'uninstalled'])
    expect(site.options.get('tool_data')).to.equal(undefined)
    expect(site.options.get('host_extensions')).to.deep.equal({})
  })

  it('forgets nothing if uninstall fails', async () => {
    const source = extensionSource('tool', '').replace(
      'async setup',
      `uninstall() { throw new Error('No.') },\n  async setup`,
    )
    site.write('tool', { 'index.ts': source })
    await site.extensions.activate('tool')
    await site.extensions.deactivate('tool')
    expect((await refusal(site.extensions.uninstall('tool', true))).message).to.match(/No\./)
    expect(site.options.get('host_extensions')).to.have.property('tool')
    await site.extensions.uninstall('tool', false)
    expect(site.options.get('host_extensions')).to.deep.equal({})
  })
})
