/** Clients that nobody here wrote, as they come from npm or the system, against a site that listens. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { ApiFetch } from '@wordpress/api-fetch'
import { expect } from 'chai'
import WPAPI from 'wpapi'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type Gazette, openGazette, toObject } from './gazette.ts'

// Its types describe its CommonJS half.
const { default: apiFetch }: { default: ApiFetch } = createRequire(import.meta.url)('@wordpress/api-fetch')

/** Published posts of the export. */
const POSTS = 49

describe('clients on other origins', () => {
  let site: Gazette
  let password: string
  before(async () => {
    site = await openGazette()
    const authorization = await site.signIn('admin', 'administrator')
    password = atob(authorization.slice('Basic '.length)).slice('admin:'.length)
  })
  after(() => site.close())

  describe('wpapi', () => {
    let wp: WPAPI
    before(async () => {
      wp = await WPAPI.discover(`${site.url}/`)
    })

    it('finds the API from the home page, and every route in its index', async () => {
      expect(wp.namespace('wp/v2')).to.include.keys(
        'posts',
        'pages',
        'media',
        'categories',
        'tags',
        'users',
        'comments',
        'search',
        'types',
        'taxonomies',
        'statuses',
        'settings',
      )
      expect(wp.namespace('host/v1')).to.include.keys('health', 'extensions', 'license', 'settings', 'hooks')
    })

    it('turns the pages of all posts', async () => {
      const seen: unknown[] = []
      let request: ReturnType<typeof wp.posts> | undefined = wp.posts().perPage(20)
      while (request) {
        const posts = await request.get()
        seen.push(...posts.map((post) => post.id))
        expect(posts._paging).to.include({ total: POSTS, totalPages: 3 })
        request = posts._paging?.next
      }
      expect(new Set(seen).size).to.equal(POSTS)
    })

    it('embeds authors, pictures and terms', async () => {
      const [post] = await wp.posts().perPage(1).embed().get()
      const embedded = toObject(post?._embedded)
      expect(embedded).to.include.keys('author', 'wp:term')
      expect(toObject([embedded.author].flat()[0]).name)
        .to.be.a('string')
        .and.not.to.equal('')
    })

    it('reads every kind of thing, as a list and one by one', async () => {
      for (const kind of [wp.posts, wp.pages, wp.media, wp.categories, wp.tags, wp.users, wp.comments]) {
        const [first] = await kind.call(wp).perPage(1).get()
        const one = await kind.call(wp).id(Number(first?.id)).get()
        expect(one.id).to.equal(first?.id)
      }
      expect(await wp.types().get()).to.include.keys('post', 'page')
      expect(await wp.taxonomies().get()).to.include.keys('category', 'post_tag')
      expect(await wp.statuses().get()).to.include.keys('publish')
    })

    it('searches, filters and sorts', async () => {
      const found = await wp.search().search('espresso').get()
      expect(found.length).to.be.greaterThan(0)
      const [category] = await wp.categories().param('orderby', 'count').order('desc').get()
      const inCategory = await wp.posts().categories(Number(category?.id)).perPage(100).get()
      expect(inCategory.length).to.be.greaterThan(0)
      for (const post of inCategory) expect(post.categories).to.include(category?.id)
    })

    it('gets the reason for a rejection', async () => {
      const refusal = await wp
        .users()
        .me()
        .get()
        .catch((error: unknown) => error)
      expect(refusal).to.include({ code: 'rest_not_logged_in' })
      const missing = await wp
        .posts()
        .id(999999)
        .get()
        .catch((error: unknown) => error)
      expect(missing).to.deep.include({ code: 'rest_post_invalid_id', data: { status: 404 } })
    })

    describe('with an application password', () => {
      let admin: WPAPI
      before(async () => {
        admin = (await WPAPI.discover(`${site.url}/`)).auth({ username: 'admin', password })
      })

      it('knows who it is, and sees what an editor sees', async () => {
        expect(await admin.users().me().auth().context('edit').get()).to.include({ id: 1, username: 'admin' })
        const drafts = await admin.posts().auth().status('draft').context('edit').get()
        expect(drafts.length).to.be.greaterThan(0)
        expect(toObject(drafts[0]?.title)).to.include.keys('raw', 'rendered')
        expect(await admin.settings().auth().get()).to.include({ url: site.url })
      })

      it('creates, edits, lists, embeds and deletes posts and pages', async () => {
        const wp = new WPAPI({ endpoint: `${site.url}/wp-json`, username: 'admin', password, auth: true })
        const made = await wp.posts().create({ title: 'By wpapi', content: '<p>Text</p>', status: 'publish' })
        expect(made).to.include({ slug: 'by-wpapi', status: 'publish' })
        const edited = await wp.posts().id(made.id).update({ title: 'By wpapi, again', sticky: true })
        expect([toObject(edited.title).rendered, edited.sticky]).to.deep.equal(['By wpapi, again', true])
        // A whole record that was read can be sent back.
        expect(await wp.posts().id(made.id).update(edited)).to.include({ slug: 'by-wpapi' })
        const found = await wp.posts().search('wpapi').perPage(5).embed().get()
        expect(found.map(({ id }) => id)).to.deep.equal([made.id])
        expect(toObject(found[0]?._embedded)).to.include.keys('author', 'wp:term')
        expect(found._paging).to.include({ total: 1, totalPages: 1 })
        expect(await wp.posts().id(made.id).revisions().get()).to.have.length(2)
        const page = await wp.pages().create({ title: 'A page', status: 'draft' })
        expect((await wp.pages().status('draft').get()).map(({ id }) => id)).to.include(page.id)
        expect((await wp.posts().id(made.id).delete()).status).to.equal('trash')
        expect((await wp.posts().id(made.id).delete({ force: true })).deleted).to.equal(true)
        const refusal = await wp
          .posts()
          .id(made.id)
          .get()
          .catch((error: unknown) => error)
        expect(refusal).to.include({ code: 'rest_post_invalid_id' })
      })

      it('reads and writes routes of the host', async () => {
        const host = admin.namespace('host/v1')
        const extensions = await host.extensions?.().auth().get()
        expect(toObject(extensions).status).to.equal('success')
        const written = await host
          .settings?.()
          .extension('host')
          .auth()
          .update({ settings: { corsOrigins: ['https://app.example.org'] } })
        expect(toObject(written)).to.include({ status: 'success' })
        expect(site.host.settings.get('host')?.get()).to.deep.include({ corsOrigins: ['https://app.example.org'] })
      })

      it('is refused with a wrong one', async () => {
        const wrong = new WPAPI({ endpoint: `${site.url}/wp-json`, username: 'admin', password: 'x'.repeat(24) })
        const refusal = await wrong
          .posts()
          .auth()
          .get()
          .catch((error: unknown) => error)
        expect(refusal).to.include({ code: 'incorrect_password' })
      })
    })
  })

  describe('@wordpress/api-fetch, in a page of the site', () => {
    const plainFetch = globalThis.fetch
    let browser: Browser
    before(async () => {
      browser = openBrowser(site.url)
      // The package calls the browser's own `fetch`.
      globalThis.fetch = browser.fetch
      const form = new URLSearchParams({ log: 'admin', pwd: 'admin-password', redirect_to: `${site.url}/wp-admin/` })
      const answer = await browser.fetch('/wp-login.php', { method: 'POST', body: form })
      expect(answer.status).to.equal(302)
      const nonceEndpoint = `${site.url}/wp-admin/admin-ajax.php?action=rest-nonce`
      apiFetch.use(apiFetch.createRootURLMiddleware(`${site.url}/wp-json/`))
      apiFetch.nonceMiddleware = apiFetch.createNonceMiddleware(await (await browser.fetch(nonceEndpoint)).text())
      apiFetch.use(apiFetch.nonceMiddleware)
      apiFetch.nonceEndpoint = nonceEndpoint
    })
    after(() => {
      globalThis.fetch = plainFetch
    })

    const ask = (path: string): Promise<unknown> => apiFetch({ path })

    it('is signed in by its cookie and nonce', async () => {
      expect(await ask('/wp/v2/users/me?context=edit')).to.include({ id: 1, username: 'admin' })
    })

    it('reads lists with their headers', async () => {
      const answer = await apiFetch({ path: '/wp/v2/posts?per_page=5', parse: false })
      expect(answer.headers.get('X-WP-Total')).to.equal(String(POSTS))
      expect(await answer.json()).to.have.length(5)
    })

    it('reads all of a list with per_page=-1', async () => {
      expect(await ask('/wp/v2/posts?per_page=-1&_fields=id')).to.have.length(POSTS)
    })

    it('writes settings of the host, whose method the package hides in a header', async () => {
      const settings = { corsOrigins: ['https://panel.example.org'] }
      const answer = await apiFetch({ path: '/host/v1/settings/host', method: 'PUT', data: { settings } })
      expect(answer).to.deep.equal({ status: 'success', data: { updated: ['corsOrigins'], unknown: [] } })
      expect(site.host.settings.get('host')?.get()).to.deep.include(settings)
    })

    it('creates, edits and deletes, and is refused in the words of WordPress', async () => {
      const write = async (method: string, path: string, data?: object) =>
        toObject(await apiFetch({ path, method, data }))
      const made = await write('POST', '/wp/v2/posts', { title: 'By api-fetch' })
      expect(made.status).to.equal('draft')
      const edited = await write('PUT', `/wp/v2/posts/${made.id}`, { status: 'private' })
      expect(edited.status).to.equal('private')
      const gone = await write('DELETE', `/wp/v2/posts/${made.id}?force=true`)
      expect(gone.deleted).to.equal(true)
      const refusal = await write('POST', '/wp/v2/posts', { title: 'x', status: 'nope' }).catch(
        (error: unknown) => error,
      )
      expect(refusal).to.include({ code: 'rest_invalid_param' })
    })

    it('automatically gets a new nonce when the old one is rejected, and repeats the request', async () => {
      if (!apiFetch.nonceMiddleware) throw new Error('there is no nonce middleware')
      const good = apiFetch.nonceMiddleware.nonce
      apiFetch.nonceMiddleware.nonce = 'stale00000'
      expect(await ask('/wp/v2/users/me')).to.include({ id: 1 })
      expect(apiFetch.nonceMiddleware.nonce).to.equal(good)
    })

    it('gets the code of an error', async () => {
      const refusal = await ask('/host/v1/settings-schema/nothing').catch((error: unknown) => error)
      expect(toObject(refusal).code).to.equal('extension_not_found')
      const missing = await ask('/wp/v2/nothing').catch((error: unknown) => error)
      expect(toObject(missing).code).to.equal('rest_no_route')
    })

    it('is anonymous after it has logged out', async () => {
      const page = await (await browser.fetch('/wp-admin/')).text()
      const logout = /href="([^"]*action=logout[^"]*)"/.exec(page)?.[1]?.replaceAll(/&(amp|#38);/g, '&') ?? ''
      expect((await browser.fetch(logout)).status).to.equal(302)
      const refusal = await ask('/wp/v2/users/me').catch((error: unknown) => error)
      expect(toObject(refusal).code).to.be.oneOf(['rest_not_logged_in', 'rest_cookie_invalid_nonce'])
    })
  })

  describe('curl -u', () => {
    const curl = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)('curl', ['-sS', '-w', '\n%{http_code}', ...args])
      const at = stdout.lastIndexOf('\n')
      return { status: Number(stdout.slice(at)), body: toObject(JSON.parse(stdout.slice(0, at))) }
    }

    it('signs in with the application password, with and without its blanks', async () => {
      for (const written of [password, password.replaceAll(' ', '')]) {
        const { status, body } = await curl('-u', `admin:${written}`, `${site.url}/wp-json/wp/v2/users/me`)
        expect([status, body.slug]).to.deep.equal([200, 'admin'])
      }
    })

    it('is refused with the account password and with a wrong one', async () => {
      for (const wrong of ['admin-password', 'nonsense']) {
        const { status, body } = await curl('-u', `admin:${wrong}`, `${site.url}/wp-json/wp/v2/users/me`)
        expect([status, body.code]).to.deep.equal([401, 'incorrect_password'])
      }
    })

    it('writes JSON', async () => {
      const { status, body } = await curl(
        ...['-u', `admin:${password}`, '-X', 'PUT', '-H', 'Content-Type: application/json'],
        ...['-d', '{"settings":{"corsOrigins":[]}}', `${site.url}/wp-json/host/v1/settings/host`],
      )
      expect([status, body.status]).to.deep.equal([200, 'success'])
    })
  })
})
