import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'

const PROJECT = join(import.meta.dirname, '..', '..')
const READING_TIME =
  "permissions: { hooks: ['the_content'], routes: ['public'], content: { read: 'all', types: ['post'] }, users: true, settings: true },\n  "
const put = (host: TestHost, name: string, settings: object) =>
  host.request(`/wp-json/host/v1/settings/${name}`, { method: 'PUT', body: { settings }, as: 'administrator' })

describe('bundled extensions in a sandbox', () => {
  let host: TestHost
  let parent: string

  /** A copy that differs only in its isolation, and in its permissions if it has none. */
  async function sandboxed(name: string, permissions = ''): Promise<string> {
    const folder = join(parent, name)
    await cp(join(PROJECT, 'extensions', name), folder, { recursive: true })
    const entry = join(folder, 'index.ts')
    const code = await readFile(entry, 'utf8')
    const setup = permissions ? '  setup(' : '  permissions: {'
    await writeFile(entry, code.replace(setup, `  isolation: 'sandbox',\n  ${permissions}${setup.trim()}`))
    return folder
  }

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'pentad-sandboxed-'))
    host = await createTestHost({
      extensions: [await sandboxed('reading-time', READING_TIME), await sandboxed('announcement-bar')],
    })
  })
  after(async () => {
    await host.close()
    await rm(parent, { recursive: true, force: true })
  })

  it('run in one', async () => {
    for (const id of ['reading-time', 'announcement-bar'])
      equal((await host.get(`/wp-json/host/v1/extensions/${id}/sandbox`, { as: 'administrator' })).status, 200)
  })

  it('reading-time shows minutes above posts, and over REST', async () => {
    const content = `<p>${'word '.repeat(1000)}</p>`
    const { id } = await host.host.content.posts.insert({ title: 'Long', slug: 'long', content, status: 'publish' })
    match(await (await host.get('/long/')).text(), /<p class="reading-time">5 min read<\/p>/)
    doesNotMatch(await (await host.get('/sample-page/')).text(), /min read/)
    deepEqual(await (await host.get(`/wp-json/reading-time/v1/posts/${id}`)).json(), { minutes: 5 })
    await put(host, 'reading-time', { wordsPerMinute: 500 })
    deepEqual(await (await host.get(`/wp-json/reading-time/v1/posts/${id}`)).json(), { minutes: 2 })
    const draft = await host.host.content.posts.insert({ title: 'Draft', content: 'Secret', status: 'draft' })
    equal((await host.get(`/wp-json/reading-time/v1/posts/${draft.id}`)).status, 404)
  })

  it('announcement-bar shows the message with its style, and counts changes', async () => {
    const set = (body: object, as?: string) =>
      host.request('/wp-json/announcement-bar/v1/bar', { method: 'PUT', body, ...(as && { as }) })
    equal((await set({ message: 'Sale & more', linkUrl: 'https://example.org/sale' })).status, 401)
    equal((await set({ message: 'x', linkUrl: 'javascript:alert(1)' }, 'administrator')).status, 400)
    equal((await set({ message: 'Sale & more', linkUrl: 'https://example.org/sale' }, 'administrator')).status, 200)
    const page = await (await host.get('/')).text()
    match(page, /<style>\.announcement-bar\{/)
    match(page, /<div class="announcement-bar"[^>]*><a href="https:\/\/example\.org\/sale">Sale &amp; more</)
    equal(host.host.options.get('announcement-bar_revision'), 1)
  })

  it('leave nothing behind', async () => {
    await host.expectNoLeaks('reading-time')
    await host.expectNoLeaks('announcement-bar')
  })
})

describe('examples of sandboxed extensions', () => {
  let host: TestHost
  const received = Promise.withResolvers<{ headers: NodeJS.Dict<string | string[]>; body: string }>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.end()
      received.resolve({ headers: request.headers, body })
    })
  })

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host = await createTestHost({
      extensions: ['members', 'webhook-purge'].map((name) => join(PROJECT, 'examples', 'sandboxed', name)),
      isTrustedAddress: ({ hostname }) => hostname === '127.0.0.1',
    })
  })
  after(async () => {
    await host.close()
    server.close()
  })

  it('the members extension hides posts and parts of posts', async () => {
    const { posts } = host.host.content
    const { id } = await posts.insert({ title: 'Club', slug: 'club', content: 'Meeting', status: 'publish' })
    await put(host, 'sandboxed-members', { posts: [id] })
    equal((await host.get('/club/')).status, 404)
    equal((await host.get(`/wp-json/wp/v2/posts/${id}`, { as: 'subscriber' })).status, 200)

    const content = 'For all. [members]For members.[/members]'
    const part = await posts.insert({ title: 'Part', slug: 'part', content, status: 'publish' })
    const anonymous = await host.get('/part/')
    doesNotMatch(await anonymous.text(), /For members/)
    match(anonymous.headers.get('Cache-Control') ?? '', /private, no-store/)
    match(await (await host.get(`/wp-json/wp/v2/posts/${part.id}`, { as: 'subscriber' })).text(), /For members/)
    doesNotMatch((await host.get('/hello-world/')).headers.get('Cache-Control') ?? '', /no-store/)
  })

  it('the webhook is signed with a secret that the extension does not see', async () => {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const secret = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`
    await put(host, 'sandboxed-webhook-purge', { url: `http://127.0.0.1:${port}/hook`, secret })
    const urls = ['http://site.example/a/']
    const purge = { scope: 'urls', urls, tags: [], reason: 'A test.' } as const
    await host.host.hooks.doActionAsync('speed_purged', purge)
    const { headers, body } = await received.promise
    deepEqual(JSON.parse(body), { type: 'speed.purged', data: { scope: 'urls', urls, tags: [] } })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signature = createHmac('sha256', 'a key of twenty-four bytes').update(signed).digest('base64')
    equal(headers['webhook-signature'], `v1,${signature}`)
  })
})
