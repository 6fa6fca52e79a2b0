import { expect } from 'chai'
import { issueLicense } from '../../cms/license/index.ts'
import { STATE_OPTION } from '../../core/extensions/state.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import {
  createExtensionSite,
  type ExtensionSite,
  extensionSource,
  letGoOn,
  licenseKeys,
  refusal,
} from './extension-site.ts'

const SHOUT = extensionSource('shout', `host.hooks.addFilter('test_text', (text) => text + '!')`)

describe('extensions', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
  })
  afterEach(() => site.close())

  const state = (id: string) => site.extensions.list().find((extension) => extension.id === id)?.state
  const reason = (id: string) => site.extensions.list().find((extension) => extension.id === id)?.reason

  /** The same site after a restart of the process. */
  async function restart(): Promise<void> {
    await site.close()
    site = await createExtensionSite({ siteDir: site.siteDir })
    await site.extensions.load()
  }

  describe('load', () => {
    it('finds folders and single files, inactive and not run', async () => {
      site.write('shout', { 'index.ts': `${SHOUT}\nglobalThis.process.emit('extension ran')` })
      site.write('plain', { 'package.json': '{ "main": "main.js" }', 'main.js': extensionSource('plain', '') })
      site.write('.', { 'single.ts': extensionSource('single', ''), 'single.test.ts': 'throw 1', 'notes.txt': '' })
      site.write('empty', { 'readme.md': '' })
      let ran = false
      process.once('extension ran', () => {
        ran = true
      })
      await site.extensions.load()
      expect(site.extensions.list().map(({ id }) => id)).to.deep.equal(['plain', 'shout', 'single'])
      expect(site.extensions.list()[1]).to.deep.equal({
        id: 'shout',
        name: 'Name of shout',
        version: '1.2.3',
        description: 'About shout.',
        isService: false,
        isUntrusted: false,
        pro: false,
        state: 'inactive',
        reason: null,
        hooks: [],
        routes: [],
        abilities: [],
        jobs: [],
        pages: [],
        hasSettings: false,
      })
      expect(ran).to.equal(false)
      process.removeAllListeners('extension ran')
    })

    it('skips extensions that cannot be read, and logs why', async () => {
      site.write('broken', { 'index.ts': 'export default defineExtension({ id: ' })
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      expect(state('shout')).to.equal('inactive')
      expect(reason('broken')).to.contain('Unexpected end of file')
    })

    it('takes the later of two with the same id and warns once', async () => {
      const folder = temporaryFolder()
      await site.close()
      site = await createExtensionSite({ folders: [`${site.siteDir}/extensions`, folder] })
      site.write('shout', { 'index.ts': SHOUT })
      site.write('louder', { 'index.ts': SHOUT.replace("'!'", "'!!!'") })
      await site.extensions.load()
      await site.extensions.discover()
      expect(site.extensions.list()).to.have.length(1)
      expect(site.records.filter(({ msg }) => msg === 'duplicate extension id')).to.have.length(1)
    })

    it('starts those that are active by default until they are deactivated', async () => {
      await site.close()
      site = await createExtensionSite({ siteDir: site.siteDir, isService: ({ id }) => id === 'shout' })
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      expect(site.text('hey')).to.equal('hey!')
      await site.extensions.deactivate('shout')
      await site.close()
      site = await createExtensionSite({ siteDir: site.siteDir, isService: ({ id }) => id === 'shout' })
      await site.extensions.load()
      expect(site.text('hey')).to.equal('hey')
    })

    it('pauses the one that fails and starts the others', async () => {
      site.write('bad', { 'index.ts': extensionSource('bad', '') })
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      await site.extensions.activate('bad')
      await site.extensions.activate('shout')
      site.write('bad', { 'index.ts': extensionSource('bad', `throw new Error('no luck')`) })
      await restart()
      expect(state('bad')).to.equal('paused')
      expect(reason('bad')).to.equal('no luck (bad/index.ts:5)')
      expect(site.text('hey')).to.equal('hey!')
    })
  })

  describe('activate', () => {
    it('runs an extension that came after the start, and fires activated_plugin once', async () => {
      await site.extensions.load()
      const fired: string[] = []
      site.hooks.addAction('activated_plugin', (id) => void fired.push(id))
      site.write('shout', { 'index.ts': SHOUT })
      const reports = await Promise.all([site.extensions.activate('shout'), site.extensions.activate('shout')])
      expect(reports.map((report) => report.state)).to.deep.equal(['active', 'active'])
      expect(reports[0]?.hooks).to.deep.equal(['test_text'])
      expect(site.text('hey')).to.equal('hey!')
      expect(fired).to.deep.equal(['shout'])
    })

    it('shows nothing of an extension before its setup is through', async () => {
      site.write('slow', {
        'index.ts': extensionSource(
          'slow',
          `host.hooks.addFilter('test_text', (text) => text + '!')
           host.rest.registerRoute('slow/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 })
           await new Promise((resolve) => host.hooks.addAction('test_action', resolve) && process.once('go on', resolve))`,
        ),
      })
      await site.extensions.load()
      const activation = site.extensions.activate('slow')
      await until(() => process.listenerCount('go on') === 1)
      expect(site.text('hey')).to.equal('hey')
      expect(site.rest.routes().some((route) => route.owner === 'slow')).to.equal(false)
      letGoOn()
      expect((await activation).routes).to.deep.equal(['GET /slow/v1'])
      expect(site.text('hey')).to.equal('hey!')
    })

    it('refuses an id that does not exist', async () => {
      await site.extensions.load()
      expect(await refusal(site.extensions.activate('nobody'))).to.include({ code: 'extension_not_found', status: 404 })
    })

    it('persists across a restart', async () => {
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      await site.extensions.activate('shout')
      await restart()
      expect(site.text('hey')).to.equal('hey!')
    })
  })

  describe('deactivate', () => {
    it('removes all registrations, fires deactivated_plugin, and persists across a restart', async () => {
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      await site.extensions.activate('shout')
      const fired: string[] = []
      site.hooks.addAction('deactivated_plugin', (id) => void fired.push(id))
      expect(await site.extensions.deactivate('shout')).to.include({ state: 'inactive', reason: null })
      await site.extensions.deactivate('shout')
      expect(fired).to.deep.equal(['shout'])
      expect(site.text('hey')).to.equal('hey')
      await restart()
      expect(state('shout')).to.equal('inactive')
      expect(site.text('hey')).to.equal('hey')
    })
  })

  it('follows when another process switches an extension', async () => {
    site.write('shout', { 'index.ts': SHOUT })
    await site.extensions.load()
    const other = await createExtensionSite({ siteDir: site.siteDir })
    await other.extensions.load()
    await other.extensions.activate('shout')
    await until(() => site.text('hey') === 'hey!')
    expect(state('shout')).to.equal('active')
    await other.extensions.deactivate('shout')
    await until(() => site.text('hey') === 'hey')
    expect(state('shout')).to.equal('inactive')
    await other.close()
  })

  describe('by the command line, a process that runs no extensions,', () => {
    let command: ExtensionSite
    const heard = `for (const name of ['activated_plugin', 'deactivated_plugin'])
      host.hooks.addAction(name, (id) => process.emit('heard', name + ' ' + id))`
    let told: string[]
    const listen = (what: string) => void told.push(what)

    beforeEach(async () => {
      told = []
      Reflect.apply(process.on, process, ['heard', listen])
      site.write('listener', { 'index.ts': extensionSource('listener', heard) })
      site.write('shout', { 'index.ts': SHOUT })
      await site.extensions.load()
      await site.extensions.activate('listener')
      told = []
      command = await createExtensionSite({ siteDir: site.siteDir })
    })
    afterEach(async () => {
      Reflect.apply(process.off, process, ['heard', listen])
      await command.close()
    })

    describe('while a server runs', () => {
      let leave: () => Promise<void>
      afterEach(() => leave())
      beforeEach(async () => {
        leave = site.servers.announce()
        await until(async () => (await command.database.db.selectFrom('leases').select('name').execute()).length > 0)
        await command.extensions.load(false)
      })

      it('is done by the server, whose extensions are notified exactly once', async () => {
        await command.servers.activate('shout')
        expect(state('shout')).to.equal('active')
        expect(site.text('hey')).to.equal('hey!')
        expect(command.text('hey')).to.equal('hey')
        await command.servers.activate('shout')
        expect(told).to.deep.equal(['activated_plugin shout'])
        await command.servers.deactivate('shout')
        expect(state('shout')).to.equal('inactive')
        expect(site.text('hey')).to.equal('hey')
        await command.servers.deactivate('shout')
        await until(() => told.length > 1)
        expect(told).to.deep.equal(['activated_plugin shout', 'deactivated_plugin shout'])
      })

      it('fails as over REST, even if it would have worked without the other extensions', async () => {
        const route = `host.rest.registerRoute('shout/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 })`
        site.rest.registerRoute('shout/v1', { method: 'GET', path: '/', access: 'public', handler: () => 1 })
        site.write('shout', { 'index.ts': extensionSource('shout', route) })
        const overRest = await site.ask('/host/v1/extensions/shout/activate', 'POST', site.admin)
        await site.extensions.deactivate('shout')
        told = []
        const refused = await refusal(command.servers.activate('shout'))
        expect(refused).to.include({ code: 'extension_failed', status: 409 })
        expect(overRest.body).to.include({ message: refused.message })
        expect(state('shout')).to.equal('paused')
        expect(refused.message).to.equal(`The extension failed: ${reason('shout')}`)
        expect(told).to.deep.equal([])
      })
    })

    it('without a server is done among the other extensions, which are notified too', async () => {
      await site.extensions.close()
      await command.extensions.load(false)
      await command.servers.activate('shout')
      expect(command.text('hey')).to.equal('hey!')
      expect(told).to.deep.equal(['activated_plugin shout'])
    })
  })

  it('ignores an invalid state that was written by hand', async () => {
    site.write('shout', { 'index.ts': SHOUT })
    await site.options.update(STATE_OPTION, { shout: { state: 'dancing' }, __other: 7 })
    await site.extensions.load()
    expect(state('shout')).to.equal('inactive')
    await site.extensions.activate('shout')
    await site.options.update(STATE_OPTION, [])
    await until(() => site.text('hey') === 'hey')
  })

  describe('of a Pro extension', () => {
    const pro = SHOUT.replace(`version:`, `pro: true, version:`)
    const key = () => issueLicense({ licensee: 'Ann', plan: 'pro' }, licenseKeys.privateKey)

    it('runs while there is a license', async () => {
      site.write('shout', { 'index.ts': pro })
      await site.extensions.load()
      expect(await refusal(site.extensions.activate('shout'))).to.include({ code: 'extension_failed', status: 409 })
      expect(state('shout')).to.equal('paused')
      await site.license.set(key())
      expect(state('shout')).to.equal('active')
      expect(site.text('hey')).to.equal('hey!')
      await site.license.remove()
      expect(state('shout')).to.equal('paused')
      expect(reason('shout')).to.equal('It requires an active license.')
      expect(site.text('hey')).to.equal('hey')
      await restart()
      await site.license.set(key())
      expect(site.text('hey')).to.equal('hey!')
    })

    it('runs again on a license where a former version stored why it was paused', async () => {
      site.write('shout', { 'index.ts': pro })
      // cspell:ignore licence
      const stored = { shout: { state: 'paused', reason: 'It needs an active licence.' } }
      await site.options.update(STATE_OPTION, stored)
      await restart()
      expect(state('shout')).to.equal('paused')
      await site.license.set(key())
      expect(site.text('hey')).to.equal('hey!')
    })
  })
})
