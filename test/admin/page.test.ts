import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Serving, serve } from '../../app/serve.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { dataOf, SCRIPT, writeClient } from './written-client.ts'

const PO = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Save"
msgstr "Speichern"

msgctxt "verb"
msgid "Post"
msgstr "Veröffentlichen"

#, fuzzy
msgid "Delete"
msgstr "Vielleicht löschen"

msgid "Trash"
msgstr ""

msgid "%d post"
msgid_plural "%d posts"
msgstr[0] "%d Beitrag"
msgstr[1] "%d Beiträge"
`
const HOSTILE = '</script><script>alert(1)</script><!-- \u2028 "Ada" & co'

describe('The page of the admin', () => {
  const adminFolder = temporaryFolder()
  const siteDir = temporaryFolder()
  const cookies = new Map<string, string>()
  let site: Serving

  before(async () => {
    await writeClient(adminFolder)
    site = await serve({ siteDir, port: 0, logLevel: 'silent' }, { adminFolder, passwordCost: CHEAPEST })
    for (const role of ['administrator', 'editor', 'author', 'subscriber']) {
      const { auth } = site.host
      const user = await auth.users.create({ login: `an-${role}`, email: `${role}@example.org`, roles: [role] })
      const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
      cookies.set(role, auth.sessionCookie(signedIn).split(';')[0] ?? '')
    }
  })
  after(() => site.close())

  const get = (path: string, role = '', init: RequestInit = {}) =>
    fetch(site.url + path, {
      redirect: 'manual',
      ...init,
      headers: { Cookie: cookies.get(role) ?? '', ...init.headers },
    })
  const dataFor = async (role: string) => dataOf(await (await get('/wp-admin/', role)).text())

  describe('is shown', () => {
    it('only to logged-in users: others are redirected to the login form and back', async () => {
      const answer = await get('/wp-admin/posts/7?tab=seo')
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([
        302,
        '/wp-login.php?redirect_to=%2Fwp-admin%2Fposts%2F7%3Ftab%3Dseo',
      ])
    })
    it('at every address below /wp-admin/, so that a screen can be loaded again', async () => {
      for (const path of [
        '/wp-admin/',
        '/wp-admin/posts',
        '/wp-admin/posts/7',
        '/wp-admin/extension/shop/orders?page=2',
      ]) {
        const answer = await get(path, 'subscriber')
        expect([answer.status, answer.headers.get('content-type')], path).to.deep.equal([
          200,
          'text/html; charset=utf-8',
        ])
        expect(await answer.text())
          .to.include('<div id="root"></div>')
          .and.include('<noscript>')
      }
      expect((await get('/wp-admin', 'subscriber')).headers.get('location')).to.equal('/wp-admin/')
    })
    it('without a body to HEAD, and not at all to other methods', async () => {
      const head = await get('/wp-admin/media', 'editor', { method: 'HEAD' })
      expect([head.status, await head.text()]).to.deep.equal([200, ''])
      const post = await get('/wp-admin/media', 'editor', { method: 'POST' })
      expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
    })
    it('with a way out', async () => {
      const { logoutUrl } = await dataFor('author')
      expect(logoutUrl).to.match(/^\/wp-login\.php\?action=logout&_wpnonce=/)
    })
  })

  describe('loads', () => {
    it('the built script with what it imports, and nothing from elsewhere', async () => {
      const text = await (await get('/wp-admin/', 'editor')).text()
      expect(text).to.include('<script type="module" src="/wp-admin/assets/main-1a2b.js"></script>')
      expect(text).to.include('<link rel="modulepreload" href="/wp-admin/assets/shared-3c4d.js">')
      expect(text).to.include('<link rel="stylesheet" href="/wp-admin/assets/shared-5e6f.css">')
      expect(text).not.to.include('lazy-')
      expect(text.match(/(src|href)="(?!\/|data:)/)).to.equal(null)
    })
    it('what its policy allows, under a nonce that is new each time', async () => {
      const [one, other] = await Promise.all([get('/wp-admin/', 'editor'), get('/wp-admin/', 'editor')])
      const policy = one.headers.get('content-security-policy') ?? ''
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy.split('; ')).to.include(rule)
      }
      const { styleNonce } = dataOf(await one.text())
      expect(policy).to.include(`style-src 'self' 'nonce-${styleNonce}'`)
      expect(policy).not.to.match(/script-src[^;]*unsafe/)
      expect(dataOf(await other.text()).styleNonce).not.to.equal(styleNonce)
      expect(one.headers.get('cache-control')).to.equal('no-store')
      expect(one.headers.get('x-robots-tag')).to.equal('noindex')
      expect(one.headers.get('x-frame-options')).to.equal('DENY')
    })
  })

  describe('contains', () => {
    it('who is signed in, and what they may do, by roles and filters', async () => {
      const editor = await dataFor('editor')
      expect(editor.user).to.include({ name: 'an-editor', email: 'editor@example.org' })
      expect(editor.user.roles).to.deep.equal(['editor'])
      expect(editor.user.capabilities).to.include.members(['edit_others_posts', 'moderate_comments'])
      expect(editor.user.capabilities).not.to.include.members(['manage_options'])
      expect((await dataFor('subscriber')).user.capabilities).to.deep.equal(['read'])
      const stop = site.host.hooks.addFilter('user_has_cap', (has) => ({ ...has, edit_pages: false, list_users: true }))
      const filtered = await dataFor('editor')
      stop()
      expect(filtered.user.capabilities).to.include('list_users').and.not.include('edit_pages')
    })
    it('the nonce with which REST takes the session', async () => {
      const { nonce, restUrl } = await dataFor('author')
      const me = await get(`${restUrl}wp/v2/users/me`, 'author', { headers: { 'X-WP-Nonce': nonce } })
      expect(me.status).to.equal(200)
    })
    it('no external images, which would reveal administrators to other sites', async () => {
      expect((await dataFor('author')).user.avatar).to.equal('')
      const stop = site.host.hooks.addFilter('get_avatar_url', () => '/wp-content/uploads/face.png')
      const { user } = await dataFor('author')
      stop()
      expect(user.avatar).to.equal('/wp-content/uploads/face.png')
    })
    it('the settings of all services only to administrators', async () => {
      const { settings, services } = await dataFor('administrator')
      expect(Object.keys(settings)).to.include.members(['ai', 'backup', 'discussion', 'host', 'pwa', 'seo', 'speed'])
      expect(services).to.deep.equal(['ai', 'backup', 'pwa', 'seo', 'speed'])
      for (const role of ['editor', 'author', 'subscriber']) expect((await dataFor(role)).settings).to.deep.equal({})
    })
    it('no secret', async () => {
      await site.host.settings.get('ai')?.update({ openaiApiKey: 'sk-very-secret' })
      const text = await (await get('/wp-admin/', 'administrator')).text()
      expect(text).not.to.include('very-secret')
      expect(dataOf(text).settings.ai?.values.openaiApiKey).to.equal('********')
    })
    it('the translation of the user’s language, else of the site’s, and which way it is written', async () => {
      const folder = join(siteDir, 'languages')
      mkdirSync(folder)
      writeFileSync(join(folder, 'admin-de.po'), PO)
      writeFileSync(join(folder, 'admin-he_IL.po'), 'msgid "broken')
      const locales = { editor: 'de_AT', author: 'he_IL', subscriber: '../../secret', administrator: '' }
      for (const [role, locale] of Object.entries(locales)) {
        const user = await site.host.auth.users.getByLogin(`an-${role}`)
        await site.host.auth.users.update(user?.id ?? 0, { locale })
      }
      const { locale } = await dataFor('editor')
      expect(locale).to.include({ language: 'de-AT', direction: 'ltr' })
      expect(locale.messages).to.deep.equal({
        '': { domain: 'pentad', lang: 'de', plural_forms: 'nplurals=2; plural=(n != 1);' },
        Save: ['Speichern'],
        'verb\u0004Post': ['Veröffentlichen'],
        '%d post': ['%d Beitrag', '%d Beiträge'],
      })
      const english = { language: 'en', direction: 'ltr', messages: null }
      expect((await dataFor('author')).locale).to.deep.equal(english)
      expect((await dataFor('subscriber')).locale).to.deep.equal(english)
      writeFileSync(join(folder, 'admin-he_IL.po'), PO)
      expect((await dataFor('author')).locale).to.include({ language: 'he-IL', direction: 'rtl' })
      await site.host.content.updateSiteSettings({ language: 'de_DE' })
      expect((await dataFor('administrator')).locale).to.include({ language: 'de-DE' })
      writeFileSync(join(folder, 'admin-de_DE.po'), PO.replace('Speichern', 'Sichern'))
      expect((await dataFor('administrator')).locale.messages).to.deep.include({ Save: ['Sichern'] })
      await site.host.content.updateSiteSettings({ language: 'en_US' })
      expect((await dataFor('administrator')).locale.messages).to.equal(null)
    })
    it('hostile titles as text', async () => {
      await site.host.content.updateSiteSettings({ title: HOSTILE })
      const text = await (await get('/wp-admin/', 'author')).text()
      expect(dataOf(text).site.title).to.equal(HOSTILE)
      expect(text.match(/<script/g)).to.have.length(2)
      expect(text).not.to.include('alert(1)</script>')
      await site.host.content.updateSiteSettings({ title: 'Mine' })
    })
  })

  describe('at the addresses of WordPress', () => {
    for (const [from, to] of [
      ['edit.php', 'posts'],
      ['edit.php?post_type=page', 'pages'],
      ['edit.php?post_type=book', 'content/book'],
      ['edit.php?post_type=../x', 'content/..%2Fx'],
      ['edit.php?post_type=constructor', 'content/constructor'],
      ['edit.php?post_status=draft&post_type=post', 'posts?status=draft'],
      ['edit.php?s=caf%C3%A9+au+lait&post_status=all', 'posts?search=caf%C3%A9+au+lait'],
      ['post.php?post=12&action=edit', 'posts/12'],
      ['post.php?post=x', 'posts'],
      ['post-new.php', 'posts/new'],
      ['post-new.php?post_type=page', 'pages/new'],
      ['upload.php', 'media'],
      ['edit-comments.php', 'comments'],
      ['edit-comments.php?comment_status=moderated', 'comments?status=hold'],
      ['comment.php?action=approve&c=12', 'comments/12?action=approve'],
      ['comment.php?action=editcomment&c=12', 'comments/12'],
      ['comment.php?action=approve&c=../x', 'comments'],
      ['import.php', 'tools/import'],
      ['export.php', 'tools/export'],
      ['tools.php', 'tools/import'],
      ['users.php', 'users'],
      ['profile.php', 'profile'],
      ['plugins.php', 'extensions'],
      ['options-general.php', 'settings'],
      ['options-reading.php', 'settings/reading'],
      ['options-discussion.php', 'settings/discussion'],
      ['options-media.php', 'settings/media'],
      ['options-permalink.php', 'settings/permalinks'],
      ['themes.php', 'settings/host'],
      ['nav-menus.php', 'menus'],
      ['edit-tags.php', 'tags'],
      ['edit-tags.php?taxonomy=category', 'categories'],
      ['edit-tags.php?taxonomy=product_cat&post_type=product', 'terms/product_cat'],
      ['edit-tags.php?taxonomy=../x', 'terms/..%2Fx'],
      ['constructor', undefined],
      ['admin.php?page=wpseo_dashboard', 'seo'],
      ['admin.php?page=nothing', ''],
      ['tools.php?page=redirection.php', 'seo/redirects'],
      ['options-general.php?page=wprocket', 'performance'],
      ['index.php', ''],
    ]) {
      it(to === undefined ? `${from} is none of them` : `${from} leads to /wp-admin/${to}`, async () => {
        const answer = await get(`/wp-admin/${from}`, 'editor')
        const target = to === undefined ? null : `/wp-admin/${to}`
        expect(answer.headers.get('location')).to.equal(target)
        expect(answer.status).to.equal(target === null ? 200 : 302)
      })
    }
  })

  describe('its files', () => {
    it('are public and cached permanently', async () => {
      const answer = await get('/wp-admin/assets/main-1a2b.js', '', { headers: { 'Accept-Encoding': 'identity' } })
      expect(answer.status).to.equal(200)
      expect(await answer.text()).to.equal(SCRIPT)
      expect(answer.headers.get('content-type')).to.match(/^(text|application)\/javascript; charset=utf-8$/)
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff')
      expect(answer.headers.get('vary')).to.equal('Accept-Encoding')
    })
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      it(`come ${coding ?? 'as they are'} to who accepts ${accepted}`, async () => {
        const { headers, body } = await ask('/wp-admin/assets/main-1a2b.js', accepted)
        expect(headers['content-encoding']).to.equal(coding)
        expect(Number(headers['content-length'])).to.equal(body.length)
        expect(String(unpack(body))).to.equal(SCRIPT)
      })
    }
    it('respond to HEAD with the headers of GET', async () => {
      const answer = await get('/wp-admin/assets/shared-5e6f.css', '', { method: 'HEAD' })
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).to.deep.equal([
        200,
        'text/css; charset=utf-8',
        '',
      ])
    })
    for (const path of [
      'nothing.js',
      'main-1a2b.js.br',
      '../.vite/manifest.json',
      '..%2f.vite%2fmanifest.json',
      '%2e%2e/%2e%2e/secret.key',
      '..%5csecret.key',
      '.hidden.js',
      'main-1a2b.js/',
      '',
    ]) {
      it(`are none at /assets/${path}: 404, without a page`, async () => {
        const { status, headers, body } = await ask(`/wp-admin/assets/${path}`, 'gzip')
        // What leads out of the folder may be any other address of the admin: the form of signing in.
        if (status === 302) return expect(headers.location).to.match(/^\/wp-login\.php/)
        expect(status).to.be.oneOf([400, 404])
        expect(String(body)).not.to.include('shared-3c4d')
        if (status === 404) expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
      })
    }
  })

  it('says what to do where it was not built', async () => {
    const folder = temporaryFolder()
    const parts = { adminFolder: join(folder, 'nowhere'), passwordCost: CHEAPEST, runServices: false }
    const unbuilt = await serve({ siteDir: folder, port: 0, logLevel: 'silent' }, parts)
    const { auth } = unbuilt.host
    const user = await auth.users.getByLogin('admin')
    if (!user) throw new Error('There is no first administrator.')
    const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
    const answer = await fetch(`${unbuilt.url}/wp-admin/`, { headers: { Cookie: auth.sessionCookie(session) } })
    const text = await answer.text()
    await unbuilt.close()
    expect(answer.status).to.equal(503)
    expect(text).to.include('npm run build')
  })

  /** Without the decompression and the tidying of addresses that `fetch` does. */
  function ask(path: string, accepted: string) {
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(site.url)
      request({ hostname, port, path, headers: { 'Accept-Encoding': accepted } }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      })
        .on('error', reject)
        .end()
    })
  }
})
