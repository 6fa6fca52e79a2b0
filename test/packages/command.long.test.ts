import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { commandLine } from '../support/command-line.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionOf, startRegistry, type TestRegistry, tarOf } from './registry.ts'

describe('pentad extension', () => {
  const run = commandLine()
  let host: TestHost
  let registry: TestRegistry

  before(async () => {
    registry = await startRegistry()
    host = await createTestHost()
    await host.host.options.update('extension_packages_settings', { registry: registry.url })
  })
  after(async () => {
    await host.close()
    await registry.close()
  })

  const command = (...args: string[]) => run(host.host.config.siteDir, ['extension', ...args])
  const title = () => host.host.hooks.applyFilters('the_title', 'Title', 1)
  const publish = (version: string, body = '') =>
    registry.publish('hello-extension', version, { 'index.js': extensionOf('hello', version, { body }) })

  it('install, outdated, update, and remove change the running site', async () => {
    await publish('1.0.0')
    const installed = await command('install', 'hello-extension', '--activate')
    expect(installed).to.include({ code: 0, errors: '' })
    expect(installed.output).to.match(/^hello 1\.0\.0 is installed\.\n$/)
    await until(() => title() === 'Title 1.0.0')
    expect((await command('outdated')).output).to.equal('All extensions are up to date.\n')

    await publish('1.1.0')
    expect((await command('outdated')).output).to.equal('hello 1.0.0 → 1.1.0\n')
    expect((await command('update', '--all')).output).to.equal('hello was updated from 1.0.0 to 1.1.0.\n')
    await until(() => title() === 'Title 1.1.0')

    await publish('1.2.0', `throw new Error('No such luck.')`)
    const failed = await command('update', 'hello')
    expect(failed.code).to.equal(1)
    expect(failed.errors).to.match(
      /1\.2\.0 does not work on this site\. Version 1\.1\.0 is still installed\..*No such luck/,
    )
    expect(title()).to.equal('Title 1.1.0')

    expect(await command('remove', 'hello', '--with-data')).to.include({
      ...{ code: 0, output: 'hello was removed with its data.\n' },
    })
    await until(() => title() === 'Title')
    expect(readdirSync(join(host.host.config.siteDir, 'extensions'))).to.deep.equal([])
  })

  it('install, update, and remove are reported once to the running site, and to the new version', async () => {
    const { hooks } = host.host
    const reports: unknown[] = []
    const undo = hooks.addAction('upgrader_process_complete', (upgrade) => void reports.push(upgrade))
    const noting = `host.registerUpdateHook((from, to) => host.options.update('noted_update', from + ' ' + to))`
    for (const version of ['1.0.0', '1.1.0']) {
      await registry.publish('noted', version, { 'index.js': extensionOf('noted', version, { body: noting }) })
    }
    await command('install', 'noted@1.0.0', '--activate')
    await until(() => reports.length === 1)
    await command('update', 'noted')
    await until(() => reports.length === 2)
    const common = { type: 'plugin', plugins: ['noted'] }
    expect(reports).to.deep.equal([
      { ...common, action: 'install', previousVersion: null, version: '1.0.0' },
      { ...common, action: 'update', previousVersion: '1.0.0', version: '1.1.0' },
    ])
    await until(() => host.host.options.get('noted_update') === '1.0.0 1.1.0')
    undo()
    const removed: unknown[] = []
    hooks.addAction('deleted_plugin', (...given) => void removed.push(given))
    await command('remove', 'noted')
    await until(() => removed.length === 1)
    expect(removed).to.deep.equal([['noted', true]])
    await until(() => JSON.stringify(host.host.options.get('host_extension_packages')) === '{}')
  })

  it('install takes archives, and says what is wrong', async () => {
    const archive = join(temporaryFolder(), 'tool.tgz')
    writeFileSync(archive, await tarOf({ 'index.js': extensionOf('tool', '1.0.0') }))
    expect((await command('install', archive)).output).to.match(
      /^tool 1\.0\.0 is installed\.\nActivate it: .*activate tool\n$/,
    )
    expect((await command('install', 'no-such-package')).errors).to.match(
      /The registry has no package named no-such-package\./,
    )
    expect((await command('install', 'http://example.org/a.tgz')).errors).to.match(/must start with https/)
    expect((await command('install', 'Not A Name')).errors).to.match(/is not a package name/)
    expect((await command('update')).errors).to.match(/Name an extension, or use --all\./)
    expect((await command('search', 'hello')).output).to.match(/^hello-extension 1\.2\.0 {2}About hello-extension\.\n$/)
  })
})
