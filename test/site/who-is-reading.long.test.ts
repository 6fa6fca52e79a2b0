import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, startCachedSite } from '../speed/cached-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** Asks in each hook who reads, on the post that is named like it: there the answer says `reader=<login>`. */
const EXTENSION = `import { defineExtension } from 'pentad'
import { setTimeout as wait } from 'node:timers/promises'

export default defineExtension({
  id: 'who-reads', name: 'Who reads', version: '1.0.0',
  async setup({ hooks, front, rest, jobs, content, setTimeout: later, isUserLoggedIn, getCurrentUser, currentUserCan, asVisitor }) {
    const who = () => 'reader=' + (getCurrentUser()?.login ?? 'visitor')
    const slow = async () => {
      await wait(Math.random() * 20)
      return who()
    }
    const isFor = (hook, page) => page.post?.slug === hook.replaceAll('_', '-')
    hooks.addAction('wp_footer', (output, page) => {
      const { headers, address } = page.post?.slug === 'address' ? page.request : { headers: page.request.headers }
      const shown = {
        cookie: () => headers.cookie, agent: () => headers['user-agent'], every: () => Object.keys(headers).join(),
        spread: () => JSON.stringify({ ...headers }), has: () => 'accept-language' in headers, address: () => address,
        host: () => headers.host, validator: () => headers['if-none-match'] ?? 'none', user: () => page.user?.login ?? 'nobody',
      }[page.post?.slug]
      if (shown) output.print('<!-- shown ' + shown() + ' -->')
    })
    const told = { setup: who(), init: '', timer: '', job: '', saved: '' }

    hooks.addFilter('the_content', async (html, post) => (post.slug === 'the-content' ? html + (await slow()) : html))
    hooks.addFilter('the_excerpt', async (html, post) => (post.slug === 'the-excerpt' ? html + (await slow()) : html))
    hooks.addFilter('the_title', (title) => (title === 'the_title' ? title + who() : title))
    hooks.addFilter('shortcode_tags', (known) => ({ ...known, who: slow }))
    hooks.addAction('wp_head', async (output, page) => { if (isFor('wp_head', page)) output.print('<!-- ' + (await slow()) + ' -->') })
    hooks.addAction('wp_body_open', async (output, page) => { if (isFor('wp_body_open', page)) output.print(await slow()) })
    hooks.addAction('wp_footer', async (output, page) => { if (isFor('wp_footer', page)) output.print(await slow()) })
    hooks.addFilter('page_html', async (html, page) => (isFor('page_html', page) ? html.replace('</body>', (await slow()) + '</body>') : html))
    hooks.addAction('template_redirect', async (page) => {
      if (isFor('template_redirect', page)) page.respond({ body: '<!doctype html><html>' + (await slow()) + '</html>', tags: ['own'] })
    })
    hooks.addFilter('wp_headers', (headers, page) => (isFor('wp_headers', page) ? { ...headers, 'X-Who': who() } : headers))
    hooks.addFilter('document_title', (title, page) => (isFor('document_title', page) ? title + who() : title))
    hooks.addFilter('body_class', (classes, page) => (isFor('body_class', page) ? [...classes, who()] : classes))
    hooks.addFilter('post_class', (classes, post) => (post.slug === 'post-class' ? [...classes, who()] : classes))
    hooks.addFilter('wp_robots', (robots, page) => (isFor('wp_robots', page) ? { ...robots, [who()]: true } : robots))
    hooks.addFilter('the_content_feed', async (html, type, post) => (post.slug === 'the-content' ? html + (await slow()) : html))
    hooks.addFilter('rest_prepare_post', async (data, post) => ({
      ...data,
      who: await slow(),
      loggedIn: isUserLoggedIn(),
      mayManage: currentUserCan('manage_options'),
      mayEditWithoutId: currentUserCan('edit_post'),
      mayEdit: await currentUserCan('edit_post', post.id),
    }))

    hooks.addAction('init', () => { told.init = who() })
    const { job } = jobs.define({
      type: 'ask', data: { parse: (data) => data },
      async tick() { told.job = await slow(); return { done: true } },
    })
    hooks.addAction('save_post', async (post) => { told.saved = await asVisitor(slow) + ' by ' + who() })
    rest.registerRoute('who/v1', { method: 'GET', path: '/told', access: 'public', handler: () => told })
    rest.registerRoute('who/v1', {
      method: 'POST', path: '/render', access: 'edit_posts',
      async handler() {
        const { status, headers, body } = await front.render('/the-content/')
        return { status, headers, body: body.toString() }
      },
    })
    rest.registerRoute('who/v1', {
      method: 'POST', path: '/later', access: 'public',
      async handler() {
        later(async () => { told.timer = await slow() }, 1)
        await job.start({})
        return { who: who() }
      },
    })
  },
})`

