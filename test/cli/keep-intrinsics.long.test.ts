import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** An extension that does this as its file is loaded, in setup, and in a route, each on a line of its own. */
function extension(id: string, { top = '', setup = '', route = '' }): string {
  return `import { defineExtension } from 'pentad'
${top}
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', async setup({ rest }) {
  ${setup}
  rest.registerRoute('${id}/v1', { method: 'GET', path: '/now', access: 'public', async handler() {
    ${route}
    return 'done'
  } })
} })`
}

/** Replaced while they are loaded, when nothing else runs. */
const LOADING: Record<string, { top?: string; setup?: string; reason: string }> = {
  'borrowed-at-top': {
    top: 'Array.prototype.map = Array.prototype.filter',
    reason: 'It overwrote the global Array.prototype.map.',
  },
  'borrowed-in-setup': {
    setup: 'Promise.prototype.then = Promise.prototype.catch',
    reason: 'It overwrote the global Promise.prototype.then.',
  },
  'deleting-in-setup': {
    setup: 'delete Array.prototype.includes',
    reason: 'It overwrote the global Array.prototype.includes.',
  },
  'short-in-setup': {
    setup: 'Object.keys = () => []',
    reason: 'It overwrote the global Object.keys. (short-in-setup/index.ts:4)',
  },
}

/** Replaced in a route, by what was written there: `other` is another extension with the same text. */
const WRITTEN: Record<string, [code: string, named: string]> = {
  short: ['await 1; Array.prototype.flatMap = () => {}', 'Array.prototype.flatMap'],
  other: ['const other = () => {}', ''],
  bound: ['String.prototype.at = (function () {}).bind(1).bind(2)', 'String.prototype.at'],
  class: ['URL.canParse = class {}', 'URL.canParse'],
}

describe('pentad start, with extensions that replace functions of JavaScript', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite

  before(async () => {
    const extensions = new Map<string, string>([
      ...Object.entries(LOADING).map(([id, code]): [string, string] => [id, extension(id, code)]),
      ...Object.entries(WRITTEN).map(([id, [route]]): [string, string] => [id, extension(id, { route })]),
      ['renaming', extension('renaming', { route: 'globalThis.Promise = globalThis.Map = class {} as never' })],
      ['clock', extension('clock', { route: 'performance.now = () => 0' })],
      ['borrowed', extension('borrowed', { route: 'await 1; Array.prototype.findLast = Array.prototype.find' })],
    ])
    for (const [id, source] of extensions) {
      mkdirSync(join(siteDir, 'extensions', id), { recursive: true })
      writeFileSync(join(siteDir, 'extensions', id, 'index.ts'), source)
    }
    const active = Object.fromEntries([...extensions.keys()].map((id) => [id, { state: 'active', reason: null }]))
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions: active }))
    site = await startPentad(siteDir)
  })
  after(() => site.end('SIGKILL'))

  const stored = (id: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions[id]
  const ask = async (id: string) => (await fetch(`${site.url}/wp-json/${id}/v1/now`)).status

  for (const [id, { reason }] of Object.entries(LOADING)) {
    it(`does not start the one that does so: ${id}`, () => {
      expect(stored(id)).to.include({ state: 'paused', reason })
    })
  }

  for (const [id, [code, named]] of Object.entries(WRITTEN)) {
    if (named === '') continue
    it(`pauses the one that wrote the function, with file and line: ${code}`, async () => {
      expect(await ask(id)).to.equal(200)
      await until(() => stored(id).state === 'paused')
      expect(stored(id).reason).to.equal(`It overwrote the global ${named} (${id}/index.ts:6).`)
    })
  }

  it('identifies the extension at the second assignment of a built-in function, whose source reveals nothing', async () => {
    expect(await ask('borrowed')).to.equal(200)
    await until(() => site.output().includes('"global Array.prototype.findLast overwritten"'))
    expect(stored('borrowed').state).to.equal('active')
    expect(await ask('borrowed')).to.equal(500)
    await until(() => stored('borrowed').state === 'paused')
    expect(stored('borrowed').reason).to.equal(
      'It tried to overwrite a global function: Array.prototype.findLast = <function> (borrowed/index.ts:6).',
    )
  })

  it('ignores assignments to the names of built-in objects, and rejects those of clock and random numbers', async () => {
    expect(await ask('renaming')).to.equal(200)
    expect(await ask('clock')).to.equal(500)
    await until(() => stored('clock').state === 'paused')
    expect(stored('clock').reason).to.contain('Performance.prototype.now = <function> (clock/index.ts:6)')
    expect(stored('renaming').state).to.equal('active')
    expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
  })

  it('leaves the others alone', async () => {
    expect(stored('other')).to.include({ state: 'active' })
    expect(await ask('other')).to.equal(200)
    expect(await site.end()).to.equal(0)
  })
})
