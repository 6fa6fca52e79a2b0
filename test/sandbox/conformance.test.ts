import { deepEqual, equal, match } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { until } from '../support/until.ts'
import { writeGuest } from './guests.ts'

const bodySchema = z.looseObject({
  data: z.union([z.looseObject({}), z.array(z.unknown())]).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
})

/** An extension that uses everything that exists in both modes. */
const SOURCE = `
  permissions: {
    hooks: ['the_content', 'save_post', 'wp_footer', 'template_redirect', 'read_post_caps', 'purge_pages'],
    routes: ['public', 'edit_posts'],
    content: { read: 'own', write: 'own' },
    users: true,
    storage: 1,
    settings: true,
    mail: { perHour: 5 },
  },
  setup({ hooks, rest, settings, options, content, mail, log, secrets, isSingle, getCurrentUser }) {
    const chosen = settings.register(z.object({
      label: z.string().max(20).default('Note'),
      color: z.string().regex(/^#[0-9a-f]{6}$/i).default('#112233'),
      token: z.string().default('').meta({ secret: true }),
    }))
    hooks.addFilter('the_content', (html, post) => html + '<p class="note">' + escapeHtml(chosen.get().label) + ' ' + post.slug + '</p>')
    hooks.addFilter('the_content', async (html) => html + (isSingle() ? '<i>single</i>' : ''))
    hooks.addFilter('the_content', (html) => html.replace('<i>', '<i class="late">'), 20)
    hooks.addAction('save_post', async (id, post) => {
      await options.modify('notes_saved', (saved) => [...(saved ?? []), post.slug])
    })
    hooks.addAction('wp_footer', (output, page) => output.print('<p class="foot">' + page.kind + '</p>'))
    hooks.addAction('template_redirect', (page) => {
      if (page.path === '/old/') page.redirect('/new/', 301)
    })
    hooks.addFilter('read_post_caps', (caps, id) => id === options.get('notes_hidden') ? [...caps, 'edit_posts'] : caps)
    const get = (path, handler, more = {}) => rest.registerRoute('notes/v1', { method: 'GET', path, access: 'public', handler, ...more })
    get('/echo/{id}', ({ input }) => ({ id: input.id, kind: typeof input.id }), { input: z.object({ id: z.int(), word: z.string().trim().default('none') }) })
    get('/again', () => new RestResponse(null, { status: 201 }).with({ again: true }))
    get('/fail', () => { throw new RestError('notes_failed', 'It failed.', { status: 418, why: 'tea' }).add('notes_cold', 'It is cold.') })
    get('/crash', () => { throw new TypeError('Oops') })
    get('/saved', () => success(options.get('notes_saved') ?? []))
    get('/signed', () => ({ signature: secrets.hmac(chosen.get().token, 'text', { encoding: 'hex' }) }))
    get('/user', ({ user }) => ({ name: user?.displayName ?? null }))
    get('/secret', () => ({ ok: true }), { access: 'edit_posts' })
    rest.registerRoute('notes/v1', { method: 'POST', path: '/hide', access: 'public', input: z.object({ id: z.int() }), handler: async ({ input }) => {
      await options.update('notes_hidden', input.id)
      return { hidden: input.id }
    } })
    rest.registerRoute('notes/v1', { method: 'POST', path: '/posts', access: 'public', handler: async () => {
      const post = await content.posts.insert({ title: 'Mine', content: '<p>Text</p>', status: 'draft' })
      await content.posts.update(post.id, { title: 'Mine too' })
      await content.meta.set('post', post.id, 'stars', 5)
      const read = await content.posts.get(post.id)
      return { title: read.title, stars: await content.meta.get('post', post.id, 'stars') }
    } })
    rest.registerRoute('notes/v1', { method: 'POST', path: '/mail', access: 'public', handler: async () => {
      await mail.send({ to: 'ada@example.org', subject: 'Hello', text: 'Text' })
      return { sent: true }
    } })
    rest.registerRoute('notes/v1', { method: 'POST', path: '/purge', access: 'public', input: z.object({ tag: z.string() }), handler: ({ input }) => {
      hooks.doAction('purge_pages', { tags: [input.tag], reason: 'Noted.' })
      return { purged: true }
    } })
    log.info({ setup: true }, 'notes set up')
  },`

