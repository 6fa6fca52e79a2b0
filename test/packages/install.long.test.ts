import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { markUntrustedCode } from '../../cms/untrusted-code.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { extensionOf, startRegistry, type TestRegistry, tarOf } from './registry.ts'

describe('installing extensions', () => {
  let host: TestHost
  let registry: TestRegistry

  beforeEach(async () => {
    registry = await startRegistry()
    host = await createTestHost()
    await configure()
  })
  afterEach(async () => {
    await host.close()
    await registry.close()
  })

  const configure = (settings: object = {}) =>
    host.host.options.update('extension_packages_settings', { registry: registry.url, ...settings })
  const folder = () => join(host.host.config.siteDir, 'extensions')
  const title = () => host.host.hooks.applyFilters('the_title', 'Title', 1)
  const publish = (version: string, source = extensionOf('hello', version), more = {}) =>
    registry.publish('hello-extension', version, { 'index.js': source }, more)
  const install = (range = 'latest', options = {}) =>
    host.host.packages.install({ type: 'registry', name: 'hello-extension', range }, options)
  const failure = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    throw new Error('It did not fail.')
  }
  /** What an operation must not leave behind. */
  const leftovers = () => readdirSync(folder()).filter((name) => name.startsWith('.'))

  describe('from the registry', () => {
    it('installs the newest version, inactive, and activates it on request', async () => {
      await publish('1.0.0')
      await publish('1.2.0')
      await publish('2.0.0-beta.1', undefined, { tag: 'next' })
      expect(await install()).to.deep.equal({
        ...{ id: 'hello', name: 'Name of hello', version: '1.2.0', previousVersion: null },
      })
      expect(title()).to.equal('Title')
      expect(host.host.extensions.list().find(({ id }) => id === 'hello')).to.include({ state: 'inactive' })
      await host.host.extensions.activate('hello')
      expect(title()).to.equal('Title 1.2.0')
      expect(leftovers()).to.deep.equal([])
    })

    it('installs a version, a range, or a tag', async () => {
      for (const version of ['1.0.0', '1.1.0', '2.0.0']) await publish(version)
      await publish('3.0.0-beta.1', undefined, { tag: 'next' })
      expect(await install('^1.0.0', { activate: true })).to.include({ version: '1.1.0' })
      expect(await install('1.0.0')).to.include({ version: '1.0.0', previousVersion: '1.1.0' })
      expect(title()).to.equal('Title 1.0.0')
      expect(await install('next')).to.include({ version: '3.0.0-beta.1' })
      expect(await failure(install('^9.0.0'))).to.equal('The registry has no version ^9.0.0 of hello-extension.')
    })

    it('skips deprecated versions', async () => {
      await publish('1.0.0')
      await publish('1.1.0', undefined, { deprecated: 'It deletes posts.' })
      expect(await install()).to.include({ version: '1.0.0' })
    })

    it('rejects a file whose checksum differs', async () => {
      await publish('1.0.0', undefined, { isAltered: true })
      expect(await failure(install())).to.match(/The checksum of hello-extension 1\.0\.0 does not match/)
      expect(existsSync(join(folder(), 'hello'))).to.equal(false)
    })

    it('verifies the signature where the registry signs', async () => {
      await publish('1.0.0', undefined, { isSigned: true })
      expect(await install()).to.include({ version: '1.0.0' })
      await publish('1.1.0', undefined, { isSigned: true, isForged: true })
      expect(await failure(install())).to.match(/signature of hello-extension 1\.1\.0 is invalid/)
    })

    it('waits until the release delay has passed', async () => {
      await publish('1.0.0')
      await publish('1.1.0', undefined, { age: 3 })
      expect(await install()).to.include({ version: '1.0.0' })
      expect(await failure(install('1.1.0'))).to.match(/was published 3 hours ago, .* It can be installed after 20/)
      expect(await install('1.1.0', { ignoresDelay: true })).to.include({ version: '1.1.0' })
      await publish('1.2.0', undefined, { age: 3 })
      await configure({ releaseDelayHours: 2 })
      expect(await install()).to.include({ version: '1.2.0' })
    })

    it('sends the access token to the registry only', async () => {
      await host.host.settings.get('extension_packages')?.update({ registryToken: 'secret' })
      await publish('1.0.0')
      await install()
      expect(registry.requests.map(({ authorization }) => authorization)).to.deep.equal([
        'Bearer secret',
        'Bearer secret',
      ])
    })

    it('requests no private address but that of the registry', async () => {
      const other = await startRegistry()
      try {
        const url = `${other.url}/package.tgz`
        expect(await failure(host.host.packages.install({ type: 'url', url }))).to.match(/is not used/)
        expect(
          await failure(host.host.packages.install({ type: 'url', url: url.replace('http:', 'https:') })),
        ).to.match(/its address is not public/)
        expect(other.requests).to.deep.equal([])
      } finally {
        await other.close()
      }
    })

    it('names what is not there', async () => {
      expect(await failure(install())).to.equal('The registry has no package named hello-extension.')
      await registry.close()
      expect(await failure(install())).to.match(/^hello-extension could not be downloaded from 127\.0\.0\.1/)
      registry = await startRegistry()
    })
  })

  describe('an update', () => {
    beforeEach(async () => {
      await publish('1.0.0')
      await install('latest', { activate: true })
    })

    it('replaces the running version, and reports it', async () => {
      const reports: unknown[] = []
      host.host.hooks.addAction('upgrader_process_complete', (report) => void reports.push(report))
      await publish('1.1.0')
      expect(await host.host.packages.outdated()).to.deep.equal([
        { id: 'hello', package: 'hello-extension', version: '1.0.0', newest: '1.1.0', heldUntil: null },
      ])
      expect(await host.host.packages.update('hello')).to.include({ version: '1.1.0', previousVersion: '1.0.0' })
      expect(title()).to.equal('Title 1.1.0')
      expect(reports).to.deep.equal([
        { action: 'update', type: 'plugin', plugins: ['hello'], previousVersion: '1.0.0', version: '1.1.0' },
      ])
      expect(await host.host.packages.update('hello')).to.equal(undefined)
      expect(await host.host.packages.outdated()).to.deep.equal([])
      expect(leftovers()).to.deep.equal([])
    })

    it('leaves the previous version running if setup fails', async () => {
      await publish('1.1.0', extensionOf('hello', '1.1.0', { body: `throw new Error('No such luck.')` }))
      expect(await failure(host.host.packages.update('hello'))).to.match(
        /Name of hello 1\.1\.0 does not work on this site\. Version 1\.0\.0 is still installed\. .*No such luck/,
      )
      expect(title()).to.equal('Title 1.0.0')
      await host.host.extensions.reload('hello')
      expect(title()).to.equal('Title 1.0.0')
      expect(leftovers()).to.deep.equal([])
    })

    it('leaves the previous version untrusted if setup fails', async () => {
      await host.host.extensions.deactivate('hello')
      await markUntrustedCode(folder())
      await publish('1.1.0', extensionOf('hello', '1.1.0', { body: `throw new Error('No such luck.')` }))
      expect(await failure(install('1.1.0', { activate: true }))).to.include('Version 1.0.0 is still installed.')
      const [hello] = host.host.extensions.list().filter(({ id }) => id === 'hello')
      expect(hello).to.include({ version: '1.0.0', isUntrusted: true })
    })

    it('is refused for an older version that lacks migrations, and the newer version keeps running', async () => {
      const migrate = (names: readonly string[]) =>
        `await host.database.migrate('hello', { ${names.map((name) => `'${name}': { up: (db) => db.schema.createTable('hello_${name}').addColumn('a', 'text').execute() }`).join(', ')} })`
      await publish('1.1.0', extensionOf('hello', '1.1.0', { body: migrate(['one']) }))
      await publish('1.2.0', extensionOf('hello', '1.2.0', { body: migrate(['one', 'two']) }))
      await host.host.packages.update('hello')
      const older = { type: 'registry', name: 'hello-extension', range: '1.1.0' } as const
      expect(await failure(host.host.packages.install(older))).to.match(
        /Name of hello 1\.1\.0 does not work on this site\. Version 1\.2\.0 is still installed\. .*migrated by a newer version, with the migration two\. Install that version again, or restore a backup/,
      )
      expect(title()).to.equal('Title 1.2.0')
      await host.host.extensions.reload('hello')
      expect(title()).to.equal('Title 1.2.0')
      expect(leftovers()).to.deep.equal([])
    })

    it('leaves the previous version running if a migration fails', async () => {
      const body = `await host.database.migrate('hello', { '001_broken': { up: (db) => db.schema.dropTable('no_such_table').execute() } })`
      await publish('1.1.0', extensionOf('hello', '1.1.0', { body }))
      expect(await failure(host.host.packages.update('hello'))).to.match(/could not be migrated/)
      expect(title()).to.equal('Title 1.0.0')
    })

    it('must meet the requirements of others, and its own', async () => {
      await registry.publish('cart', '1.0.0', {
        'index.js': extensionOf('cart', '1.0.0', { manifest: `requires: { extensions: { hello: '^1.0.0' } },` }),
      })
      await host.host.packages.install({ type: 'registry', name: 'cart', range: 'latest' }, { activate: true })
      await publish('2.0.0')
      expect(await failure(host.host.packages.update('hello'))).to.equal(
        'The extension "cart" requires hello ^1.0.0, so Name of hello 2.0.0 was not installed.',
      )
      expect(await failure(host.host.packages.remove('hello'))).to.match(/The extension "cart" requires hello\./)
      await publish('1.1.0', extensionOf('hello', '1.1.0', { manifest: `requires: { pentad: '>=99' },` }))
      expect(await failure(install('1.1.0'))).to.match(
        /Name of hello cannot run on this site\. It requires Pentad >=99/,
      )
      expect(title()).to.equal('Title 1.0.0 1.0.0')
    })

    it('asks before a sandboxed extension may do more', async () => {
      const release = (version: string, permissions: string, body = '') =>
        registry.publish('guest', version, {
          'index.js': `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'guest', name: 'Guest', version: '${version}', isolation: 'sandbox', permissions: { ${permissions} }, setup() { ${body} } })`,
        })
      const versionOf = () => host.host.extensions.list().find(({ id }) => id === 'guest')?.version
      const consent = () => JSON.stringify(host.host.options.get('sandbox_consents'))
      await release('1.0.0', 'storage: 1')
      await host.host.packages.install({ type: 'registry', name: 'guest', range: 'latest' }, { activate: true })
      await release('1.1.0', 'storage: 1, users: true')
      const added = ['See the name and roles of the current user']
      for (const permissions of [undefined, [], ['Store up to 1 MB']]) {
        const update = host.host.packages.update('guest', permissions && { permissions })
        expect(await failure(update)).to.equal(`Guest 1.1.0 requires additional permissions: ${added[0]}.`)
      }
      expect(versionOf()).to.equal('1.0.0')
      await host.host.packages.update('guest', { permissions: added })
      expect(versionOf()).to.equal('1.1.0')

      // What was allowed for a version that does not work is forgotten.
      const before = consent()
      await release('1.2.0', 'storage: 2, users: true', `throw new Error('No such luck.')`)
      const broken = host.host.packages.update('guest', { permissions: 'all' })
      expect(await failure(broken)).to.match(/Version 1\.1\.0 is still installed\. .*No such luck/)
      expect(consent()).to.equal(before)
      await host.host.extensions.reload('guest')
    })

    it('is not installed if the sandbox cannot run it, even if it is not activated', async () => {
      await registry.publish('wrong', '1.0.0', {
        'index.js': `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'wrong', name: 'Wrong', version: '1.0.0', isolation: 'sandbox', permissions: { route: ['public'] }, setup() {} })`,
      })
      const installing = host.host.packages.install({ type: 'registry', name: 'wrong', range: 'latest' })
      expect(await failure(installing)).to.match(/Wrong cannot run on this site\. The manifest is invalid: .*route/)
      expect(host.host.extensions.get('wrong')).to.equal(undefined)
    })

    it('does not come from another package', async () => {
      await registry.publish('stolen', '9.0.0', { 'index.js': extensionOf('hello', '9.0.0') })
      const other = host.host.packages.install({ type: 'registry', name: 'stolen', range: 'latest' })
      expect(await failure(other)).to.match(/hello was installed from the package hello-extension/)
    })

    it('is restored after a crash in the middle of it', async () => {
      const { siteDir } = host.host.config
      const hidden = join(siteDir, 'extensions', '.old-hello')
      const { renameSync } = await import('node:fs')
      renameSync(join(siteDir, 'extensions', 'hello'), hidden)
      await publish('1.1.0')
      await host.host.packages.update('hello')
      expect(title()).to.equal('Title 1.1.0')
      expect(leftovers()).to.deep.equal([])
    })
  })

  describe('a file', () => {
    const write = async (files: Record<string, string>) => {
      const path = join(temporaryFolder(), 'hello.tgz')
      writeFileSync(path, await tarOf(files))
      return path
    }
    const installPath = (path: string) => host.host.packages.install({ type: 'path', path }, { activate: true })

    it('is installed, and a folder too', async () => {
      await installPath(await write({ 'index.js': extensionOf('hello', '1.0.0') }))
      expect(title()).to.equal('Title 1.0.0')
      const source = temporaryFolder()
      mkdirSync(join(source, 'node_modules', 'big'), { recursive: true })
      writeFileSync(join(source, 'node_modules', 'big', 'index.js'), '')
      writeFileSync(join(source, 'index.ts'), extensionOf('hello', '1.1.0'))
      await installPath(source)
      expect(title()).to.equal('Title 1.1.0')
      expect(readdirSync(join(folder(), 'hello'))).to.deep.equal(['index.ts'])
      expect(await failure(host.host.packages.update('hello'))).to.match(/was not installed from the registry/)
    })

    it('that is no extension, or not a whole one, changes nothing', async () => {
      expect(await failure(installPath(await write({ 'README.md': '' })))).to.match(/The package is not an extension/)
      const path = join(temporaryFolder(), 'text.tgz')
      writeFileSync(path, 'Not an archive.')
      expect(await failure(installPath(path))).to.match(/The file is damaged, or not an archive/)
      const needy = JSON.stringify({ name: 'hello', main: 'index.js', dependencies: { 'left-pad': '1', zod: '4' } })
      const files = { 'index.js': extensionOf('hello', '1.0.0'), 'package.json': needy }
      expect(await failure(installPath(await write(files)))).to.match(/It needs the packages left-pad, /)
      expect(await failure(installPath(await write({ 'index.js': extensionOf('seo', '1.0.0') })))).to.match(
        /seo is the ID of an extension that is not in this site/,
      )
      expect(readdirSync(folder())).to.deep.equal([])
    })

    it('is not installed if it does not start', async () => {
      const broken = extensionOf('hello', '1.0.0', { body: `throw new Error('No.')` })
      expect(await failure(installPath(await write({ 'index.js': broken })))).to.match(/It was not installed\. .*No\./)
      expect(readdirSync(folder())).to.deep.equal([])
      expect(host.host.extensions.list().some(({ id }) => id === 'hello')).to.equal(false)
    })
  })

  describe('removing', () => {
    const body = `
      await host.database.migrate('hello', { '001_greetings': { up: (db) => db.schema.createTable('greetings').addColumn('text', 'text').execute() } })`
    const manifest = `async uninstall({ database }) { await database.db.schema.dropTable('greetings').execute() },`
    const tables = async () =>
      (await host.host.database.db.introspection.getTables())
        .map(({ name }) => name)
        .filter((name) => /greeting|hello/.test(name))

    beforeEach(async () => {
      await publish('1.0.0', extensionOf('hello', '1.0.0', { body, manifest }))
      await install('latest', { activate: true })
    })

    it('deactivates it, deletes its files, and leaves its data', async () => {
      const deleted: unknown[] = []
      host.host.hooks.addAction('deleted_plugin', (...args) => void deleted.push(args))
      await host.host.packages.remove('hello')
      expect(title()).to.equal('Title')
      expect(readdirSync(folder())).to.deep.equal([])
      expect(await tables()).to.include('greetings')
      expect(deleted).to.deep.equal([['hello', true]])
      await install('latest', { activate: true })
      expect(title()).to.equal('Title 1.0.0')
    })

    it('deletes its data on request, so that a new installation starts from scratch', async () => {
      await host.host.options.update('hello_settings', { greeting: 'Hi' })
      await host.host.packages.remove('hello', { withData: true })
      expect(await tables()).to.deep.equal([])
      expect(host.host.options.get('hello_settings')).to.equal(undefined)
      await install('latest', { activate: true })
      expect(await tables()).to.include('greetings')
    })

    it('deletes all options of a sandboxed extension, and none of others', async () => {
      const source = `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'claps', name: 'Claps', version: '1.0.0', isolation: 'sandbox', permissions: { storage: 1 },
  setup({ options, registerActivationHook }) { registerActivationHook(() => options.update('claps_1', 5)) } })`
      await registry.publish('claps', '1.0.0', { 'index.js': source })
      await host.host.packages.install({ type: 'registry', name: 'claps', range: '*' }, { activate: true })
      await host.host.options.update('claps2_1', 1)
      expect(host.host.options.names().filter((name) => name.startsWith('claps'))).to.include('claps_1')
      await host.host.packages.remove('claps', { withData: true })
      expect(host.host.options.names().filter((name) => name.startsWith('claps'))).to.deep.equal(['claps2_1'])
    })

    it('does not delete what comes with Pentad', async () => {
      expect(await failure(host.host.packages.remove('hello-world'))).to.equal('No extension has that ID.')
      expect(await failure(host.host.packages.remove('store'))).to.match(/^store comes with Pentad/)
    })
  })

  it('is refused where changes to code are not allowed', async () => {
    await host.close()
    host = await createTestHost({ config: { disallowFileMods: true } })
    await configure()
    await publish('1.0.0')
    for (const work of [install(), host.host.packages.remove('store')]) {
      expect(await failure(work)).to.match(/does not allow extensions to be installed or removed/)
    }
  })

  it('searches the registry for extensions', async () => {
    await publish('1.0.0')
    await registry.publish('weather-extension', '1.0.0', {})
    await install()
    expect(await host.host.packages.search('hello')).to.deep.equal([
      {
        ...{ name: 'hello-extension', version: '1.0.0', description: 'About hello-extension.', date: null },
        ...{ author: 'ada', homepage: null, installedId: 'hello' },
      },
    ])
    expect(await host.host.packages.search('')).to.have.length(2)
  })
})
