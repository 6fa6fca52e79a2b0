import { expect } from 'chai'
import { ERROR_LIMIT } from '../../core/extensions/pause-on-errors.ts'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

const ROUTE = (id: string) => `host.rest.registerRoute('shared/v1', { method: 'GET', path: '/name', access: 'public',
  handler: () => ({ name: '${id}' }) })`
const FILTER = (id: string) => `host.hooks.addFilter('test_text', (text) => text + '${id}')`

describe('several extensions', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  const write = (id: string, body: string) => site.write(id, { 'index.ts': extensionSource(id, body) })
  const report = (id: string) => site.extensions.list().find((extension) => extension.id === id)

  it('can be activated at once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids) write(id, FILTER(id))
    await Promise.all(ids.map((id) => site.extensions.activate(id)))
    expect([...site.text()].sort()).to.deep.equal(ids)
    const siteDir = site.siteDir
    await site.close()
    site = await createExtensionSite({ siteDir })
    await site.extensions.load()
    expect([...site.text()].sort()).to.deep.equal(ids)
  })

  it('can be switched on, off and reloaded at once: the last word counts', async () => {
    write('a', FILTER('a'))
    await Promise.allSettled([
      site.extensions.activate('a'),
      site.extensions.deactivate('a'),
      site.extensions.reload('a'),
      site.extensions.activate('a'),
      site.extensions.deactivate('a'),
      site.extensions.activate('a'),
    ])
    expect(report('a')).to.include({ state: 'active', reason: null })
    expect(site.text()).to.equal('a')
  })

  it('share a hook: what one of them leaves does not touch the other', async () => {
    write('a', FILTER('a'))
    write('b', `${FILTER('b')}; host.hooks.addFilter('test_text', (text) => text.toUpperCase(), 99)`)
    await site.extensions.activate('a')
    await site.extensions.activate('b')
    expect(site.text()).to.equal('AB')
    await site.extensions.deactivate('a')
    expect(site.text()).to.equal('B')
    await site.extensions.activate('a')
    await site.extensions.deactivate('b')
    expect(site.text()).to.equal('a')
  })

  it('call one another: what one of them throws while the other is set up counts against the one that threw', async () => {
    write('a', `Object.assign(globalThis, { sharedByA() { throw new Error('broken in a') } })`)
    write('b', 'globalThis.sharedByA()')
    await site.extensions.activate('a')
    for (let turn = 0; turn < ERROR_LIMIT.count; turn++) {
      expect(report('a')?.state).to.equal('active')
      await refusal(site.extensions.activate('b'))
      expect(report('b')?.reason).to.equal('Extension "a" failed during setup: broken in a')
    }
    await until(() => report('a')?.state === 'paused')
    expect(report('a')?.reason).to.match(/^It failed \d+ times .* in the setup of b: broken in a \(a\/index\.ts:\d+\)$/)
    Reflect.deleteProperty(globalThis, 'sharedByA')
  })

  it('cannot have the same route: the first one keeps it, the second is paused until it is free', async () => {
    write('a', ROUTE('a'))
    write('b', `${FILTER('b')}; ${ROUTE('b')}`)
    await site.extensions.activate('a')
    expect(await refusal(site.extensions.activate('b'))).to.include({ code: 'extension_failed' })
    expect(report('b')).to.deep.include({ state: 'paused', hooks: [], routes: [] })
    expect(report('b')?.reason).to.contain('GET /shared/v1/name is already registered by a.')
    expect(site.text()).to.equal('')
    expect((await site.ask('/shared/v1/name')).body).to.deep.equal({ name: 'a' })

    await site.extensions.deactivate('a')
    await site.extensions.activate('b')
    expect((await site.ask('/shared/v1/name')).body).to.deep.equal({ name: 'b' })
    expect(report('b')).to.include({ state: 'active', reason: null })
  })

  it('may set up the same route at the same time, and one of them gets it', async () => {
    for (const id of ['a', 'b']) write(id, `await null; ${ROUTE(id)}`)
    const outcomes = await Promise.allSettled([site.extensions.activate('a'), site.extensions.activate('b')])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    const [winner] = site.extensions.list().filter(({ state }) => state === 'active')
    expect((await site.ask('/shared/v1/name')).body).to.deep.equal({ name: winner?.id })
  })
})
