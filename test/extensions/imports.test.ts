import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

const PACKAGES = join(import.meta.dirname, '../../node_modules')

describe('what an extension imports', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
  })
  afterEach(() => site.close())

  const show = (expression: string) => `host.hooks.addFilter('test_text', () => ${expression})`
  const write = (body: string, head: string, files: Record<string, string> = {}, entry = 'index.ts') =>
    site.write('tool', { [entry]: extensionSource('tool', body, head), ...files })
  const reason = async () => (await refusal(site.extensions.activate('tool'))).message

  function install(name: string): void {
    const place = join(site.siteDir, 'extensions/tool/node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(PACKAGES, name), place)
  }

  it('may be JSON, and CSS, HTML or SVG as text', async () => {
    write(
      show('data.word + css + svg'),
      `import data from './data.json'; import css from './style.css'; import svg from './icon.svg'; import './side.css'`,
      { 'data.json': '{ "word": "hello " }', 'style.css': 'a { }', 'icon.svg': '<svg/>', 'side.css': 'b { }' },
    )
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('hello a { }<svg/>')
  })

  for (const [file, code] of [
    ['index.mjs', 'export default () => `default`; export const named = `named`'],
    ['index.cjs', 'module.exports = () => `default`; module.exports.named = `named`'],
    ['index.js', 'module.exports = () => `default`; module.exports.named = `named`'],
  ] as const) {
    for (const type of ['module', 'commonjs']) {
      it(`may be the default and the named exports of a package's ${file}, in an extension of type ${type}`, async () => {
        write(show('pad() + named'), `import pad, { named } from 'pad'`, {
          'package.json': JSON.stringify({ name: 'tool', type }),
          'node_modules/pad/package.json': JSON.stringify({ name: 'pad', main: file }),
          [`node_modules/pad/${file}`]: code,
        })
        await site.extensions.activate('tool')
        expect(site.text()).to.equal('defaultnamed')
      })
    }
  }

  it('may not be a CSS module, which is said', async () => {
    write('', `import style from './style.module.css'; console.log(style)`, { 'style.module.css': '.a { }' })
    expect(await reason()).to.contain('CSS modules are not supported in extensions. Rename the file to .css')
  })

  it('may be JSX where React is installed in the extension, in the entry too', async () => {
    install('react')
    install('react-dom')
    write(
      show('renderToStaticMarkup(<Box>now</Box>)'),
      `import { renderToStaticMarkup } from 'react-dom/server'; import { Box } from './box.tsx'`,
      { 'box.tsx': `export const Box = ({ children }: { children: string }) => <b>{children}</b>` },
      'index.tsx',
    )
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('<b>now</b>')
  })

  it('may be JSX for Preact', async () => {
    write(show('box().props.children'), `import { box } from './box.tsx'`, {
      'box.tsx': `export const box = () => <b>made by preact</b>`,
      'node_modules/preact/package.json': '{ "name": "preact", "exports": { "./jsx-runtime": "./runtime.js" } }',
      'node_modules/preact/runtime.js': 'exports.jsx = (type, props) => ({ type, props })',
    })
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('made by preact')
  })

  it('may not be JSX without either, which is said', async () => {
    write('', `import { box } from './box.tsx'; console.log(box)`, { 'box.tsx': 'export const box = () => <b>x</b>' })
    expect(await reason()).to.contain(
      'JSX needs React or Preact in the extension. Run npm install react, or preact, in tool. (tool/box.tsx:1)',
    )
  })

  it('that is not installed, or not there, is named with file and line', async () => {
    write('', `import pad from '@scope/left-pad/lib'; import { x } from './x.ts'; console.log(pad, x)`)
    expect(await reason())
      .to.contain(
        'The package "@scope/left-pad/lib" is not installed. Run npm install @scope/left-pad in tool. (tool/index.ts:2)',
      )
      .and.contain('There is no file "./x.ts". (tool/index.ts:2)')
  })

  it('may be named by a package.json of npm init, whose main is missing: index.ts runs, and the log says so once', async () => {
    write(show(`'here'`), '', { 'package.json': '{ "name": "tool", "main": "index.js" }' })
    await site.extensions.activate('tool')
    expect(site.text()).to.equal('here')
    const warnings = site.records.filter(({ msg }) => msg === 'main of package.json is missing')
    expect(warnings).to.have.lengthOf(1)
    expect(warnings[0]).to.include({ extension: 'tool', main: 'index.js' })
  })

  it('may not be without an entry, which is said', async () => {
    site.write('tool', { 'package.json': '{ "name": "tool", "main": "./dist/index.js" }', 'src/index.ts': '' })
    expect(await reason()).to.equal(
      'No extension has that ID. The folder "tool" has no index.ts, and the main of its package.json, "./dist/index.js", is missing.',
    )
    site.write('tool', { 'package.json': '{ "name": "tool" }' })
    expect(await reason()).to.equal('No extension has that ID. The folder "tool" has no index.ts.')
    expect((await refusal(site.extensions.activate('other'))).message).to.equal('No extension has that ID.')
  })

  for (const [what, body] of [
    ['the settings', 'host.settings.register(z.object({}))'],
    ['the route tool/v1/x', `host.rest.registerRoute('tool/v1', { method: 'GET', path: '/x', input: z.object({}) })`],
    ['the ability tool/x', `host.abilities.register({ name: 'tool/x', input: z.object({}) })`],
    ['the job x', `host.jobs.define({ type: 'x', data: z.object({}) })`],
  ] as const) {
    it(`may be zod 3, whose schema of ${what} is refused with both versions`, async () => {
      write(body, `import { z } from 'zod'`, {
        'node_modules/zod/package.json': '{ "name": "zod", "version": "3.25.76", "main": "index.cjs" }',
        // As zod 4 carries it under this name.
        'node_modules/zod/index.cjs': `module.exports = require(${JSON.stringify(join(PACKAGES, 'zod/v3/index.cjs'))})`,
      })
      expect(await reason()).to.match(
        new RegExp(
          `The schema of ${what} was created with zod 3, but Pentad uses zod 4\\.\\d+\\.\\d+\\. .*\\(tool/index\\.ts:5\\)`,
        ),
      )
    })
  }
})
