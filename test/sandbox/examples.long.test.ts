import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'

const PROJECT = join(import.meta.dirname, '..', '..')
const put = (host: TestHost, name: string, settings: object) =>
  host.request(`/wp-json/host/v1/settings/${name}`, { method: 'PUT', body: { settings }, as: 'administrator' })

/** A copy that differs only in its isolation. */
async function copyOf(path: string, isolation: 'process' | 'sandbox', parent: string): Promise<string> {
  const folder = join(parent, basename(path))
  await cp(join(PROJECT, path), folder, { recursive: true })
  const entry = join(folder, 'index.ts')
  const code = await readFile(entry, 'utf8')
  await writeFile(entry, code.replace(/isolation: '\w+'/, `isolation: '${isolation}'`))
  return folder
}

for (const isolation of ['process', 'sandbox'] as const)
  describe(`in ${isolation === 'process' ? 'the process' : 'a sandbox'}`, () => {
    describe('bundled extensions', () => {
      let host: TestHost
      let parent: string

      before(async () => {
        parent = await mkdtemp(join(tmpdir(), 'pentad-bundled-'))
        const paths = ['extensions/reading-time', 'extensions/announcement-bar']
        host = await createTestHost({
          extensions: await Promise.all(paths.map((path) => copyOf(path, isolation, parent))),
        })
      })
      after(async () => {
        await host.close()
        await rm(parent, { recursive: true, force: true })
      })

      it('run there', async () => {
        for (const id of ['reading-time', 'announcement-bar']) {
          const { status } = await host.get(`/wp-json/host/v1/extensions/${id}/sandbox`, { as: 'administrator' })
          equal(status, isolation === 'sandbox' ? 200 : 404)
        }
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

    describe('the examples of sandboxed extensions', () => {
      let host: TestHost
      let parent: string
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
        parent = await mkdtemp(join(tmpdir(), 'pentad-examples-'))
        host = await createTestHost({
          extensions: await Promise.all(
            ['members', 'webhook-purge'].map((name) => copyOf(`examples/sandboxed/${name}`, isolation, parent)),
          ),
          isTrustedAddress: ({ hostname }) => hostname === '127.0.0.1',
        })
        // In the process, the requests are those of `host.fetch`.
        host.respond(({ url, method, headers, body }) => fetch(url, { method, headers, body }))
      })
      after(async () => {
        await host.close()
        server.close()
        await rm(parent, { recursive: true, force: true })
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
  })
