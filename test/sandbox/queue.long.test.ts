import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSite } from '../../app/create-site.ts'
import { bundleGuest } from '../../cms/sandbox/bundle.ts'
import { type Kill, SandboxKilled } from '../../cms/sandbox/errors.ts'
import type { SandboxLimits } from '../../cms/sandbox/messages.ts'
import { createSandbox, type Sandbox } from '../../cms/sandbox/sandbox.ts'
import { until } from '../support/until.ts'
import { writeGuest } from './guests.ts'

/** Each calls a method of the host with the name of the event. */
const EVENTS = ['fast', 'slow', 'stuck', 'nest']

describe('a page whose filter is a sandboxed extension', () => {
  it('is shown without it while the extension has too many calls', async () => {
    const source = `permissions: { hooks: ['the_content'] },
      setup({ hooks }) { hooks.addFilter('the_content', async () => { await new Promise(() => {}) }) }`
    const siteDir = await mkdtemp(join(tmpdir(), 'pentad-queue-'))
    const site = await createSite(
      { siteDir, port: 0, logLevel: 'silent' },
      { runServices: false, sandboxLimits: { instances: 1, waiting: 0, wall: 1_000 } },
    )
    try {
      await site.listen()
      await site.extensions.activate(await site.extensions.add(await writeGuest('stuck', 'sandbox', source)))
      const pages = await Promise.all(Array.from({ length: 4 }, () => fetch(`${site.config.url}/hello-world/`)))
      deepEqual(
        pages.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      for (const page of pages) match(await page.text(), /Welcome to/)
    } finally {
      await site.close()
      await rm(siteDir, { recursive: true, force: true })
    }
  })
})

describe('a comment whose filter is a sandboxed extension', () => {
  it('is rejected with 503 while the extension has too many calls, and is not stored unchecked', async () => {
    const source = `permissions: { hooks: ['pre_comment_approved'], storage: 1 },
      setup({ hooks, options }) {
        hooks.addFilter('pre_comment_approved', async () => {
          await options.update('filter_called', true)
          return new Promise(() => {})
        })
      }`
    const siteDir = await mkdtemp(join(tmpdir(), 'pentad-queue-'))
    const site = await createSite(
      { siteDir, port: 0, logLevel: 'silent' },
      { runServices: false, sandboxLimits: { instances: 1, waiting: 0, wall: 60_000 } },
    )
    try {
      await site.listen()
      const { comments, posts } = site.content
      const { items } = await posts.query({ types: ['post'], limit: 1 })
      await site.extensions.activate(await site.extensions.add(await writeGuest('filter', 'sandbox', source)))
      const submit = (comment: string) =>
        fetch(`${site.config.url}/wp-comments-post.php`, {
          ...{ method: 'POST', redirect: 'manual' },
          body: new URLSearchParams({
            ...{ comment_post_ID: String(items[0]?.id), comment, author: 'Eve', email: 'eve@example.org' },
          }),
        })
      const first = submit('Buy pills').catch(() => {})
      await until(async () => (await site.options.get('filter_called')) === true)
      equal((await submit('Buy more pills')).status, 503)
      const { items: stored } = await comments.query({ limit: 100 })
      deepEqual(
        stored.filter(({ content }) => content.includes('pills')),
        [],
      )
      await site.extensions.deactivate('filter')
      await first
    } finally {
      await site.close()
      await rm(siteDir, { recursive: true, force: true })
    }
  })
})

describe('calls of a sandboxed extension at the same time', () => {
  let folder: string
  let code: string
  let sandbox: Sandbox
  const kills: Kill[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-queue-'))
    await writeFile(
      join(folder, 'index.js'),
      `import { defineExtension } from 'pentad'
export default defineExtension({ id: 'queue', name: 'Queue', version: '1.0.0', setup({ jobs, options }) {
  for (const name of ${JSON.stringify(EVENTS)}) jobs.schedule('queue-' + name, 'daily', () => options.get(name))
} })`,
    )
    code = (await bundleGuest(join(folder, 'index.js'), folder, '/queue/.index.1.cjs')).code
  })
  after(() => rm(folder, { recursive: true, force: true }))
  afterEach(async () => {
    await sandbox.close()
    kills.length = 0
  })

  function open(limits: Partial<SandboxLimits>): void {
    sandbox = createSandbox({
      code,
      filename: '/queue/.index.1.cjs',
      methods: { sync: [], async: ['options.get'] },
      limits: { cpu: 1_000, startCpu: 5_000, ...limits },
      async handle({ args: [name] }) {
        if (name === 'slow') await wait(60)
        if (name === 'stuck') await new Promise(() => {})
        if (name === 'nest') return `nested ${await run('slow')}`
        return name
      },
      onKill: (kill) => kills.push(kill),
      onDone() {},
    })
  }
  const run = (name: string, wall?: number) =>
    sandbox.call({ what: name, message: { type: 'call', id: EVENTS.indexOf(name), args: [] }, ...(wall && { wall }) })

  it('wait for their turn, which does not count as time of theirs', async () => {
    open({ instances: 2, wall: 60_000 })
    await run('fast')
    // Together they take ten times as long as each may.
    const calls = Array.from({ length: 20 }, () => run('slow', 5_000))
    deepEqual(await Promise.all(calls), Array(20).fill('slow'))
    deepEqual(kills, [])
  })

  it('are rejected as busy if too many wait', async () => {
    open({ instances: 1, waiting: 1, wall: 60_000 })
    const [first, second] = [run('slow'), run('slow')]
    await rejects(run('slow'), { code: 'extension_busy', status: 503 })
    deepEqual(await Promise.all([first, second]), ['slow', 'slow'])
    deepEqual(kills, [])
  })

  it('do not end each other if one waits for the site too long', async () => {
    open({ instances: 2, wall: 60_000 })
    await run('fast')
    const stuck = run('stuck', 100)
    const others = [run('slow'), run('slow'), run('slow')]
    await rejects(stuck, (error) => error instanceof SandboxKilled && error.kill.reason === 'wall')
    deepEqual(await Promise.all(others), ['slow', 'slow', 'slow'])
    equal(kills.length, 1)
    match(String(await run('fast')), /fast/)
  })

  it('say which call of the site they wait for if they take too long', async () => {
    open({ instances: 1, wall: 60_000 })
    await run('fast')
    await rejects(run('stuck', 100), /took longer than 100 ms/)
    deepEqual(
      kills.map(({ stack }) => stack.trim()),
      ['waiting for options.get'],
    )
  })

  it('that cause calls of their own do not wait for each other in a circle', async () => {
    open({ instances: 1, wall: 60_000 })
    const calls = Array.from({ length: 6 }, () => run('nest'))
    deepEqual(await Promise.all(calls), Array(6).fill('nested slow'))
    deepEqual(kills, [])
  })
})