for (const isolation of ['process', 'sandbox'] as const) {
  describe(`an extension in ${isolation === 'process' ? 'the process' : 'a sandbox'}`, () => {
    let host: TestHost
    const json = async (path: string, method = 'GET', body?: object) => {
      const response = await host.request(`/wp-json/notes/v1${path}`, { method, ...(body && { body }) })
      return { status: response.status, body: bodySchema.parse(await response.json()) }
    }
    const put = (settings: object) =>
      host.request('/wp-json/host/v1/settings/notes', { method: 'PUT', body: { settings }, as: 'administrator' })

    before(async () => {
      host = await createTestHost({ extensions: [await writeGuest('notes', isolation, SOURCE)] })
    })
    after(() => host.close())

    it('filters content, with several callbacks and priorities', async () => {
      const page = await (await host.get('/hello-world/')).text()
      match(page, /<p class="note">Note hello-world<\/p><i class="late">single<\/i>/)
    })

    it('prints on pages and redirects', async () => {
      match(await (await host.get('/hello-world/')).text(), /<p class="foot">single<\/p>/)
      const moved = await host.get('/old/')
      equal(moved.status, 301)
      match(moved.headers.get('Location') ?? '', /\/new\/$/)
    })

    it('reacts to actions and stores options', async () => {
      await host.host.content.posts.insert({ title: 'One', slug: 'one', status: 'publish' })
      await until(async () => JSON.stringify((await json('/saved')).body).includes('"one"'))
    })

    it('has routes with schemas, errors and access', async () => {
      deepEqual(await json('/echo/7'), { status: 200, body: { id: 7, kind: 'number' } })
      equal((await json('/echo/x')).status, 400)
      const { status, body } = await json('/fail')
      deepEqual(
        [status, body.code, body.message, body.data, body.additional_errors],
        [
          ...[418, 'notes_failed', 'It failed.', { status: 418, why: 'tea' }],
          [{ code: 'notes_cold', message: 'It is cold.', data: null }],
        ],
      )
      deepEqual(await json('/again'), { status: 201, body: { again: true } })
      equal((await json('/crash')).status, 500)
      equal((await json('/secret')).status, 401)
      equal((await host.get('/wp-json/notes/v1/secret', { as: 'editor' })).status, 200)
      equal((await json('/user')).body.name, null)
      match(await (await host.get('/wp-json/notes/v1/user', { as: 'editor' })).text(), /"name":"test-editor"/)
    })

    it('has settings with checks and secrets', async () => {
      equal((await put({ color: 'red' })).status, 400)
      equal((await put({ label: 'x'.repeat(21) })).status, 400)
      equal((await put({ label: '<b>Hi', color: '#AABBCC', token: 'key' })).status, 200)
      match(await (await host.get('/hello-world/')).text(), /<p class="note">&lt;b&gt;Hi hello-world/)
      equal((await json('/signed')).body.signature, createHmac('sha256', 'key').update('text').digest('hex'))
    })

    it('writes and reads its own posts, and sends mail', async () => {
      deepEqual(await json('/posts', 'POST', {}), { status: 200, body: { title: 'Mine too', stars: 5 } })
      deepEqual(await json('/mail', 'POST', {}), { status: 200, body: { sent: true } })
      equal(host.mails.at(-1)?.subject, 'Hello')
    })

    it('protects posts', async () => {
      const { id } = await host.host.content.posts.insert({ title: 'Hidden', slug: 'hidden', status: 'publish' })
      equal((await host.get('/hidden/')).status, 200)
      await json('/hide', 'POST', { id })
      equal((await host.get('/hidden/')).status, 404)
      equal((await host.get(`/wp-json/wp/v2/posts/${id}`, { as: 'editor' })).status, 200)
    })

    it('purges pages that show its data', async () => {
      const purged: unknown[] = []
      host.host.hooks.addAction('purge_pages', ({ tags, reason }) => void purged.push([tags, reason]))
      deepEqual(await json('/purge', 'POST', { tag: 'post-1' }), { status: 200, body: { purged: true } })
      deepEqual(purged, [[['post-1'], 'Noted.']])
    })

    it('leaves nothing behind', async () => {
      await host.expectNoLeaks('notes')
    })
  })
}
