import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const SECRET = 'This is your first post'
const WITHHELD = 'For members only.'
const LOOP = 'for (let at = 0; ; ) at++'
/** A megabyte: it takes seconds until the heap is full, with nothing that the stall limit would see. */
const HOARD = 'for (let at = 0; at < 10; at++) kept.push(new Array(12_500).fill(0.5))'
const PATHS = ['/hello-world/', '/', '/feed/', '/?s=welcome', '/wp-json/wp/v2/posts']

/** Shows nobody the text of a post. */
function members(fault = '', setup = '', hook = 'the_content'): string {
  return `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'members', name: 'Members', version: '1.0.0', setup({ hooks }) {
  ${setup}
  hooks.addFilter('${hook}' as string, () => {
    ${fault}
    return '${WITHHELD}'
  }, { priority: 20, onError: 'closed' })
} })`
}

function other(body: string): string {
  return `import { defineExtension } from 'pentad'
const kept: unknown[] = []
export default defineExtension({ id: 'other', name: 'Other', version: '1.0.0', setup(host) {
  ${body}
} })`
}

/** A site with these extensions, all active but those of `inactive`, and of the services with the page cache. */
function siteWith(sources: Record<string, string>, inactive: readonly string[] = []): string {
  const active = Object.keys({ speed: '', ...sources }).filter((id) => !inactive.includes(id))
  const extensions = Object.fromEntries(active.map((id) => [id, { state: 'active', reason: null }]))
  const siteDir = startedSite({ extensions, config: { stallLimitSeconds: 1 } })
  for (const [id, code] of Object.entries(sources)) writeExtension(siteDir, id, code)
  return siteDir
}

