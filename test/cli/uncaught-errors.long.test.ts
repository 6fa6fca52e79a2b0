import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const ACTIVE = { state: 'active', reason: null }
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Ways to throw where nobody can catch it. */
const STRAYS: [what: string, body: string][] = [
  ['a promise that nobody awaits', `void Promise.reject(new Error('stray'))`],
  ['a timer of Node’s own', `setTimeout(() => { throw new Error('stray') }, 0)`],
  ['a timer that throws no error at all', `setTimeout(() => { throw null }, 0)`],
  [
    'an EventEmitter whose errors nobody listens to',
    `setTimeout(() => new EventEmitter().emit('error', new Error('stray')), 0)`,
  ],
  ['a rejection with nothing', `void Promise.reject(undefined)`],
  ['a socket whose errors nobody listens to', `connect(1, '127.0.0.1')`],
]

/** Has no frames of its own: what is thrown was made by Node. */
const LATE = `readFile('/nowhere', (error) => { throw error })`
/** Where an extension starts what fails later, and what the log names it by. */
const STARTED: [id: string, setup: string, startedBy: RegExp][] = [
  [
    'in-route',
    `rest.registerRoute('in-route/v1', { method: 'GET', path: '/x', access: 'public', handler() { ${LATE} } })`,
    /GET \/in-route\/v1\/x/,
  ],
  [
    'in-filter',
    `hooks.addFilter('the_content', async (html) => { ${LATE}; return html })`,
    /the_content \(index\.ts:6\)/,
  ],
  [
    'in-sync-filter',
    `hooks.addFilter('the_title', (title) => { setTimeout(() => { throw 'late' }); return title })`,
    /the_title \(index\.ts:6\)/,
  ],
  ['in-action', `hooks.addAction('wp_footer', () => { ${LATE} })`, /wp_footer \(index\.ts:6\)/],
  ['in-timer', `hooks.addAction('wp_head', () => { setTimeout(() => { ${LATE} }, 5) })`, /wp_head \(index\.ts:6\)/],
  [
    'in-native',
    `hooks.addAction('wp_head', () => { setTimeout(execFileSync, 5, '/nowhere') })`,
    /wp_head \(index\.ts:6\)/,
  ],
  ['in-schedule', `jobs.schedule('often', '* * * * * *', () => { ${LATE} })`, /schedule often/],
  [
    'in-job',
    `const { job } = jobs.define({ type: 'late', data: z.object({}), async tick() { ${LATE}; return { done: true } } })
    setTimeout(() => void job.start({}), 2000)`,
    /job late/,
  ],
  [
    'in-another',
    `hooks.addFilter('in_caller' as string, (value) => { ${LATE}; return value })`,
    /in_caller \(index\.ts:6\)/,
  ],
]
const CALLER = `hooks.addFilter('the_content', async (html) => { hooks.applyFilters('in_caller' as string, 1); return html })`