/** Hooks of a page that are asked, and where the answer shows it. */
const PAGE_HOOKS = [
  ...[
    'the_content',
    'the_title',
    'shortcode',
    'wp_head',
    'wp_body_open',
    'wp_footer',
    'page_html',
    'template_redirect',
  ],
  ...['wp_headers', 'document_title', 'body_class', 'post_class', 'wp_robots'],
]

describe('Who is reading', () => {
  let site: TestHost
  const readers: Record<string, Record<string, string>> = { visitor: {} }
  const ids: Record<string, number> = {}
  let nonce = ''

  before(async () => {
    const folder = join(temporaryFolder(), 'who-reads')
    await mkdir(folder)
    await writeFile(join(folder, 'index.ts'), EXTENSION)
    site = await startCachedSite({ extensions: [folder] })
    const { auth, content } = site.host
    for (const [login, role] of [
      ['anna', 'administrator'],
      ['bert', 'subscriber'],
    ] as const) {
      const user = await auth.users.create({
        login,
        email: `${login}@example.org`,
        password: 'correct horse',
        roles: [role],
      })
      const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
      readers[login] = { cookie: auth.sessionCookie(session).split(';')[0] ?? '' }
      if (login === 'anna') nonce = auth.createNonce('wp_rest', session)
    }
    for (const hook of [...PAGE_HOOKS, 'the_excerpt', 'nothing']) {
      const text = hook === 'shortcode' ? '[who]' : 'Some text.'
      const slug = hook.replaceAll('_', '-')
      const post = await content.posts.insert({ title: hook, slug, content: text, status: 'publish', authorId: 1 })
      ids[hook] = post.id
    }
  })
  after(() => site.close())

  const pathOf = (hook: string) => `/${hook.replaceAll('_', '-')}/`
  const shown = ({ headers, body }: Awaited<ReturnType<typeof ask>>) =>
    new Set((JSON.stringify(headers) + body.toString()).match(/reader=\w+/g))

  for (const hook of PAGE_HOOKS) {
    it(`is known in ${hook}, to each of many readers at once`, async () => {
      const asked = Array.from({ length: 5 }, () => Object.keys(readers)).flat()
      const answers = await Promise.all(
        asked.map((login) => ask(site, pathOf(hook), { headers: readers[login] ?? {} })),
      )
      for (const [at, answer] of answers.entries()) {
        expect([...shown(answer)], `${asked[at]} ${answer.status}`).to.deep.equal([`reader=${asked[at]}`])
      }
    })

    it(`makes the page of ${hook} one reader's: no cache stores it`, async () => {
      for (let time = 0; time < 3; time++) {
        const { headers } = await ask(site, pathOf(hook))
        expect(headers['x-cache']).to.equal('BYPASS')
        expect(headers['cache-control']).to.equal('private, no-store')
        expect(headers).to.not.have.any.keys('surrogate-key', 'cache-tag')
      }
    })
  }

  it('leaves pages in the cache where nothing asks', async () => {
    await site.host.content.posts.insert({ type: 'page', title: 'Quiet', status: 'publish', authorId: 1 })
    const states = [await ask(site, '/quiet/'), await ask(site, '/quiet/')]
    expect(states.map(({ headers }) => headers['x-cache'])).to.deep.equal(['MISS', 'HIT'])
    expect(states[1]?.headers['surrogate-key']).to.match(/^site /)
    expect(states[1]?.headers['cache-control']).to.contain('public')
  })

  for (const slug of ['cookie', 'agent', 'every', 'spread', 'has', 'address']) {
    it(`keeps a page from caches that depends on the visitor otherwise: by their ${slug}`, async () => {
      const cookie = 'members=anna'
      await site.host.content.posts.insert({ type: 'page', title: slug, slug, status: 'publish', authorId: 1 })
      for (const headers of [{ cookie }, {}, { cookie }]) {
        const answer = await ask(site, `/${slug}/`, { headers })
        expect([answer.headers['x-cache'], answer.headers['cache-control']]).to.deep.equal([
          'BYPASS',
          'private, no-store',
        ])
        expect(answer.headers).to.not.have.any.keys('surrogate-key', 'cache-tag')
        expect(answer.body.toString()).to.contain('<!-- shown ')
        if (slug === 'cookie') expect(answer.body.toString().includes(cookie)).to.equal('cookie' in headers)
      }
    })
  }

  for (const slug of ['host', 'validator', 'user']) {
    it(`leaves a page in the cache that only looks at: ${slug}`, async () => {
      await site.host.content.posts.insert({ type: 'page', title: slug, slug, status: 'publish', authorId: 1 })
      const answers = [await ask(site, `/${slug}/`), await ask(site, `/${slug}/`)]
      expect(answers.map(({ headers }) => headers['x-cache'])).to.deep.equal(['MISS', 'HIT'])
      const { headers, body } = await ask(site, `/${slug}/`, { headers: readers.anna ?? {} })
      expect([headers['x-cache'], headers['cache-control']]).to.deep.equal(['BYPASS', 'private, no-store'])
      if (slug === 'user') expect(body.toString()).to.contain('shown anna')
    })
  }

  for (const path of ['/', '/feed/', '/category/uncategorized/']) {
    it(`is known in excerpts and the feed: ${path}`, async () => {
      const answers = await Promise.all(Object.values(readers).map((headers) => ask(site, path, { headers })))
      const expected = Object.keys(readers).map((login) => [`reader=${login}`])
      expect(answers.map((answer) => [...shown(answer)])).to.deep.equal(expected)
      for (const { headers } of answers) expect(headers['cache-control'], path).to.equal('private, no-store')
    })
  }

  describe('in REST', () => {
    const route = () => `/wp-json/wp/v2/posts/${ids.the_content}`
    const read = async (headers: Record<string, string>) =>
      JSON.parse((await ask(site, route(), { headers })).body.toString())

    it('is the caller: by application password, by session and nonce, or a visitor', async () => {
      const editor = await (await site.get(route(), { as: 'editor' })).json()
      const anna = await read({ ...readers.anna, 'x-wp-nonce': nonce })
      const visitor = await read({})
      const seen = [editor, anna, visitor].map((body) => [body.who, body.content.rendered.match(/reader=\S+/)?.[0]])
      expect(seen).to.deep.equal([
        ['reader=test-editor', 'reader=test-editor'],
        ['reader=anna', 'reader=anna'],
        ['reader=visitor', 'reader=visitor'],
      ])
      expect(
        [editor, anna, visitor].map((body) => [body.loggedIn, body.mayManage, body.mayEditWithoutId, body.mayEdit]),
      ).to.deep.equal([
        [true, false, false, true],
        [true, true, false, true],
        [false, false, false, false],
      ])
    })

    it('is a visitor for a session without its nonce, as the route itself sees them', async () => {
      expect((await read({ ...readers.anna })).who).to.equal('reader=visitor')
    })

    it('is the reader of each internal request', async () => {
      const { auth, rest } = site.host
      const user = (await auth.users.getByLogin('bert')) ?? null
      const identity = { user, via: 'session', session: null, applicationPassword: null, freshNonce: null } as const
      const { body } = await rest.dispatch({ method: 'GET', route: `/wp/v2/posts/${ids.the_content}`, identity })
      expect(body).to.include({ who: 'reader=bert', mayEdit: false })
    })
  })

  it('is an anonymous visitor outside of requests: in setup, init, timers and jobs, whichever user started them', async () => {
    const answer = await site.request('/wp-json/who/v1/later', { method: 'POST', as: 'administrator' })
    expect(await answer.json()).to.deep.equal({ who: 'reader=test-administrator' })
    await until(async () => {
      const { timer, job } = await told()
      return timer !== '' && job !== ''
    })
    expect(await told()).to.include({
      ...{ setup: 'reader=visitor', init: 'reader=visitor', timer: 'reader=visitor', job: 'reader=visitor' },
    })
  })

  it('is an anonymous visitor in a rendering for the cache, whichever user triggers it', async () => {
    const answer = await site.request('/wp-json/who/v1/render', { method: 'POST', as: 'editor' })
    const rendered = z.object({ status: z.int(), headers: z.record(z.string(), z.unknown()), body: z.string() })
    const { status, headers, body } = rendered.parse(await answer.json())
    expect([status, headers['cache-control']]).to.deep.equal([200, 'private, no-store'])
    expect([...new Set(body.match(/reader=\w+/g))]).to.deep.equal(['reader=visitor'])
  })

  it('is an anonymous visitor in shared results, while the user who saves stays logged in', async () => {
    const saved = { title: 'Saved', status: 'draft' }
    await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'editor', body: saved })
    expect((await told()).saved).to.equal('reader=visitor by reader=test-editor')
  })

  async function told(): Promise<Record<string, string>> {
    return z.record(z.string(), z.string()).parse(await (await site.get('/wp-json/who/v1/told')).json())
  }
})
