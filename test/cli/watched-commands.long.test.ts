import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { commandLine } from '../support/command-line.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

/** For what no extension blocks. */
const command = commandLine()

const LOOP = 'for (let at = 0; ; ) at++'
/** `pentad start` runs it, and no command. */
const IN_SERVER = `process.argv.includes('start')`

/** An extension, its fault on line 4. `{}` of `body` is the fault. */
function faulty(body: string, fault = LOOP, top = ''): string {
  const [before = '', after = ''] = body.split('{}')
  return `import { defineExtension } from 'pentad'
${top}
export default defineExtension({ id: 'faulty', name: 'Faulty', version: '1.0.0', setup(host) { ${before}
  ${fault}
${after} } })`
}

/** A site with the extension `faulty`, and only with `services` with those. */
function siteWith(
  source: string,
  {
    state = 'active',
    services = false,
    ...config
  }: { state?: string; services?: boolean; [name: string]: unknown } = {},
) {
  const extensions = { faulty: { state, reason: null } }
  const siteDir = startedSite({ services, extensions, config: { stallLimitSeconds: 1, ...config } })
  const folder = join(siteDir, 'extensions', 'faulty')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.ts'), source)
  return siteDir
}

const stored = (siteDir: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions

/** The next command works, and finds the extension paused for the reason that the ended command gave. */
async function expectPaused(siteDir: string, errors: string): Promise<void> {
  const next = await command(siteDir, ['post', 'list', '--field=post_title', '--post_status=publish'])
  expect(next).to.include({ code: 0, output: 'Hello world!\n' })
  expect(stored(siteDir).faulty.state).to.equal('paused')
  expect(errors).to.contain(`pentad: The extension faulty failed: ${stored(siteDir).faulty.reason}\nIt is paused.`)
  expect((await command(siteDir, ['extension', 'list'])).output).to.match(
    /^paused +faulty 1\.0\.0 +It stopped a command/m,
  )
}

describe('a command, with an extension that never stops running', () => {
  const PLACES: [where: string, body: string, hook: string][] = [
    ['setup', '{}', ''],
    ['a callback of init', `host.hooks.addAction('init', () => { {} })`, ' in init'],
    // The command may otherwise be done before timers are due.
    [
      'a timer',
      `host.setTimeout(() => { {} }, 0); host.hooks.addAction('init', () => new Promise((resolve) => setTimeout(resolve, 1000)))`,
      '',
    ],
    ['what it does when it is unloaded', 'host.onDispose(() => { {} })', ''],
    ['a callback of shutdown', `host.hooks.addAction('shutdown', () => { {} })`, ' in shutdown'],
    ['a listener of the end of the process', `process.on('exit', () => { {} })`, ''],
  ]

  for (const [where, body, hook] of PLACES) {
    it(`ends and names it: in ${where}`, async () => {
      const siteDir = siteWith(faulty(body))
      const { code, errors } = await pentad(siteDir, ['cron'])
      expect(code).to.not.equal(0)
      expect(errors)
        .to.match(/its code blocked it for more than \d s/)
        .and.contain(`infinite loop${hook} (faulty/index.ts:4).`)
      await expectPaused(siteDir, errors)
    })
  }

  it('ends and names it: while its file is loaded', async () => {
    const siteDir = siteWith(faulty('{}', '', LOOP))
    const { code, errors } = await pentad(siteDir, ['post', 'list'])
    expect(code).to.not.equal(0)
    expect(errors).to.contain('(faulty/index.ts:2)')
    await expectPaused(siteDir, errors)
  })

  it('ends and names it: in native code, which nothing can interrupt', async () => {
    const top = `import { execSync } from 'node:child_process'`
    const siteDir = siteWith(faulty('{}', `execSync('sleep 30')`, top))
    const { code, errors } = await pentad(siteDir, ['post', 'list'])
    expect(code).to.not.equal(0)
    expect(errors).to.contain('(faulty/index.ts:4)')
    await expectPaused(siteDir, errors)
  })

  it('has printed what it was called for when the extension loops while it closes', async () => {
    const siteDir = siteWith(faulty('host.onDispose(() => { {} })'))
    const { output } = await pentad(siteDir, ['post', 'list', '--field=post_title', '--post_status=publish'])
    expect(output).to.match(/^Hello world!\n$/m)
  })
})

describe('a command, with an extension that allocates without end', () => {
  const WAYS: [where: string, fault: string, limits: { heapMegabytes?: number }][] = [
    ['in the heap', 'for (;;) kept.push({ list: [kept.length, 1, 2] })', { heapMegabytes: 300 }],
    ['outside the heap', 'for (;;) kept.push(Buffer.alloc(1_000_000, 1))', {}],
  ]

  for (const [where, fault, limits] of WAYS) {
    it(`ends and names it: ${where}`, async () => {
      const source = faulty('{}', fault, 'const kept: unknown[] = []')
      const siteDir = siteWith(source, { stallLimitSeconds: 60, memoryLimitMegabytes: 1000 })
      const { code, errors } = await pentad(siteDir, ['post', 'list'], '', limits)
      expect(code).to.not.equal(0)
      // Outside the heap the line is that of the function.
      expect(errors).to.match(/It stopped a command: it ran out of memory \(faulty\/index\.ts:[34]\)/)
      await expectPaused(siteDir, errors)
    })
  }
})

describe('a long command of the product, with an extension that it calls often', () => {
  /** More than each command takes at once. */
  const POSTS = 600
  /** Half a millisecond for each post. */
  const BUSY = `for (const name of ['wp_insert_post_data', 'wxr_export_skip_postmeta', 'the_content', 'map_meta_cap'])
    host.hooks.addFilter(name as string, (value: unknown) => { const end = performance.now() + 0.5; while (performance.now() < end); return value })`

  it('goes on to its end, and says nothing of being busy', async () => {
    // So short that nearly every moment is looked at.
    const siteDir = siteWith(faulty('{}', BUSY), { services: true, stallLimitSeconds: 0.05 })
    const items = Array.from({ length: POSTS }, (_, at) =>
      wxrItem({ id: at + 100, content: '<p>A long text. </p>'.repeat(200), meta: { note: 'yes' } }),
    )
    const commands = [
      ['import', wxrFile(items)],
      ['search-replace', 'long text', 'very long text'],
      ['export', join(siteDir, 'out.xml')],
      ['backup', 'create'],
    ]
    for (const args of commands) {
      const { code, errors } = await pentad(siteDir, args)
      expect(code, `${args[0]}: ${errors}`).to.equal(0)
      expect(errors).to.not.match(/event loop blocked|blocked it|failed|paused/)
    }
    expect(stored(siteDir).faulty.state).to.equal('active')
    expect(readFileSync(join(siteDir, 'out.xml'), 'utf8').match(/very long text/g)?.length).to.equal(POSTS * 200)
  })
})

/** What REST shows of the extension. */
async function restOf(site: RunningSite, siteDir: string): Promise<{ state: string; reason: string | null }> {
  const made = await command(siteDir, ['user', 'app-password', 'admin', `test ${Date.now()}`])
  const headers = { Authorization: `Basic ${btoa(`admin:${made.output.trim().split('\n').at(-1)?.trim()}`)}` }
  const answer = await fetch(`${site.url}/wp-json/host/v1/extensions`, { headers })
  const { data } = JSON.parse(await answer.text())
  const { state, reason } = data.find(({ id }: { id: string }) => id === 'faulty')
  return { state, reason }
}

const ENDED = /The site stopped unexpectedly/

describe('pentad extension activate, of an extension that never stops running', () => {
  it('ends if no site is running, and prints the state', async () => {
    const siteDir = siteWith(faulty('{}'), { state: 'inactive' })
    await command(siteDir, ['post', 'list'])
    const { code, output, errors } = await pentad(siteDir, ['extension', 'activate', 'faulty'])
    expect(code).to.not.equal(0)
    expect(output).to.equal('')
    await expectPaused(siteDir, errors)
  })

  for (const [where, fault] of [
    ['everywhere', LOOP],
    ['in the site only', `if (${IN_SERVER}) for (let at = 0; ; ) at++`],
  ]) {
    it(`tells the state that the running site has after its restart, where it loops ${where}`, async () => {
      const siteDir = siteWith(faulty('{}', fault), { state: 'inactive' })
      const site = await startPentad(siteDir)
      try {
        const { code, output, errors } = await pentad(siteDir, ['extension', 'activate', 'faulty'])
        expect(code).to.equal(1)
        expect(output).to.equal('')
        expect(site.errors()).to.match(ENDED)
        await until(async () => (await fetch(site.url).catch(() => undefined))?.ok === true, { seconds: 60 })
        const { state, reason } = await restOf(site, siteDir)
        expect(state).to.equal('paused')
        expect(reason).to.contain('It stopped the site').and.contain('(faulty/index.ts:4)')
        expect(errors).to.contain(`The extension failed: ${reason}\nIt is paused.`)
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }

  it('takes nothing over from a site that was killed meanwhile, whose next start decides', async () => {
    const begun = join(temporaryFolder(), 'begun')
    const top = `import { writeFileSync } from 'node:fs'`
    const fault = `if (${IN_SERVER}) { writeFileSync('${begun}', ''); return new Promise(() => {}) }`
    const siteDir = siteWith(faulty('{}', fault, top), { state: 'inactive' })
    const killed = await startPentad(siteDir)
    const activation = pentad(siteDir, ['extension', 'activate', 'faulty'])
    await until(() => existsSync(begun))
    await killed.end('SIGKILL')
    // As if half a minute had passed.
    const database = new DatabaseSync(join(siteDir, 'site.db'))
    database.exec('PRAGMA busy_timeout = 5000; UPDATE leases SET expires = 1')
    database.close()
    const { code, output, errors } = await activation
    expect(code).to.equal(1)
    expect(output).to.equal('')
    expect(errors).to.contain('the site stopped before it applied the change').and.not.contain('It is paused')
    expect(stored(siteDir).faulty).to.deep.include({ state: 'active', isAsked: true })
    writeFileSync(join(siteDir, 'extensions', 'faulty', 'index.ts'), faulty('{}', ''))
    const site = await startPentad(siteDir)
    expect(await restOf(site, siteDir)).to.deep.equal({ state: 'active', reason: null })
    expect(await site.end()).to.equal(0)
  })
})

describe('a command that an extension blocks, alongside a running site', () => {
  it('has the site pause it, and does not end the site', async () => {
    const siteDir = siteWith(faulty('{}', `if (!${IN_SERVER}) for (let at = 0; ; ) at++`))
    const site = await startPentad(siteDir)
    try {
      const pid = site.pid()
      const { code, errors } = await pentad(siteDir, ['post', 'list'])
      expect(code).to.not.equal(0)
      await until(() => /"extension":"faulty","reason":"It stopped a command.*"extension paused"/.test(site.output()), {
        seconds: 60,
      })
      const { state, reason } = await restOf(site, siteDir)
      expect(state).to.equal('paused')
      expect(errors).to.contain(`pentad: The extension faulty failed: ${reason}\nIt is paused.`)
      expect(site.pid()).to.equal(pid)
      expect(site.errors()).to.not.match(ENDED)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})
