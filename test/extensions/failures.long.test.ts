import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

describe('an extension that fails', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
    site.write('good', {
      'index.ts': extensionSource('good', `host.hooks.addFilter('test_text', (text) => text + 'good')`),
    })
    await site.extensions.activate('good')
  })
  afterEach(() => site.close())

  const write = (body: string) => site.write('bad', { 'index.ts': extensionSource('bad', body) })
  const report = () => site.extensions.list().find(({ id }) => id === 'bad')
  const logged = (text: string) => site.records.filter(({ msg }) => msg === text)

  it('in setup is paused with the reason, and nothing of it stays', async () => {
    write(`host.hooks.addFilter('test_text', (text) => text + 'bad')
      host.setInterval(() => {}, 1000)
      throw new Error('no luck')`)
    const refused = await refusal(site.extensions.activate('bad'))
    expect(refused).to.include({ code: 'extension_failed', status: 409 })
    expect(report()).to.deep.include({ state: 'paused', reason: 'no luck (bad/index.ts:7)', hooks: [], routes: [] })
    expect(site.text()).to.equal('good')
  })

  it('in a callback is passed over and named in the log, file and line too', async () => {
    write(`host.hooks.addFilter('test_text', (text) => {
      throw new Error('no luck')
    })`)
    await site.extensions.activate('bad')
    expect(site.text()).to.equal('good')
    const [record] = logged('extension error ignored')
    expect(record).to.include({ extension: 'bad', where: 'test_text' })
    expect(JSON.stringify(record)).to.contain('bad/index.ts:6:')
    expect(report()).to.include({ state: 'active' })
  })

  it('five times within a minute is paused; the others go on', async () => {
    write(`host.hooks.addFilter('test_text', () => { throw new Error('no luck') })`)
    await site.extensions.activate('bad')
    for (let call = 1; call <= 4; call++) site.text()
    expect(report()).to.include({ state: 'active' })
    expect(site.text()).to.equal('good')
    await until(() => report()?.state === 'paused')
    expect(report()?.reason).to.equal(
      'It failed 5 times within a minute, most recently in test_text: no luck (bad/index.ts:5)',
    )
    expect(site.text()).to.equal('good')
    const siteDir = site.siteDir
    await site.close()
    site = await createExtensionSite({ siteDir })
    await site.extensions.load()
    expect(report()).to.include({ state: 'paused' })
    expect(await refusal(site.extensions.activate('bad').then(() => Promise.reject(new Error('fine'))))).to.include({
      message: 'fine',
    })
  })

  it('in a route answers 500 without a trace of it, and counts', async () => {
    write(
      `host.rest.registerRoute('bad/v1', { method: 'GET', path: '/', access: 'public', handler() { throw new Error('secret') } })`,
    )
    await site.extensions.activate('bad')
    const answer = await site.ask('/bad/v1')
    expect(answer.status).to.equal(500)
    expect(JSON.stringify(answer.body)).to.not.contain('secret')
    for (let call = 1; call <= 4; call++) await site.ask('/bad/v1')
    await until(() => report()?.state === 'paused')
    expect((await site.ask('/bad/v1')).status).to.equal(404)
  })

  it('may refuse with RestError as often as it likes', async () => {
    site.write('bad', {
      'index.ts': extensionSource(
        'bad',
        `host.hooks.addFilter('test_text', () => { throw new RestError('no', 'No.', { status: 403 }) })`,
        `import { RestError } from 'pentad'`,
      ),
    })
    await site.extensions.activate('bad')
    for (let call = 1; call <= 9; call++) expect(() => site.text()).to.throw('No.')
    expect(logged('extension error ignored')).to.deep.equal([])
    expect(report()).to.include({ state: 'active' })
  })

  for (const [who, isService, state] of [
    ['of a third party by taking too long is paused', false, 'paused'],
    ['of the product by taking too long is not: the machine may be slow', true, 'active'],
  ] as const) {
    it(`${who}, and is skipped`, async () => {
      await site.close()
      site = await createExtensionSite({ isService: () => isService })
      await site.extensions.load()
      write(`host.hooks.addFilter('test_text_async', () => new Promise<string>(() => {}))`)
      await site.extensions.activate('bad')
      const dispatch = () => site.hooks.limited({ timeout: 10 }).applyFiltersAsync('test_text_async', 'text')
      for (let call = 1; call <= 6; call++) expect(await dispatch()).to.equal('text')
      await until(() => logged('extension error ignored').length >= 5)
      await until(() => report()?.state === state)
    })
  }

  it('is deactivated before a call that hangs has ended, and the log names the call', async () => {
    site.write('hung', {
      'index.ts': extensionSource(
        'hung',
        `host.rest.registerRoute('hung/v1', { method: 'GET', path: '/x', access: 'public', handler() {
          process.emit('hangs' as never)
          return new Promise<never>(() => {})
        } })
        host.signal.addEventListener('abort', () => process.emit('unloaded' as never))`,
      ),
    })
    await site.extensions.activate('hung')
    const order: string[] = []
    const unloaded = new Promise<void>((resolve) => {
      process.once('unloaded', () => resolve(void order.push('unloaded')))
    })
    const hangs = new Promise<void>((resolve) => {
      process.once('hangs', () => resolve())
    })
    const asked = site.ask('/hung/v1/x')
    await hangs
    await site.extensions.deactivate('hung')
    order.push('deactivated')
    await unloaded
    expect(order).to.deep.equal(['deactivated', 'unloaded'])
    expect(await asked).to.deep.include({ status: 503 })
    expect(site.records).to.deep.include.members([
      { ...site.records.find(({ calls }) => calls), extension: 'hung', calls: ['GET /hung/v1/x'] },
    ])
  })

  it('is reported as paused before its calls in progress have ended', async () => {
    write(`host.hooks.addFilter('test_text', () => { throw new Error('no luck') })
      host.hooks.addFilter('test_text_async', () => new Promise<string>(() => {}))`)
    await site.extensions.activate('bad')
    const call = site.hooks.applyFiltersAsync('test_text_async', 'text')
    for (let time = 1; time <= 5; time++) site.text()
    await until(() => logged('extension paused').length > 0)
    expect(report()).to.deep.include({ state: 'paused', hooks: [] })
    const stillWaits = Symbol('still waits')
    expect(await Promise.race([call, Promise.resolve(stillWaits)])).to.equal(stillWaits)
  })

  it('in timers is paused', async () => {
    write(`host.setInterval(async () => { throw new Error('no luck') }, 1)`)
    await site.extensions.activate('bad')
    await until(() => report()?.state === 'paused')
    expect(report()?.reason).to.contain('most recently in timer')
  })

  it('in a promise that is not awaited is attributed by the files in its stack', async () => {
    write(`process.emit('fail', () => new Error('no luck'))`)
    let make = () => new Error('somebody else')
    process.once('fail', (given) => {
      make = given
    })
    const foreign = make()
    await site.extensions.activate('bad')
    expect(site.blame.reportUncaught(foreign)).to.equal(false)
    expect(site.blame.reportUncaught('no error at all')).to.equal(false)
    for (let call = 1; call <= 5; call++) expect(site.blame.reportUncaught(make())).to.equal(true)
    await until(() => report()?.state === 'paused')
  })

  it('because its tables are of a newer version is paused and says so', async () => {
    const migrate = (...names: string[]) =>
      write(`const up = async () => {}
        await host.database.migrate('bad', Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, { up }])))`)
    migrate('1-orders', '2-refunds')
    await site.extensions.activate('bad')
    migrate('1-orders')
    const siteDir = site.siteDir
    await site.close()
    site = await createExtensionSite({ siteDir })
    await site.extensions.load()
    expect(report()).to.include({
      state: 'paused',
      reason:
        'The tables of bad were migrated by a newer version, with the migration 2-refunds. Install that version again, or restore a backup from before the migration. (bad/index.ts:6)',
    })
    migrate('1-orders', '2-refunds')
    expect(await site.extensions.activate('bad')).to.include({ state: 'active' })
  })

  it('to clean up is deactivated all the same', async () => {
    write(`host.onDispose(() => { throw new Error('no luck') })`)
    await site.extensions.activate('bad')
    expect(await site.extensions.deactivate('bad')).to.include({ state: 'inactive' })
    expect(logged('extension cleanup failed')).to.have.length(1)
  })
})
