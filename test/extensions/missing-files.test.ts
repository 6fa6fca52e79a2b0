import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '../support/until.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

const REASON = 'Its files are missing. Restore them, or deactivate the extension.'

describe('an active extension whose files are deleted', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite({ filesCheck: 20 })
    await site.extensions.load()
    site.write('shout', {
      'index.ts': extensionSource('shout', `host.hooks.addFilter('test_text', (text) => text + '!')`),
    })
    await site.extensions.activate('shout')
    expect(site.text('hey')).to.equal('hey!')
  })
  afterEach(() => site.close())

  const folder = () => join(site.siteDir, 'extensions/shout')
  const report = () => site.extensions.list().find(({ id }) => id === 'shout')

  async function restart(): Promise<void> {
    await site.close()
    site = await createExtensionSite({ siteDir: site.siteDir, filesCheck: 20 })
    await site.extensions.load()
  }

  it('stops, says why, and runs again when they are back', async () => {
    renameSync(folder(), `${folder()}-away.d.ts`)
    await until(() => report()?.state === 'paused')
    expect(report()).to.include({ reason: REASON })
    expect(site.text('hey')).to.equal('hey')
    renameSync(`${folder()}-away.d.ts`, folder())
    await until(() => site.text('hey') === 'hey!')
    expect(report()).to.include({ state: 'active', reason: null })
  })

  it('stops while it is watched too', async () => {
    site.loader.watch(site.extensions)
    rmSync(folder(), { recursive: true })
    await until(() => report()?.state === 'paused')
    expect(report()).to.include({ reason: REASON })
    expect(site.text('hey')).to.equal('hey')
    expect(await refusal(site.extensions.activate('shout'))).to.include({ code: 'extension_failed' })
  })

  it('is paused after a restart as well, until an administrator deactivates it', async () => {
    rmSync(folder(), { recursive: true })
    await restart()
    expect(report()).to.include({ state: 'paused', reason: REASON })
    await restart()
    expect(report()).to.include({ state: 'paused', reason: REASON })
    await site.extensions.deactivate('shout')
    await site.extensions.discover()
    expect(report()).to.equal(undefined)
    await restart()
    expect(report()).to.equal(undefined)
  })

  it('keeps running while its files exist but cannot be read', async () => {
    site.write('shout', { 'index.ts': 'export default defineExtension({ id: ' })
    site.write('renamed', { 'index.ts': extensionSource('other', '') })
    await site.extensions.discover()
    await site.extensions.activate('other')
    site.write('renamed', { 'index.ts': 'not an extension {' })
    await refusal(site.extensions.reload('other'))
    expect(site.extensions.list().find(({ id }) => id === 'other')).to.include({ state: 'active' })
    expect(site.text('hey')).to.equal('hey!')
  })
})
