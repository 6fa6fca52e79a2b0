import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

const FOREVER = 'await new Promise(() => {})'

describe('a setup that never ends', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite({ setupTimeout: 50 })
  })
  afterEach(() => site.close())

  const write = (body: string) => site.write('slow', { 'index.ts': extensionSource('slow', body) })
  const report = () => site.extensions.list().find(({ id }) => id === 'slow')
  const LATE = 'Its setup took longer than 50 ms. (slow/index.ts)'
  const FAILED = `The extension failed: ${LATE}`

  it('is given up on activation: the extension is paused, its signal has fired, and nothing of it stays', async () => {
    await site.extensions.load()
    write(`host.hooks.addFilter('test_text', () => 'half')
      host.hooks.addFilter('test_text', () => String(host.signal.aborted))
      host.signal.addEventListener('abort', () => process.emit('setup given up'))
      ${FOREVER}`)
    let wasGivenUp = false
    process.once('setup given up', () => {
      wasGivenUp = true
    })
    expect(await refusal(site.extensions.activate('slow'))).to.include({ code: 'extension_failed', message: FAILED })
    expect(wasGivenUp).to.equal(true)
    expect(report()).to.deep.include({ state: 'paused', reason: LATE, hooks: [] })
    expect(site.text('hey')).to.equal('hey')
  })

  it('is given up in a callback of init as well', async () => {
    await site.extensions.load()
    await site.hooks.doActionAsync('init')
    write(`host.hooks.addAction('init', async () => { ${FOREVER} })`)
    expect(await refusal(site.extensions.activate('slow'))).to.include({ message: FAILED })
  })

  it('does not keep the site from starting, and is not tried at the start after', async () => {
    await site.extensions.load()
    write('')
    site.write('tool', { 'index.ts': extensionSource('tool', `host.hooks.addFilter('test_text', () => 'tool')`) })
    await site.extensions.activate('slow')
    await site.extensions.activate('tool')
    write(FOREVER)
    for (const start of ['first', 'second']) {
      await site.close()
      site = await createExtensionSite({ siteDir: site.siteDir, setupTimeout: 50 })
      await site.extensions.load()
      expect(site.text(), start).to.equal('tool')
      expect(report(), start).to.include({ state: 'paused', reason: LATE })
    }
    expect(site.records.filter(({ msg }) => msg === 'extension paused')).to.deep.equal([])
  })

  it('leaves the old version running on a reload', async () => {
    await site.extensions.load()
    write(`host.hooks.addFilter('test_text', () => 'old')`)
    await site.extensions.activate('slow')
    write(FOREVER)
    expect(await refusal(site.extensions.reload('slow'))).to.include({ message: FAILED })
    expect(report()).to.include({ state: 'active', reason: LATE })
    expect(site.text()).to.equal('old')
  })

  describe('with all the time in the world', () => {
    beforeEach(async () => {
      await site.close()
      site = await createExtensionSite({ setupTimeout: 10 * 60_000 })
      await site.extensions.load()
    })

    const hang = `process.emit('setup began'); ${FOREVER}`
    const began = () => new Promise<void>((resolve) => process.once('setup began', () => resolve()))

    it('is given up by the next save, which is reloaded', async () => {
      write(`host.hooks.addFilter('test_text', () => 'old')`)
      await site.extensions.activate('slow')
      site.loader.watch(site.extensions)
      const hangs = began()
      write(hang)
      await hangs
      write(`host.hooks.addFilter('test_text', () => 'new')`)
      await until(() => site.text() === 'new', { seconds: 60 })
      expect(report()).to.include({ state: 'active', reason: null })
    })

    it('is given up by a deactivation', async () => {
      write(hang)
      const hangs = began()
      const activation = refusal(site.extensions.activate('slow'))
      await hangs
      expect(await site.extensions.deactivate('slow')).to.include({ state: 'inactive' })
      expect(await activation).to.include({
        message: 'The extension failed: It was deactivated while it was being set up.',
      })
    })

    it('does not keep the host from closing, and is not to blame for that', async () => {
      write(hang)
      const hangs = began()
      const activation = refusal(site.extensions.activate('slow'))
      await hangs
      await site.close()
      await activation
      site = await createExtensionSite({ siteDir: site.siteDir })
      await site.extensions.load()
      expect(report()).to.include({ state: 'inactive' })
    })
  })
})