function writeExtension(siteDir: string, id: string, code: string): void {
  const folder = join(siteDir, 'extensions', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.ts'), code)
}

/** A visitor who asks for everything until `stop`, and what of it showed the protected text. */
function startVisiting(site: RunningSite): { stop(): Promise<readonly string[]> } {
  const leaks: string[] = []
  let isOver = false
  const visits = (async () => {
    for (let at = 0; !isOver; at++) {
      const path = PATHS[at % PATHS.length] ?? '/'
      const answer = await fetch(site.url + path, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
      const body = await answer?.text().catch(() => '')
      if (body?.includes(SECRET)) leaks.push(`${path} answered ${answer?.status}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    async stop() {
      isOver = true
      await visits
      return leaks
    },
  }
}

const stored = (siteDir: string) => JSON.parse(readFileSync(join(siteDir, 'options.json'), 'utf8')).host_extensions

async function bodyOf(site: RunningSite): Promise<string> {
  const answer = await fetch(`${site.url}/hello-world/`).catch(() => undefined)
  return (await answer?.text().catch(() => '')) ?? ''
}

/** Twice, so that a cache would have stored it. */
async function expectClosed(site: RunningSite): Promise<void> {
  for (const path of [...PATHS, ...PATHS]) {
    const answer = await fetch(site.url + path)
    expect(await answer.text(), path).to.not.contain(SECRET)
    expect(answer.headers.get('x-cache'), path).to.not.be.oneOf(['HIT', 'STALE'])
    expect(answer.headers.get('cache-control'), path).to.contain('no-store')
  }
  const page = await fetch(`${site.url}/hello-world/`)
  expect(page.status).to.equal(503)
  expect(Number(page.headers.get('retry-after'))).to.be.greaterThan(0)
}

describe('content that an extension protects, where the process ends', () => {
  const FAULTS: [what: string, body: string, heapMegabytes?: number][] = [
    ['runs an endless loop', `host.setTimeout(() => { ${LOOP} }, 1000)`],
    ['uses up the memory', `host.setInterval(() => { ${HOARD} }, 20)`, 300],
    ['calls process.exit', 'host.setTimeout(() => process.exit(0), 1000)'],
  ]

  for (const [what, body, heapMegabytes] of FAULTS) {
    it(`is never shown when another extension ${what}`, async () => {
      const siteDir = siteWith({ members: members(), other: other(body) })
      const site = await startPentad(siteDir, [], heapMegabytes === undefined ? {} : { heapMegabytes })
      const visitor = startVisiting(site)
      try {
        await until(() => site.output().includes('extension paused'), { seconds: 60 })
        await until(async () => (await bodyOf(site)).includes(WITHHELD), { seconds: 60 })
        const { other: ended, members: kept } = stored(siteDir)
        expect([ended.state, kept.state]).to.deep.equal(['paused', 'active'])
      } finally {
        expect(await visitor.stop()).to.deep.equal([])
        expect(await site.end()).to.equal(0)
      }
    })
  }

  it('stays closed in safe mode after a crash loop', async () => {
    const kill = `import('node:child_process').then(({ execFileSync }) => execFileSync('kill', ['-KILL', String(process.pid)]))`
    const site = await startPentad(
      siteWith({ members: members(), other: other(`host.setTimeout(() => { ${kill} }, 500)`) }),
    )
    const visitor = startVisiting(site)
    try {
      await until(() => site.errors().includes('It is being restarted in safe mode'), { seconds: 60 })
      await until(async () => (await bodyOf(site)).includes('protected'), { seconds: 60 })
      await expectClosed(site)
    } finally {
      expect(await visitor.stop()).to.deep.equal([])
      expect(await site.end()).to.equal(0)
    }
  })

  it('stays closed when the extension that protects it runs an endless loop, also where the page was cached before', async () => {
    const siteDir = siteWith({ members: members(LOOP) }, ['members'])
    const before = await startPentad(siteDir)
    await bodyOf(before)
    await until(async () => (await fetch(`${before.url}/hello-world/`)).headers.get('x-cache') === 'HIT')
    expect(await bodyOf(before)).to.contain(SECRET)
    expect(await before.end()).to.equal(0)
    expect((await pentad(siteDir, ['extension', 'activate', 'members'])).code).to.equal(0)

    const site = await startPentad(siteDir)
    const visitor = startVisiting(site)
    try {
      await until(() => site.errors().includes('The site stopped unexpectedly'), { seconds: 60 })
      await until(async () => (await bodyOf(site)).includes('protected'), { seconds: 60 })
      await expectClosed(site)
      expect((await pentad(siteDir, ['extension', 'list'])).output).to.match(/^paused +members .*the_content/m)
    } finally {
      expect(await visitor.stop()).to.deep.equal([])
      expect(await site.end()).to.equal(0)
    }
  })

  it('stays closed when what protects it was registered after the start', async () => {
    const late = `setTimeout(() => hooks.addFilter('the_content', () => { ${LOOP} }, { onError: 'closed' }), 500)`
    const site = await startPentad(siteWith({ members: members('', late, 'other_hook') }))
    try {
      await until(
        async () => {
          // Not a page: it could be in the cache before the callback is there, and would not run it.
          await fetch(`${site.url}/wp-json/wp/v2/posts`).catch(() => undefined)
          return site.errors().includes('The site stopped unexpectedly')
        },
        { seconds: 60 },
      )
      await until(async () => (await bodyOf(site)).includes('protected'), { seconds: 60 })
      await expectClosed(site)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('stays closed when the extension fails at the next start', async () => {
    const siteDir = siteWith({ members: members() })
    const before = await startPentad(siteDir)
    expect(await bodyOf(before)).to.contain(WITHHELD)
    expect(await before.end()).to.equal(0)
    writeExtension(siteDir, 'members', members('', `if (hooks) throw new Error('no luck')`))
    const site = await startPentad(siteDir)
    try {
      await expectClosed(site)
    } finally {
      expect(await site.end()).to.equal(0)
    }
  })

  it('answers 503 in --safe-mode, which no cache stores, and is withheld again afterwards', async () => {
    const siteDir = siteWith({ members: members() })
    const before = await startPentad(siteDir)
    expect(await bodyOf(before)).to.contain(WITHHELD)
    expect(await before.end()).to.equal(0)
    const safe = await startPentad(siteDir, ['--safe-mode'])
    await expectClosed(safe)
    expect(await safe.end()).to.equal(0)
    const after = await startPentad(siteDir)
    expect(await bodyOf(after)).to.contain(WITHHELD)
    expect(await after.end()).to.equal(0)
  })
})