describe('an error without a stack that comes of what an extension started', () => {
  it('is attributed to it, whatever started it, and the site goes on', async () => {
    const ids = [...STARTED.map(([id]) => id), 'caller']
    const siteDir = startedSite({ extensions: Object.fromEntries(ids.map((id) => [id, ACTIVE])) })
    for (const [id, setup] of [...STARTED, ['caller', CALLER]] as const) {
      mkdirSync(join(siteDir, 'extensions', id), { recursive: true })
      writeFileSync(
        join(siteDir, 'extensions', id, 'index.ts'),
        `import { readFile } from 'node:fs'; import { execFileSync } from 'node:child_process'
        import { defineExtension } from 'pentad'
        import { z } from 'zod'
        export const unused = [readFile, execFileSync, z]
        export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', setup({ hooks, rest, jobs }) {
          ${setup}
        } })`,
      )
    }
    const site = await startPentad(siteDir)
    try {
      const pid = site.pid()
      await fetch(`${site.url}/wp-json/in-route/v1/x`)
      await fetch(`${site.url}/hello-world/`)
      for (const [id, , startedBy] of STARTED) {
        const named = new RegExp(`"extension":"${id}","where":"unawaited code, started by ${startedBy.source}`)
        await until(() => named.test(site.output()))
      }
      expect(site.output()).to.not.contain('"extension":"caller"')
      expect((await fetch(`${site.url}/hello-world/`)).status).to.equal(200)
      expect(site.pid()).to.equal(pid)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})

describe('an error that an extension lets go', () => {
  const command = commandLine()

  function siteWith(body: string): string {
    const siteDir = startedSite({ extensions: { stray: ACTIVE } })
    const folder = join(siteDir, 'extensions', 'stray')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.ts'),
      `import { EventEmitter } from 'node:events'
      import { connect } from 'node:net'
      import { defineExtension } from 'pentad'
      export const unused = [EventEmitter, connect]
      export default defineExtension({
        id: 'stray', name: 'Stray', version: '1.0.0',
        setup({ hooks }) {
          hooks.addFilter('the_title', (title) => title + ' seen')
          ${body}
        },
      })`,
    )
    return siteDir
  }

  for (const [what, body] of STRAYS) {
    it(`keeps no site from starting: ${what}`, async () => {
      const site = await startPentad(siteWith(body))
      try {
        await wait(200)
        expect(await (await fetch(site.url)).text()).to.contain('Hello world! seen')
        expect(site.output()).to.contain('"extension":"stray"')
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }

  for (const change of ['prepareStackTrace = (_error, sites) => sites', 'stackTraceLimit = 0']) {
    it(`is its own, although it changed how the stacks of errors are made: ${change}`, async () => {
      const site = await startPentad(
        siteWith(`hooks.addFilter('the_content', (html) => {
          Error.${change}
          setTimeout(() => { throw new Error('late') }, 20)
          return html
        })`),
      )
      try {
        await fetch(`${site.url}/hello-world/`)
        await until(() => /"message":"late".*stray\/index\.ts:11:.*"extension":"stray"/.test(site.output()))
        expect((await fetch(site.url)).status).to.equal(200)
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }

  it('does not keep it from looking at its own stack for a moment', async () => {
    const site = await startPentad(
      siteWith(`const callsites = () => {
        const before = Error.prepareStackTrace
        Error.prepareStackTrace = (_error, sites) => sites
        const sites = new Error().stack
        Error.prepareStackTrace = before
        return sites
      }
      hooks.addFilter('the_content', () => 'called in line ' + callsites()[0].getLineNumber())`),
    )
    try {
      expect(await (await fetch(`${site.url}/hello-world/`)).text()).to.match(/called in line \d+/)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('does not keep the command from switching the extension off', async () => {
    const siteDir = siteWith(`throw new Error('at once')`)
    const listed = await command(siteDir, ['extension', 'list'])
    expect(listed.output).to.match(/^active +stray/m)
    const off = await pentad(siteDir, ['extension', 'deactivate', 'stray'])
    expect([off.code, off.output]).to.deep.equal([0, 'stray is inactive.\n'])
    expect((await command(siteDir, ['extension', 'list'])).output).to.match(/^inactive +stray/m)
  })

  it('does not end the site where a listener that no one can name throws no error', async () => {
    const site = await startPentad(
      siteWith(`process.getBuiltinModule('diagnostics_channel')
        .subscribe('http.server.request.start', () => { throw 'a text' })`),
    )
    try {
      const pid = site.pid()
      for (let visit = 0; visit < 5; visit++) expect((await fetch(site.url)).status).to.equal(200)
      await until(() => /"message":"a text".*"msg":"uncaught error"/.test(site.output()))
      expect(site.pid()).to.equal(pid)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('pauses it when it happens again and again, and what comes later is passed over', async () => {
    const site = await startPentad(siteWith(`setInterval(() => { throw new Error('again') }, 20)`))
    try {
      await wait(600)
      expect(await (await fetch(site.url)).text()).to.not.contain('Hello world! seen')
      expect(site.output()).to.contain('extension paused').and.to.contain('error in an unloaded version')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})
