import { expect } from 'chai'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

/** Counts its calls as `test_text`, so that it shows which version was called how often. */
const COUNTING = (version: string) => `
  let calls = ''
  host.hooks.addAction('init', async () => { await null; calls += '${version} init ' })
  host.hooks.addAction('rest_api_init', () => { calls += '${version} rest ' })
  host.hooks.addFilter('test_text', () => calls)`

describe('init and rest_api_init of an extension', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
  })
  afterEach(() => site.close())

  const write = (body: string) => site.write('tool', { 'index.ts': extensionSource('tool', body) })
  const report = () => site.extensions.list().find(({ id }) => id === 'tool')

  /** As `createHost` starts a site. */
  async function start(): Promise<void> {
    await site.extensions.load()
    await site.hooks.doActionAsync('init')
    await site.hooks.doActionAsync('rest_api_init', site.rest)
  }

  it('are called once when the site starts with it', async () => {
    write(COUNTING('first'))
    await site.extensions.load()
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('')
    await site.close()
    site = await createExtensionSite({ siteDir: site.siteDir })
    await start()
    expect(site.text()).to.equal('first init first rest ')
  })

  it('are called once when it is activated while the site runs', async () => {
    await start()
    write(COUNTING('first'))
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('first init first rest ')
    expect(site.hooks.didAction('init')).to.equal(1)
  })

  it('are called once on a reload, those of the new version alone', async () => {
    await start()
    write(COUNTING('first'))
    await site.extensions.activate('tool')
    let calls = 0
    site.hooks.addAction('init', () => void calls++)
    write(COUNTING('second'))
    await site.extensions.reload('tool')
    expect(site.text()).to.equal('second init second rest ')
    expect(calls).to.equal(0)
  })

  it('are called in the order of their priorities, also one that another one adds, but none that was removed', async () => {
    await start()
    write(`
      const order = []
      const removed = () => order.push('removed')
      host.hooks.addAction('init', removed)
      host.hooks.removeAction('init', removed)
      host.hooks.addAction('init', () => order.push('late'), 20)
      host.hooks.addAction('init', () => {
        order.push(host.hooks.currentAction())
        host.hooks.addAction('init', () => order.push('added'), 15)
      })
      host.hooks.addFilter('test_text', () => order.join())`)
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('init,added,late')
  })

  it('register for the extension: nothing shows before, everything goes with it', async () => {
    await start()
    write(`
      let seen = 'hidden'
      host.hooks.addAction('init', () => {
        host.hooks.addFilter('test_text', () => seen)
        seen = host.hooks.applyFilters('test_text', 'hidden')
      })
      host.hooks.addAction('rest_api_init', (rest) => {
        rest.registerRoute('tool/v1', { method: 'GET', path: '/', access: 'public', handler: () => rest === host.rest })
      })`)
    expect((await site.extensions.activate('tool')).routes).to.deep.equal(['GET /tool/v1'])
    expect(site.text()).to.equal('hidden')
    expect(await site.ask('/tool/v1')).to.deep.equal({ status: 200, body: true })
    await site.extensions.deactivate('tool')
    expect(site.text('untouched')).to.equal('untouched')
    expect((await site.ask('/tool/v1')).status).to.equal(404)
  })

  it('keep the routes of rest_api_init with the extension when the site starts with it, too', async () => {
    await site.extensions.load()
    write(`host.hooks.addAction('rest_api_init', (rest) => {
      rest.registerRoute('tool/v1', { method: 'GET', path: '/', access: 'public', handler: () => 'here' })
    })`)
    await site.extensions.activate('tool')
    await site.hooks.doActionAsync('rest_api_init', site.rest)
    expect((await site.ask('/tool/v1')).body).to.equal('here')
    await site.extensions.deactivate('tool')
    expect((await site.ask('/tool/v1')).status).to.equal(404)
  })

  it('fail the activation, and leave the old version running on a reload, if they throw', async () => {
    await start()
    const failing = `
      host.hooks.addFilter('test_text', () => 'half')
      host.hooks.addAction('init', async () => { throw new Error('no luck') })`
    write(failing)
    expect(await refusal(site.extensions.activate('tool'))).to.include({ code: 'extension_failed', status: 409 })
    expect(report()).to.include({ state: 'paused', reason: 'no luck (tool/index.ts:7)' })
    expect(site.text('as it was')).to.equal('as it was')

    write(COUNTING('good'))
    await site.extensions.reload('tool')
    write(failing)
    await refusal(site.extensions.reload('tool'))
    expect(report()).to.include({ state: 'active', reason: 'no luck (tool/index.ts:7)' })
    expect(site.text()).to.equal('good init good rest ')
  })
})
