import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import * as pentad from '../../app/index.ts'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

describe('an extension’s files', () => {
  let site: ExtensionSite
  let given: Record<string, unknown>

  before(async () => {
    site = await createExtensionSite()
    await site.extensions.load()
    process.on('given', receive)
  })
  after(async () => {
    process.off('given', receive)
    await site.close()
  })
  const receive = (values: Record<string, unknown>) => {
    given = values
  }

  /** Runs an extension; answers what its setup hands over with `give({ … })`. */
  async function run(id: string, head: string, body: string, files: Record<string, string> = {}) {
    given = {}
    const give = `const give = (values) => process.emit('given', values)`
    site.write(id, { 'index.ts': extensionSource(id, body, `${head}\n${give}`), ...files })
    await site.extensions.activate(id)
    return given
  }

  it('get the running host’s own pentad and its packages, one instance of each', async () => {
    const { RestError, zod, fromDefault, dynamic, again } = await run(
      'instances',
      `import { RestError } from 'pentad'\nimport zodDefault, { z } from 'zod'`,
      `give({ RestError, zod: z.ZodObject, fromDefault: zodDefault.ZodObject,
        dynamic: (await import('zod')).z.ZodObject, again: (await import('pentad')).RestError })`,
    )
    expect(RestError).to.equal(pentad.RestError)
    expect(again).to.equal(pentad.RestError)
    for (const one of [zod, fromDefault, dynamic]) expect(one).to.equal(z.ZodObject)
  })

  it('may use all of TypeScript, helper files, JSON and Node', async () => {
    const values = await run(
      'typescript',
      `import { readFileSync } from 'node:fs'
       import path from 'node:path'
       import data from './data.json' with { type: 'json' }
       import { Color, Box } from './lib/shapes.ts'`,
      `give({ color: Color.Green, box: new Box(7).size, data, read: readFileSync(path.join(import.meta.dirname, 'data.json'), 'utf8'),
        late: (await import('./lib/late.ts')).late })`,
      {
        'data.json': '{"answer":42}',
        'lib/shapes.ts': `export enum Color { Red, Green }\nexport class Box { constructor(readonly size: number) {} }`,
        'lib/late.ts': `export const late: string = 'late'`,
      },
    )
    expect(values).to.deep.equal({ color: 1, box: 7, data: { answer: 42 }, read: '{"answer":42}', late: 'late' })
  })

  it('each have their own import.meta', async () => {
    const { here, there, url } = await run(
      'meta',
      `import { there } from './lib/there.ts'`,
      'give({ here: import.meta.filename, url: import.meta.url, there })',
      { 'lib/there.ts': 'export const there = import.meta.filename' },
    )
    const folder = join(site.siteDir, 'extensions', 'meta')
    expect(here).to.equal(join(folder, 'index.ts'))
    expect(url).to.equal(`file://${here}`)
    expect(there).to.equal(join(folder, 'lib', 'there.ts'))
  })

  it('may bring packages of their own: CommonJS, ES modules and TypeScript', async () => {
    const values = await run(
      'packages',
      `import def, { named } from 'esm-only'
       import common, { part } from 'common'
       import { typed } from 'typed'`,
      'give({ def, named, common: common.part, part, typed })',
      {
        'package.json': '{ "type": "module" }',
        'node_modules/esm-only/package.json': '{ "type": "module", "exports": { "import": "./main.js" } }',
        'node_modules/esm-only/main.js': `export default 'default'; export const named = 'named'`,
        'node_modules/common/package.json': '{ "main": "main.js" }',
        'node_modules/common/main.js': `exports.__esModule = true; exports.part = 'part'`,
        'node_modules/typed/package.json': '{ "exports": "./main.ts" }',
        'node_modules/typed/main.ts': `enum E { A = 'typed' }\nexport const typed: string = E.A`,
      },
    )
    expect(values).to.deep.equal({ def: 'default', named: 'named', common: 'part', part: 'part', typed: 'typed' })
  })

  it('may import JSON of a package, with or without saying that it is JSON', async () => {
    const values = await run(
      'data',
      `import said from 'animals/cats.json' with { type: 'json' }
       import { cats } from 'animals/cats.json'
       import own from './own.json'`,
      'give({ said, cats, own })',
      {
        'node_modules/animals/package.json': '{ "version": "1.0.0" }',
        'node_modules/animals/cats.json': '{ "cats": 9 }',
        'own.json': '[1]',
      },
    )
    expect(values).to.deep.equal({ said: { cats: 9 }, cats: 9, own: [1] })
  })

  it('may be a single TypeScript file, which runs, reloads and goes like a folder', async () => {
    const single = (word: string) =>
      extensionSource('single', `host.hooks.addFilter('test_text', (text: string): string => text + '${word}')`)
    site.write('.', { 'single.ts': single('one') })
    await site.extensions.activate('single')
    expect(site.text()).to.equal('one')
    site.write('.', { 'single.ts': single('two') })
    await site.extensions.reload('single')
    expect(site.text()).to.equal('two')
    site.write('.', { 'single.ts': single("'") })
    expect((await refusal(site.extensions.reload('single'))).message).to.contain('single.ts:')
    await site.extensions.deactivate('single')
    expect(site.text()).to.equal('')
  })

  describe('that are wrong say so:', () => {
    const cases: [what: string, source: string, reason: string][] = [
      ['no default export', 'export const a = 1', 'There is no default export.'],
      ['nothing at all', '', 'There is no default export.'],
      ['no setup', `export default { id: 'wrong', name: 'W', version: '1.0.0' }`, 'There is no setup function.'],
      ['no version', `export default { id: 'wrong', name: 'W', version: '1', setup() {} }`, 'The version "1" must be'],
      ['no name', `export default { id: 'wrong', version: '1.0.0', setup() {} }`, 'The name undefined must be'],
      [
        'a wrong type',
        `export default { id: 'wrong', name: 'W', version: '1.0.0', pro: 1, setup() {} }`,
        'pro is 1; it must be true or false.',
      ],
      [
        'a description that is none',
        `export default { id: 'wrong', name: 'W', version: '1.0.0', description: 2, setup() {} }`,
        'The description 2 must be a string.',
      ],
      [
        'another id',
        `const id = 'other'\nexport default { id, name: 'W', version: '1.0.0', setup() {} }`,
        'Its ID is "other"',
      ],
      ['a syntax error', 'let a = 1\nlet a = 2', 'The symbol "a" has already been declared (wrong/index.ts:2)'],
      ['a missing helper', `import './gone.ts'`, 'There is no file "./gone.ts". (wrong/index.ts:1)'],
      [
        'a missing package',
        `import 'no-such-package'`,
        'The package "no-such-package" is not installed. Run npm install no-such-package in wrong. (wrong/index.ts:1)',
      ],
      ['a throw', `const none = null\nnone.length`, '(wrong/index.ts:2)'],
      ['a top-level await', `await 1`, 'Top-level await is not supported in extensions'],
    ]
    for (const [what, source, reason] of cases) {
      it(what, async () => {
        site.write('wrong', { 'index.ts': source })
        const refused = await refusal(site.extensions.activate('wrong'))
        expect(refused).to.include({ code: 'extension_failed', status: 409 })
        expect(refused.message).to.contain(reason)
        expect(site.extensions.list().find(({ id }) => id === 'wrong')?.state).to.equal('paused')
      })
    }

    it('an invalid package.json', async () => {
      site.write('broken', { 'index.ts': extensionSource('broken', ''), 'package.json': '{ "main": ' })
      await site.extensions.discover()
      const report = site.extensions.list().find(({ id }) => id === 'broken')
      expect(report?.reason).to.match(/^package\.json: /)
      expect(await refusal(site.extensions.activate('broken'))).to.include({ code: 'extension_failed' })
    })

    it('an invalid id', async () => {
      site.write('wrong', { 'index.ts': `export default { id: 'Wrong One', name: 'W', version: '1.0.0', setup() {} }` })
      expect((await refusal(site.extensions.activate('wrong'))).message).to.contain('"Wrong One"')
    })
  })
})
