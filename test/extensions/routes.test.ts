import { expect } from 'chai'
import { createExtensionSite, type ExtensionSite, extensionSource } from './extension-site.ts'

describe('host/v1/extensions', () => {
  let site: ExtensionSite

  before(async () => {
    site = await createExtensionSite()
    site.write('hello', {
      'index.ts': extensionSource('hello', `host.hooks.addFilter('test_text', (text) => text + 'hello')`),
    })
    await site.extensions.load()
  })
  after(() => site.close())

  it('GET lists every extension, new ones too', async () => {
    site.write('later', { 'index.ts': extensionSource('later', '') })
    const { status, body } = await site.ask('/host/v1/extensions', 'GET', site.admin)
    expect(status).to.equal(200)
    const nothing = { hooks: [], routes: [], abilities: [], jobs: [], pages: [], hasSettings: false }
    const common = {
      version: '1.2.3',
      state: 'inactive',
      reason: null,
      isService: false,
      isUntrusted: false,
      isForeign: false,
      isSandboxed: false,
      isolation: 'process',
      pro: false,
      ...nothing,
    }
    expect(body).to.deep.equal({
      status: 'success',
      data: [
        { id: 'hello', name: 'Name of hello', description: 'About hello.', ...common },
        { id: 'later', name: 'Name of later', description: 'About later.', ...common },
      ],
    })
  })

  it('POST activate, reload and deactivate switch it; each may be repeated', async () => {
    for (const [action, state, text] of [
      ['activate', 'active', 'hello'],
      ['activate', 'active', 'hello'],
      ['reload', 'active', 'hello'],
      ['deactivate', 'inactive', ''],
      ['deactivate', 'inactive', ''],
    ]) {
      const { status, body } = await site.ask(`/host/v1/extensions/hello/${action}`, 'POST', site.admin)
      expect(status).to.equal(200)
      expect(body).to.have.nested.property('data.state', state)
      expect(site.text()).to.equal(text)
    }
  })

  it('answers 404 for an id that does not exist, however strange', async () => {
    for (const id of ['nobody', '__proto__', '..%2F..', '%00', 'constructor', 'a'.repeat(5000)]) {
      const { status, body } = await site.ask(`/host/v1/extensions/${id}/activate`, 'POST', site.admin)
      expect(status, id).to.equal(404)
      expect(body, id).to.have.property('code').that.is.oneOf(['extension_not_found', 'rest_no_route'])
    }
  })

  it('answers 409 with the reason when it fails', async () => {
    site.write('bad', { 'index.ts': extensionSource('bad', `throw new Error('no luck')`) })
    const { status, body } = await site.ask('/host/v1/extensions/bad/activate', 'POST', site.admin)
    expect(status).to.equal(409)
    expect(body).to.deep.equal({
      code: 'extension_failed',
      message: 'The extension failed: no luck (bad/index.ts:5)',
      data: { status: 409, reason: 'no luck (bad/index.ts:5)' },
    })
  })

  it('is for who may activate plugins', async () => {
    for (const [path, method] of [
      ['/host/v1/extensions', 'GET'],
      ['/host/v1/extensions/hello/activate', 'POST'],
      ['/host/v1/extensions/nobody/reload', 'POST'],
    ]) {
      expect(await site.ask(path ?? '', method)).to.have.property('status', 401)
      expect(await site.ask(path ?? '', method, site.subscriber)).to.have.property('status', 403)
    }
  })
})
