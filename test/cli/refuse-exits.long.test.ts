import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const ENDING: [call: string, named: string][] = [
  ['process.exit(7)', 'process.exit(7)'],
  ['process.reallyExit(7)', 'process.reallyExit(7)'],
  ['process.abort()', 'process.abort()'],
  [`process.kill(process.pid, 'SIGKILL')`, 'SIGKILL'],
  ['process.kill(process.ppid)', 'SIGTERM'],
  [`process.emit('SIGTERM')`, `process.emit('SIGTERM')`],
  [`process.emit('disconnect')`, `process.emit('disconnect')`],
  ['process.disconnect?.()', 'process.disconnect()'],
  ['process.send?.({ ended: true })', 'process.send('],
  [`process.execve?.('/bin/true', ['true'])`, 'process.execve('],
]

const CHANGING: [call: string, named: string][] = [
  [`process.chdir('/')`, `process.chdir('/')`],
  ['process.umask(0o777)', 'process.umask(511)'],
  ['process.setegid?.(1)', 'process.setegid(1)'],
  [`process.setgroups?.([1])`, 'process.setgroups('],
  ['process.setUncaughtExceptionCaptureCallback(() => {})', 'process.setUncaughtExceptionCaptureCallback('],
  [`process.removeAllListeners('uncaughtException')`, `process.removeAllListeners('uncaughtException')`],
  ['process.removeAllListeners()', 'process.removeAllListeners()'],
  [
    `for (const listener of process.listeners('SIGTERM')) process.off('SIGTERM', listener)`,
    `process.off('SIGTERM', <function>)`,
  ],
  [
    `for (const listener of process.listeners('unhandledRejection')) process.removeListener('unhandledRejection', listener)`,
    `process.removeListener('unhandledRejection', <function>)`,
  ],
  [`process.on('uncaughtException', () => process.exit(1))`, `process.on('uncaughtException', <function>)`],
  ['process.stdout.end()', 'process.stdout.end()'],
  ['process.stdout.destroy()', 'process.stdout.destroy()'],
  ['process.stderr.end()', 'process.stderr.end()'],
]

const HARMLESS = `process.umask()
  const listener = () => {}
  process.on('SIGUSR2', listener).off('SIGUSR2', listener).once('warning', listener)
  process.kill(process.pid, 0)
  process.exitCode = 3
  hooks.addFilter('the_title', (title) => title + ' and healthy')`

/** Replaces functions that all code calls, when it is asked to. */
const REPLACING = `rest.registerRoute('replacing/v1', { method: 'GET', path: '/now', access: 'public', handler() {
    Reflect.ownKeys = function hijacked() { throw new Error('hijacked') }
    Array.prototype.map = function hijackedMap() { return ['hijacked'] }
    globalThis.Promise = class Hijacked {}
    return 'done'
  } })
  rest.registerRoute('replacing/v1', { method: 'GET', path: '/add', access: 'public', handler() {
    Reflect.set(Object.prototype, 'added', true)
    return 'added' in {}
  } })`

/** Replaces a function of Node, without which nothing is answered. */
const EMITTING = `rest.registerRoute('emitting/v1', { method: 'GET', path: '/now', access: 'public', async handler() {
    const { EventEmitter } = await import('node:events')
    const { emit } = EventEmitter.prototype
    EventEmitter.prototype.emit = function (name, ...rest) {
      if (name === 'request') throw new Error('emitted')
      return emit.call(this, name, ...rest)
    }
    return 'done'
  } })`

/** An extension that does this, its body from line 4 on. */
function extension(id: string, body: string): string {
  return `import { defineExtension } from 'pentad'

export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', setup({ hooks, rest }) {
  ${body}
} })`
}

describe('pentad start, with extensions that would end or change the process', () => {
  const siteDir = temporaryFolder()
  const calls = [...ENDING, ...CHANGING]
  let site: RunningSite
  let pid: number
  let title: string | undefined

  before(async () => {
    const extensions = new Map([
      ['healthy', extension('healthy', HARMLESS)],
      ['replacing', extension('replacing', REPLACING)],
      ['emitting', extension('emitting', EMITTING)],
    ])
    for (const [at, [call]] of calls.entries()) {
      const body = `hooks.addFilter('the_content', (text) => { if (text.includes('Welcome')) { ${call} } return text })`
      extensions.set(`faulty-${at}`, extension(`faulty-${at}`, body))
    }
    for (const [id, source] of extensions) {
      mkdirSync(join(siteDir, 'extensions', id), { recursive: true })
      writeFileSync(join(siteDir, 'extensions', id, 'index.ts'), source)
    }
    const active = Object.fromEntries([...extensions.keys()].map((id) => [id, { state: 'active', reason: null }]))
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions: active }))
    site = await startPentad(siteDir)
    pid = site.pid()
    title = await titleOf(site)
    await until(() => calls.every((_, at) => stored(siteDir)[`faulty-${at}`].state === 'paused'))
  })
  after(() => site.end('SIGKILL'))

  for (const [at, [call, named]] of calls.entries()) {
    it(`refuses it and pauses the extension: ${call}`, () => {
      const harm = at < ENDING.length ? 'end the whole site' : 'change the process of the whole site'
      const { state, reason } = stored(siteDir)[`faulty-${at}`]
      expect(state).to.equal('paused')
      expect(reason).to.contain(`It tried to ${harm}: `).and.contain(named).and.contain(`faulty-${at}/index.ts:4`)
    })
  }

  it('shows the page to the visitor of that moment, and continues', async () => {
    expect(title).to.equal('Hello world! and healthy')
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    expect(site.pid()).to.equal(pid)
  })

  it('puts functions of JavaScript itself back, and pauses the extension that replaced them', async () => {
    expect(await (await fetch(`${site.url}/wp-json/replacing/v1/add`)).json()).to.equal(false)
    // The answer needs what was replaced.
    await fetch(`${site.url}/wp-json/replacing/v1/now`)
    await until(() => stored(siteDir).replacing.state === 'paused')
    expect(stored(siteDir).replacing.reason).to.match(
      /^It overwrote the global [\w.]+ \(replacing\/index\.ts:[567]\)\.$/,
    )
    const answer = await fetch(`${site.url}/wp-json/wp/v2/posts?_fields=id`)
    expect([answer.status, await answer.json()]).to.deep.equal([200, [{ id: 1 }]])
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    // The name `Promise` cannot be assigned.
    for (const name of ['Reflect.ownKeys', 'Array.prototype.map']) {
      await until(() => site.output().includes(`"global ${name} overwritten"`))
    }
  })

  it('refuses to replace functions of Node', async () => {
    await fetch(`${site.url}/wp-json/emitting/v1/now`)
    await until(() => stored(siteDir).emitting.state === 'paused')
    expect(stored(siteDir).emitting.reason).to.equal(
      'It tried to overwrite a global function: EventEmitter.prototype.emit = <function> (emitting/index.ts:7).',
    )
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    expect(site.pid()).to.equal(pid)
  })

  it('allows harmless calls', async () => {
    expect(stored(siteDir).healthy.state).to.equal('active')
    expect(await site.end()).to.equal(0)
  })
})

async function titleOf(site: RunningSite): Promise<string | undefined> {
  return /<h1[^>]*>([^<]*)/.exec(await (await fetch(`${site.url}/hello-world/`)).text())?.[1]
}

const stored = (siteDir: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions
