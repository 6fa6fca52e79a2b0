import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const HEALTHY = `import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'healthy', name: 'Healthy', version: '1.0.0',
  setup({ hooks }) { hooks.addFilter('the_title', (title) => title + ' and healthy') },
})`

/** An extension, its fault on line 4. `{}` of `body` is the fault. */
function faulty(body: string, fault: string, top = ''): string {
  const [before = '', after = ''] = body.split('{}')
  return `import { defineExtension } from 'pentad'
${top}
export default defineExtension({ id: 'faulty', name: 'Faulty', version: '1.0.0', setup(host) { ${before}
  ${fault}
${after} } })`
}

/** A site with the extensions `healthy` and `faulty`, both active, and only with `services` with those. */
function siteWith(
  source: string,
  { services = false, ...config }: { services?: boolean; [name: string]: unknown } = {},
): string {
  const active = { state: 'active', reason: null }
  const extensions = { healthy: active, faulty: active }
  const siteDir = startedSite({ services, extensions, config: { stallLimitSeconds: 1, ...config } })
  for (const [id, code] of Object.entries({ healthy: HEALTHY, faulty: source })) {
    const folder = join(siteDir, 'extensions', id)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.ts'), code)
  }
  return siteDir
}

/** Waits until the site answers, and tells how long that took since the fault was seen. */
async function recovered(site: RunningSite, log: RegExp): Promise<void> {
  await until(() => log.test(site.output() + site.errors()), { seconds: 60 })
  const since = performance.now()
  await until(async () => (await titleOf(site)) !== undefined, { seconds: 60 })
  process.stdout.write(`      answered again ${Math.round(performance.now() - since)} ms after the process was ended\n`)
}

async function titleOf(site: RunningSite): Promise<string | undefined> {
  const answer = await fetch(`${site.url}/hello-world/`).catch(() => undefined)
  return answer?.ok ? /<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1] : undefined
}

/** Why the extension is paused; empty if it is not. */
function reasonOf(siteDir: string): string {
  const { state, reason } = stored(siteDir).faulty
  return state === 'paused' ? reason : ''
}

const stored = (siteDir: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions

const ENDED = /The site stopped unexpectedly/

describe('pentad start, with an extension that never stops running', () => {
  const LOOP = 'for (let at = 0; ; ) at++'
  const PLACES: [where: string, body: string, hook: RegExp, ask: string | undefined][] = [
    ['a filter', `host.hooks.addFilter('the_content', () => { {} })`, /the_content/, '/hello-world/'],
    [
      'a REST handler',
      `host.rest.registerRoute('faulty/v1', { method: 'GET', path: '/loop', access: 'public', handler() { {} } })`,
      /./,
      '/wp-json/faulty/v1/loop',
    ],
    ['a timer', 'host.setTimeout(() => { {} }, 500)', /./, undefined],
    ['a chain of promises', `host.hooks.addAction('init', () => { void (async () => { {} })() })`, /./, undefined],
    ['setup', '{}', /./, undefined],
  ]
  const faultOf = (where: string) => (where === 'a chain of promises' ? 'for (;;) await host.site.url' : LOOP)

  for (const [where, body, hook, ask] of PLACES) {
    it(`pauses it and starts again: in ${where}`, async () => {
      const siteDir = siteWith(faulty(body, faultOf(where)))
      // Where it is stuck in setup, the first process never serves.
      const site = await startPentad(siteDir)
      try {
        if (ask) await fetch(site.url + ask).catch(() => {})
        await recovered(site, ENDED)
        expect(await titleOf(site)).to.equal('Hello world! and healthy')
        const reason = reasonOf(siteDir)
        expect(reason).to.contain('It stopped the site').and.contain('faulty/index.ts:4')
        expect(reason).to.match(hook)
        expect(site.output()).to.match(/"extension":"faulty","reason":"It stopped.*"extension paused"/)
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }

  it('pauses it and starts again: while its file is loaded', async () => {
    const siteDir = siteWith(faulty('{}', '', LOOP))
    const site = await startPentad(siteDir)
    try {
      await recovered(site, ENDED)
      expect(reasonOf(siteDir)).to.contain('faulty/index.ts:2')
      expect(await titleOf(site)).to.equal('Hello world! and healthy')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('pauses it and starts again: while it is activated over REST', async () => {
    const siteDir = siteWith(faulty('{}', LOOP))
    const file = join(siteDir, 'options.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("faulty":\{"state":)"active"/, '$1"inactive"'))
    const site = await startPentad(siteDir)
    try {
      const made = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
      const headers = { Authorization: `Basic ${btoa(`admin:${made.output.trim().split('\n').at(-1)?.trim()}`)}` }
      const activate = `${site.url}/wp-json/host/v1/extensions/faulty/activate`
      expect(await fetch(activate, { method: 'POST', headers }).catch(() => 'cut off')).to.equal('cut off')
      await recovered(site, ENDED)
      expect(reasonOf(siteDir)).to.contain('It stopped the site').and.contain('faulty/index.ts:4')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})

describe('pentad start, with an extension that blocks in native code, which nothing can interrupt', () => {
  const TOP = `import { execSync } from 'node:child_process'; import { readFileSync } from 'node:fs'; import { join } from 'node:path'`
  const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
  const QUERY = `await host.database.db.executeQuery({ ...host.database.db.selectFrom('posts').select('id').compile(), sql: '${ENDLESS}' })`
  const PLACES: [where: string, hook: string, fault: string][] = [
    [
      'waiting for a process',
      `host.hooks.addFilter('the_title', (title) => { {} return title })`,
      `execSync('sleep 30')`,
    ],
    [
      'reading a FIFO',
      `host.hooks.addFilter('the_title', (title) => { {} return title })`,
      `const file = join(host.site.dir, 'fifo'); execSync('mkfifo ' + file); readFileSync(file)`,
    ],
    [
      'in a query that it awaits',
      `host.hooks.addFilter('the_content', async (html) => { {} return html })`,
      `await null; ${QUERY}`,
    ],
  ]
  /** After an `await`, where no call into the extension is in progress. */
  const LATER: [where: string, body: string, fault: string, named: RegExp][] = [
    [
      'a route',
      `host.rest.registerRoute('faulty/v1', { method: 'GET', path: '/block', access: 'public', async handler() { {} } })`,
      `await new Promise((go) => setTimeout(go, 50)); execSync('sleep 30')`,
      /in GET \/faulty\/v1\/block \(faulty\/index\.ts:4\)\.$/,
    ],
    [
      'an async filter',
      `host.hooks.addFilter('the_content', async (html) => { {} return html })`,
      `await new Promise((go) => setTimeout(go, 50)); const file = join(host.site.dir, 'fifo'); execSync('mkfifo ' + file); readFileSync(file)`,
      /in the_content \(faulty\/index\.ts:4\)\.$/,
    ],
    [
      'a job',
      `host.jobs.schedule('faulty_job', '* * * * * *', async () => { {} })`,
      `await null; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
      /in schedule faulty_job \(faulty\/index\.ts:4\)\.$/,
    ],
    [
      'code that nobody awaits',
      `host.hooks.addAction('init', () => { void (async () => { {} })() })`,
      `await new Promise((go) => setTimeout(go, 1000)); execSync('sleep 30')`,
      /in init \(index\.ts:3\) \(faulty\/index\.ts:4\)\.$/,
    ],
  ]

  for (const [where, body, fault] of PLACES) {
    it(`pauses it and starts again: ${where}`, async () => {
      const siteDir = siteWith(faulty(body, fault, TOP))
      const site = await startPentad(siteDir)
      try {
        await fetch(`${site.url}/hello-world/`).catch(() => {})
        await recovered(site, ENDED)
        expect(reasonOf(siteDir)).to.match(/^It stopped the site: its code blocked the site for more than \d+ s/)
        expect(stored(siteDir).healthy.state).to.equal('active')
        expect(await titleOf(site)).to.equal('Hello world! and healthy')
        expect(site.output()).to.not.contain('no extension could be identified')
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }

  for (const [where, body, fault, named] of LATER) {
    it(`pauses it with file and line: after an await in ${where}`, async () => {
      const siteDir = siteWith(faulty(body, fault, TOP))
      const site = await startPentad(siteDir)
      try {
        await fetch(`${site.url}/wp-json/faulty/v1/block`).catch(() => {})
        await fetch(`${site.url}/hello-world/`).catch(() => {})
        await recovered(site, ENDED)
        expect(reasonOf(siteDir)).to.match(named)
        expect(stored(siteDir).healthy.state).to.equal('active')
        expect(site.output()).to.not.contain('no extension could be identified')
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }
})

async function expectEndedForMemory(site: RunningSite, siteDir: string): Promise<void> {
  try {
    await recovered(site, ENDED)
    expect(reasonOf(siteDir)).to.equal('It stopped the site: it ran out of memory (faulty/index.ts:4).')
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
  } finally {
    expect(await site.end()).to.equal(0)
  }
}

describe('pentad start, with an extension that uses up the memory', () => {
  const HOARD = 'while (kept.length < most) kept.push({ list: [kept.length, 1, 2] })'

  for (const [where, most] of [
    ['at once', 'Infinity'],
    ['little by little', 'kept.length + 400_000'],
  ]) {
    it(`pauses it and starts again: ${where}`, async () => {
      const hoard = HOARD.replace('most', most ?? '')
      const top = 'const kept: unknown[] = []'
      const siteDir = siteWith(faulty('host.setInterval(() => { {} }, 20)', hoard, top), { stallLimitSeconds: 60 })
      const site = await startPentad(siteDir, [], { heapMegabytes: 300 })
      await expectEndedForMemory(site, siteDir)
    })
  }
})

describe('pentad start, with an extension that fills the heap up to a limit that the owner chose', () => {
  const HOARD = 'for (let at = 0; at < 40_000; at++) kept.push({ list: [at, 1, 2] })'
  const WAYS: [where: string, body: string, fault: string][] = [
    ['little by little', 'host.setInterval({}, 100)', `() => { ${HOARD} }`],
    [
      'fast, between other work',
      'host.setTimeout({}, 500)',
      `async () => { for (;;) { ${HOARD}; await new Promise((done) => setImmediate(done)) } }`,
    ],
  ]

  for (const [where, body, fault] of WAYS) {
    it(`pauses it and starts again: ${where}`, async () => {
      const siteDir = siteWith(faulty(body, fault, 'const kept: unknown[] = []'), {
        ...{ stallLimitSeconds: 60, memoryLimitMegabytes: 600 },
      })
      await expectEndedForMemory(await startPentad(siteDir), siteDir)
    })
  }
})

describe('pentad start, with an extension that fills memory outside the heap', () => {
  const WAYS: [where: string, body: string, fault: string][] = [
    ['at once', 'host.setTimeout({}, 1000)', '() => { for (;;) kept.push(Buffer.alloc(1_000_000, 1)) }'],
    ['little by little', 'host.setInterval({}, 20)', '() => kept.push(Buffer.alloc(50_000_000, 1))'],
  ]

  for (const [where, body, fault] of WAYS) {
    it(`pauses it and starts again: ${where}`, async () => {
      const siteDir = siteWith(faulty(body, fault, 'const kept: unknown[] = []'), {
        ...{ stallLimitSeconds: 60, memoryLimitMegabytes: 1000 },
      })
      const site = await startPentad(siteDir)
      await expectEndedForMemory(site, siteDir)
    })
  }
})

describe('pentad start, with an extension that would end the process', () => {
  it('pauses it and starts: process.exit in setup', async () => {
    const siteDir = siteWith(faulty('{}', 'process.exit(0)'))
    const site = await startPentad(siteDir)
    try {
      expect(await titleOf(site)).to.equal('Hello world! and healthy')
      expect(reasonOf(siteDir)).to.contain('process.exit(0)').and.contain('faulty/index.ts:4')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('names it while a command runs, and the command goes on', async () => {
    const siteDir = siteWith(faulty(`host.hooks.addAction('init', () => { {} })`, 'process.exit(0)'))
    const { code, errors } = await pentad(siteDir, ['cron'])
    expect(code).to.equal(0)
    expect(errors).to.match(/"extension":"faulty".*process\.exit\(0\)/)
  })

  it('does not care for process.exitCode', async () => {
    const site = await startPentad(siteWith(faulty('{}', 'process.exitCode = 3')))
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    expect(await site.end()).to.equal(0)
  })
})

describe('pentad start, with an extension by which Node itself ends the process', () => {
  const TOP = "import { createHook } from 'node:async_hooks'; import { spawn } from 'node:child_process'"
  const CRASH = "createHook({ init() { throw new Error('broken hook') } }).enable()"
  const SPAWN = "spawn('sleep', ['20'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true }).unref()"
  const ROUTE =
    "host.rest.registerRoute('faulty/v1', { method: 'GET', path: '/crash', access: 'public', handler() { {} } })"

  for (const [what, fault] of [
    ['a callback of async_hooks throws', CRASH],
    ['while a process that the extension began holds stderr open', `${SPAWN}; ${CRASH}`],
  ] as const) {
    it(`pauses it and starts again: ${what}`, async () => {
      const siteDir = siteWith(faulty(ROUTE, fault, TOP))
      const site = await startPentad(siteDir)
      try {
        await fetch(`${site.url}/wp-json/faulty/v1/crash`).catch(() => {})
        await recovered(site, ENDED)
        expect(reasonOf(siteDir)).to.equal('It stopped the site: its code crashed the process (faulty/index.ts:4).')
        expect(stored(siteDir).healthy.state).to.equal('active')
        expect(await titleOf(site)).to.equal('Hello world! and healthy')
        expect(site.errors()).to.contain('Error: broken hook')
        expect(site.output()).to.match(/"extension":"faulty","reason":"It stopped.*"extension paused"/)
      } finally {
        expect(await site.end()).to.equal(0)
      }
    })
  }
})

describe('pentad start, when memory runs out repeatedly and no extension can be identified', () => {
  it('says so, and starts in safe mode after three times', async () => {
    // A worker has a heap of its own, and no code of an extension runs in the main thread meanwhile.
    const worker =
      '() => new Worker("const kept = []; setTimeout(setInterval, 2000, () => kept.push(Buffer.alloc(20e6, 1)), 50)", { eval: true })'
    const source = faulty('host.setTimeout({}, 100)', worker, `import { Worker } from 'node:worker_threads'`)
    const siteDir = siteWith(source, { memoryLimitMegabytes: 600 })
    const site = await startPentad(siteDir)
    try {
      await recovered(site, /The site ran out of memory 3 times within an hour, and no extension could be identified/)
      expect(await titleOf(site)).to.equal('Hello world!')
      expect(site.output()).to.match(/"extension":null.*out of memory, no extension identified/)
      const { host_unexplained_end: end } = JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8'))
      expect(end.kind).to.equal('memory')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})

describe('pentad start, with an extension that keeps the garbage collector busy', () => {
  it('pauses it and starts again', async () => {
    const fault =
      'for (let at = 0; ; at++) kept[at % 1_500_000] = { list: [at, 1, 2], of: kept[(at * 7) % 1_500_000]?.list }'
    const body = `host.hooks.addFilter('the_title', (title) => { {} return title })`
    const siteDir = siteWith(faulty(body, fault, 'const kept: { list: number[]; of: number[] | undefined }[] = []'))
    const site = await startPentad(siteDir, [], { heapMegabytes: 300 })
    try {
      await fetch(`${site.url}/hello-world/`).catch(() => {})
      await recovered(site, ENDED)
      expect(reasonOf(siteDir)).to.match(/^It stopped the site: (its code blocked the site|it ran out of memory)/)
      expect(stored(siteDir).healthy.state).to.equal('active')
      expect(await titleOf(site)).to.equal('Hello world! and healthy')
      expect(site.output()).to.not.contain('no extension could be identified')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})

describe('pentad start, where only garbage fills the memory', () => {
  it('collects it and goes on', async () => {
    const waste = `() => { let kept = []; for (let at = 0; at < 100_000; at++) kept.push({ list: [at, 1, 2] }) }`
    const siteDir = siteWith(faulty('host.setInterval({}, 10)', waste), { memoryLimitMegabytes: 600 })
    const site = await startPentad(siteDir)
    try {
      const pid = site.pid()
      await wait(5000)
      expect(await titleOf(site)).to.equal('Hello world! and healthy')
      expect(site.pid()).to.equal(pid)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})

describe('pentad start, where services alone run out of memory', () => {
  it('starts again', async () => {
    const siteDir = startedSite({ services: true, config: { memoryLimitMegabytes: 64 } })
    const site = await startPentad(siteDir)
    try {
      await until(() => /out of memory, no extension identified/.test(site.output()), { seconds: 60 })
      expect(site.errors()).to.match(ENDED)
    } finally {
      await site.end()
    }
  })
})

describe('pentad start, where the process ends again and again', () => {
  // From outside, so that nobody can be named.
  const KILL = `import('node:child_process').then(({ execFileSync }) => execFileSync('kill', ['-KILL', String(process.pid)]))`

  it('starts in safe mode after three times', async () => {
    const siteDir = siteWith(faulty('host.setTimeout(() => { {} }, 300)', KILL))
    const site = await startPentad(siteDir)
    try {
      await recovered(site, /It is being restarted in safe mode/)
      expect(await titleOf(site)).to.equal('Hello world!')
      const health = await (await fetch(`${site.url}/wp-json/host/v1/health`)).json()
      expect(health).to.have.nested.property('data.safeMode', true)
      await until(() => site.output().includes('Safe mode'))
      expect((await pentad(siteDir, ['extension', 'list'])).output).to.match(/^active +healthy/m)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('--safe-mode runs the services only, says so, and leaves what is stored', async () => {
    const siteDir = siteWith(faulty(`host.hooks.addFilter('the_content', () => { {} })`, KILL), { services: true })
    const safe = await startPentad(siteDir, ['--safe-mode'])
    const made = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
    const headers = { Authorization: `Basic ${btoa(`admin:${made.output.trim().split('\n').at(-1)?.trim()}`)}` }
    const route = `${safe.url}/wp-json/host/v1/extensions`
    const { data } = JSON.parse(await (await fetch(route, { headers })).text())
    const states = Object.fromEntries(data.map(({ id, state }: { id: string; state: string }) => [id, state]))
    expect(states).to.include({ healthy: 'paused', faulty: 'paused', seo: 'active', backup: 'active' })
    const refused = await fetch(`${route}/healthy/activate`, { method: 'POST', headers })
    expect(await refused.text()).to.contain('safe mode')
    const command = await pentad(siteDir, ['extension', 'activate', 'healthy'])
    expect([command.code, command.output]).to.deep.equal([1, ''])
    expect(command.errors).to.contain('the extension is not running. It does not run while the site is in safe mode.')
    await fetch(`${route}/faulty/deactivate`, { method: 'POST', headers })
    expect(await safe.end()).to.equal(0)
    const site = await startPentad(siteDir)
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    expect(await site.end()).to.equal(0)
  })

  it('counts no time in which the process was stopped', async () => {
    const site = await startPentad(siteWith(faulty('{}', '')))
    const pid = site.pid()
    process.kill(pid, 'SIGSTOP')
    await wait(3000)
    process.kill(pid, 'SIGCONT')
    await wait(1000)
    expect(await titleOf(site)).to.equal('Hello world! and healthy')
    expect(site.pid()).to.equal(pid)
    expect(await site.end()).to.equal(0)
  })
})

describe('pentad start, supervised', () => {
  it('ends both processes on Ctrl+C, with exit code 0', async () => {
    const site = await startPentad(siteWith(faulty('{}', '')), [], { ownGroup: true })
    const server = site.pid()
    expect(await site.interrupt()).to.equal(0)
    expect(() => process.kill(server, 0)).to.throw('ESRCH')
    expect(site.errors()).to.not.match(ENDED)
  })

  it('starts no further process when it is stopped during a restart', async () => {
    const site = await startPentad(siteWith(faulty('{}', '')))
    process.kill(site.pid(), 'SIGKILL')
    await until(() => ENDED.test(site.errors()), { seconds: 60 })
    // 143: the new process had not yet got as far as to close anything.
    expect(await site.end()).to.be.oneOf([0, 143])
    expect(site.errors().match(new RegExp(ENDED, 'g'))).to.have.length(1)
  })

  it('--watch goes on after a restart: a saved extension is reloaded', async () => {
    const siteDir = siteWith(faulty(`host.hooks.addFilter('the_content', () => { {} })`, 'for (let at = 0; ; ) at++'))
    const site = await startPentad(siteDir, ['--watch'])
    try {
      await titleOf(site)
      await recovered(site, ENDED)
      writeFileSync(join(siteDir, 'extensions', 'healthy', 'index.ts'), HEALTHY.replace('and healthy', 'and saved'))
      await until(async () => (await titleOf(site)) === 'Hello world! and saved')
      writeFileSync(join(siteDir, 'extensions', 'faulty', 'index.ts'), faulty('{}', ''))
      await until(() => /"extension":"faulty".*"extension reloaded"/.test(site.output()))
      expect(stored(siteDir).faulty.state).to.equal('active')
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('waits for a debugger that was attached at run time, however long it stops at a breakpoint', async () => {
    const site = await startPentad(siteWith(faulty('{}', '')), [], { nodeArgs: ['--inspect-port=127.0.0.1:0'] })
    try {
      const pid = site.pid()
      process.kill(pid, 'SIGUSR1')
      await until(() => site.errors().includes('ws://'))
      const inspector = new WebSocket(/ws:\S+/.exec(site.errors())?.[0] ?? '')
      const received: string[] = []
      inspector.addEventListener('message', ({ data }) => received.push(String(data)))
      await new Promise((resolve) => inspector.addEventListener('open', resolve))
      // A person needs longer to set a breakpoint than the next heartbeat takes.
      await wait(2000)
      const send = (id: number, method: string) => inspector.send(JSON.stringify({ id, method }))
      send(1, 'Debugger.enable')
      send(2, 'Debugger.pause')
      await until(() => received.some((message) => message.includes('Debugger.paused')))
      // Three times the limit.
      await wait(3000)
      send(3, 'Debugger.resume')
      await until(() => received.some((message) => message.includes('Debugger.resumed')))
      inspector.close()
      expect(await titleOf(site)).to.equal('Hello world! and healthy')
      expect(site.pid()).to.equal(pid)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })
})
