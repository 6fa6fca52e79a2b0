import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

describe('a pipe or a device among the files of an extension', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    site.write('shout', {
      'index.ts': extensionSource('shout', `host.hooks.addFilter('test_text', (text) => text + '!')`),
    })
    await site.extensions.load()
  })
  afterEach(() => site.close())

  function pipe(name: string): void {
    const path = join(site.siteDir, 'extensions', name)
    mkdirSync(dirname(path), { recursive: true })
    execFileSync('mkfifo', [path])
  }
  const problems = async () => {
    await site.extensions.discover()
    return Object.fromEntries(site.extensions.list().map(({ id, reason }) => [id, reason]))
  }

  it('is not read, and the list says so of that extension alone', async () => {
    pipe('piped/index.ts')
    pipe('single.ts')
    symlinkSync('/dev/zero', join(site.siteDir, 'extensions/endless.js'))
    mkdirSync(join(site.siteDir, 'extensions/nested/index.ts'), { recursive: true })
    site.write('packed', { 'index.ts': extensionSource('packed', '') })
    pipe('packed/package.json')
    expect(await problems()).to.deep.equal({
      shout: null,
      piped: 'index.ts is not a regular file.',
      single: 'single.ts is not a regular file.',
      endless: 'zero is not a regular file.',
      nested: 'index.ts is not a regular file.',
      packed: 'package.json: package.json is not a regular file.',
    })
    await site.extensions.activate('shout')
    expect(site.text('hey')).to.equal('hey!')
    expect(await refusal(site.extensions.activate('piped'))).to.deep.include({
      code: 'extension_failed',
      message: 'The extension failed: index.ts is not a regular file.',
    })
  })

  for (const file of ['helper.ts', 'text.txt', 'tsconfig.json', 'jsconfig.json', '../package.json']) {
    it(`keeps it from being activated: ${file}`, async () => {
      const imports = /json/.test(file) ? '' : `import { value } from './${file}'\nconsole.assert(value)`
      site.write('odd', { 'index.ts': extensionSource('odd', '', imports) })
      pipe(join('odd', file))
      expect((await refusal(site.extensions.activate('odd'))).message).to.match(
        new RegExp(`^The extension failed: ${file.replace('../', '')} is not a regular file\\.`),
      )
      rmSync(join(site.siteDir, 'extensions/odd', file))
      if (imports === '') expect(await site.extensions.activate('odd')).to.include({ state: 'active' })
    })
  }
})
