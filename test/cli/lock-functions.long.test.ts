import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** An assignment, and what it replaces as it is named. */
const REPLACING: [code: string, named: string][] = [
  ['process.nextTick = () => {}', 'process.nextTick'],
  ['globalThis.setTimeout = () => {}', 'setTimeout'],
  ['setImmediate = () => {}', 'setImmediate'],
  ['globalThis.queueMicrotask = () => {}', 'queueMicrotask'],
  ['globalThis.fetch = host.fetch', 'fetch'],
  ['JSON.stringify = JSON.stringify.bind(JSON)', 'JSON.stringify'],
  ['globalThis.JSON = { ...JSON }', 'JSON'],
  ['AsyncLocalStorage.prototype.getStore = () => undefined', 'AsyncLocalStorage.prototype.getStore'],
  ['EventEmitter.prototype.emit = () => true', 'EventEmitter.prototype.emit'],
  ['ServerResponse.prototype.end = fail', 'OutgoingMessage.prototype.end'],
  ['fs.promises.readFile = fail', 'fs/promises.readFile'],
  ['fs.promises.writeFile = fail', 'fs/promises.writeFile'],
  ['fs.readFileSync = fail', 'fs.readFileSync'],
  ['crypto.createHash = () => { throw 1 }', 'crypto.createHash'],
  ['path.join = fail', 'path.join'],
]

/** What throws anyway, since the property is no longer configurable. */
const DEFINING = [
  `Object.defineProperty(JSON, 'stringify', { value: fail })`,
  `Object.defineProperty(fs, 'readFileSync', { value: fail })`,
  `Object.defineProperty(fs, 'promises', { value: {} })`,
  `Object.defineProperty(process, 'nextTick', { get: () => fail })`,
]

/** What packages do as they load (graceful-fs, signal-exit), and what objects of an extension's own may have. */
const HARMLESS = `
  fs.close = ((close) => (...args) => close(...args))(fs.close)
  fs.closeSync = ((close) => (...args) => close(...args))(fs.closeSync)
  process.cwd = ((cwd) => () => cwd())(process.cwd)
  process.emit = ((emit) => (...args) => emit(...args))(process.emit)
  globalThis.Buffer = globalThis.Buffer || Buffer
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(fs))
  copy.readFileSync = () => 'of the copy'
  const heir = Object.create(fs)
  heir.readFileSync = () => 'of the heir'
  const emitter = new EventEmitter()
  emitter.emit = () => 'of the emitter'
  class Own extends EventEmitter {}
  Own.prototype.on = () => 'of the class'
  hooks.addFilter('the_title', (title) => [title, copy.readFileSync(), heir.readFileSync(), emitter.emit(), new Own().on(),
    fs.readFileSync(import.meta.filename, 'utf8').length > 0 && copy.existsSync(import.meta.filename)].join(', '))`

/** An extension that does this in a route, in line 10. */
function extension(id: string, { setup = '', route = '' }): string {
  return `import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { defineExtension } from 'pentad'
const fail = () => { throw new Error('replaced') }
const replace = (host) => { ${route} }
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', setup(host) {
  const { hooks, rest } = host
  rest.registerRoute('${id}/v1', { method: 'GET', path: '/now', access: 'public', handler() {
    try { replace(host) } finally { syncBuiltinESMExports() }
    return 'done'
  } })
  ${setup}
} })`
}

describe('pentad start, with extensions that replace functions which all code calls', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite

  before(async () => {
    const extensions = new Map([['harmless', extension('harmless', { setup: HARMLESS })]])
    for (const [at, [route]] of REPLACING.entries()) extensions.set(`r${at}`, extension(`r${at}`, { route }))
    for (const [at, route] of DEFINING.entries()) extensions.set(`d${at}`, extension(`d${at}`, { route }))
    for (const [id, source] of extensions) {
      mkdirSync(join(siteDir, 'extensions', id), { recursive: true })
      writeFileSync(join(siteDir, 'extensions', id, 'index.ts'), source)
    }
    const active = Object.fromEntries([...extensions.keys()].map((id) => [id, { state: 'active', reason: null }]))
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions: active }))
    site = await startPentad(siteDir)
  })
  after(() => site.end('SIGKILL'))

  const call = (id: string) => fetch(`${site.url}/wp-json/${id}/v1/now`, { signal: AbortSignal.timeout(10_000) })

  for (const [at, [code, named]] of REPLACING.entries()) {
    it(`refuses it and pauses the extension: ${code}`, async () => {
      expect((await call(`r${at}`)).status).to.equal(500)
      await until(() => stored(siteDir)[`r${at}`].state === 'paused')
      expect(stored(siteDir)[`r${at}`].reason).to.match(
        new RegExp(
          `^It tried to overwrite a global function: ${RegExp.escape(named)} = <\\w+> \\(r${at}/index\\.ts:10\\)\\.$`,
        ),
      )
      expect(await titleOf(site)).to.match(/^Hello world!/)
    })
  }

  for (const [at, code] of DEFINING.entries()) {
    it(`refuses it and answers the error of the extension: ${code}`, async () => {
      expect((await call(`d${at}`)).status).to.equal(500)
      await until(() => new RegExp(`Cannot redefine property.*"extension":"d${at}"`).test(site.output()))
      expect(await titleOf(site)).to.match(/^Hello world!/)
    })
  }

  it('leaves packages alone that patch Node as they load, and objects of their own', async () => {
    expect(stored(siteDir).harmless).to.deep.equal({ state: 'active', reason: null })
    expect(await titleOf(site)).to.equal('Hello world!, of the copy, of the heir, of the emitter, of the class, true')
    expect(await site.end()).to.equal(0)
  })
})

async function titleOf(site: RunningSite): Promise<string | undefined> {
  const page = await fetch(`${site.url}/hello-world/?at=${Math.random()}`, { signal: AbortSignal.timeout(10_000) })
  return /<h1[^>]*>([^<]*)/.exec(await page.text())?.[1]
}

const stored = (siteDir: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions
