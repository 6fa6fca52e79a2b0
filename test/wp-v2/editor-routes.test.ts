import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { SessionHeaders } from '../support/session.ts'
import { toObject } from './gazette.ts'
import { type OwnSite, openOwnSite } from './own-site.ts'

const HEADER = `/*
Theme Name: Dawn & Dusk
 * Theme URI: javascript:alert(1)
Author: Ann <b>
Author URI: https://example.org/ann
Version: 1.2
Tags: blog, two-columns
*/
body { color: black }`

describe('what the block editor asks for first', () => {
  let site: OwnSite
  const as: Record<string, string | undefined> = {}

  before(async () => {
    site = await openOwnSite()
    as.admin = await site.signIn('admin', 'administrator')
    for (const role of ['author', 'subscriber']) as[role] = await site.signIn(role, role)
    const folder = join(site.host.config.siteDir, 'themes', 'dawn')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'style.css'), HEADER)
  })
  after(() => site.close())

  const themes = async (query: string, role: string) => {
    const { body } = await site.ask(`GET /wp/v2/themes${query}`, undefined, as[role])
    return Array.isArray(body) ? body.map(toObject) : []
  }

  /** What an administrator, an author, a subscriber and a visitor get. */
  const outcomes = (route: string) =>
    Promise.all(['admin', 'author', 'subscriber', 'visitor'].map((role) => site.outcome(route, undefined, as[role])))

  it('themes say what their style sheet says, as text', async () => {
    const [dawn, other] = await themes('', 'admin')
    expect(dawn).to.deep.include({
      ...{ stylesheet: 'dawn', version: '1.2', status: 'inactive', is_block_theme: false },
      name: { raw: 'Dawn & Dusk', rendered: 'Dawn &amp; Dusk' },
      author: { raw: 'Ann <b>', rendered: '<a href="https://example.org/ann">Ann &lt;b&gt;</a>' },
      theme_uri: { raw: '', rendered: '' },
      tags: { raw: ['blog', 'two-columns'], rendered: 'blog, two-columns' },
    })
    expect(other).to.deep.include({ stylesheet: 'default', status: 'active' })
    expect(dawn).to.not.have.property('theme_supports')
    expect(toObject(other?.theme_supports)['post-thumbnails']).to.equal(true)
  })

  it('the theme in use is for those who write, the others for those who switch themes', async () => {
    const cannot = 'rest_cannot_view_themes'
    const cannotActive = 'rest_cannot_view_active_theme'
    expect(await outcomes('GET /wp/v2/themes')).to.deep.equal([
      '200',
      `403 ${cannot}`,
      `403 ${cannot}`,
      `401 ${cannot}`,
    ])
    const active = ['200', '200', `403 ${cannotActive}`, `401 ${cannotActive}`]
    expect(await outcomes('GET /wp/v2/themes?status=active')).to.deep.equal(active)
    expect(await outcomes('GET /wp/v2/themes/default')).to.deep.equal(active)
    expect((await themes('?status=active', 'author')).map(({ stylesheet }) => stylesheet)).to.deep.equal(['default'])
    expect((await themes('?status=inactive', 'admin')).map(({ stylesheet }) => stylesheet)).to.deep.equal(['dawn'])
    expect(await site.outcome('GET /wp/v2/themes/..%2F..', undefined, as.admin)).to.match(/^404 /)
    expect(await site.outcome('GET /wp/v2/themes/nope', undefined, as.admin)).to.equal('404 rest_theme_not_found')
  })

  it('what there is nothing of is an empty list, with the permissions of WordPress', async () => {
    const onlyAdmin = (code: string) => ['200', `403 ${code}`, `403 ${code}`, `401 ${code}`]
    const writers = (code: string) => ['200', '200', `403 ${code}`, `401 ${code}`]
    const expected = {
      sidebars: onlyAdmin('rest_cannot_manage_widgets'),
      widgets: onlyAdmin('rest_cannot_manage_widgets'),
      'widget-types': onlyAdmin('rest_cannot_manage_widgets'),
      templates: onlyAdmin('rest_cannot_manage_templates'),
      'template-parts': onlyAdmin('rest_cannot_manage_templates'),
      'templates/lookup?slug=index': onlyAdmin('rest_cannot_manage_templates'),
      'global-styles/themes/default': onlyAdmin('rest_cannot_manage_global_styles'),
      'global-styles/themes/default/variations': onlyAdmin('rest_cannot_manage_global_styles'),
      'font-collections': onlyAdmin('rest_cannot_read'),
      'font-families': onlyAdmin('rest_cannot_read'),
      icons: writers('rest_cannot_view'),
      'icon-collections': writers('rest_cannot_view'),
      'block-patterns/patterns': writers('rest_cannot_view'),
      'block-patterns/categories': writers('rest_cannot_view'),
      'pattern-directory/patterns': writers('rest_pattern_directory_cannot_view'),
    }
    for (const [path, told] of Object.entries(expected))
      expect(await outcomes(`GET /wp/v2/${path}`), path).to.deep.equal(told)
    expect((await site.ask('GET /wp/v2/widgets', undefined, as.admin)).body).to.deep.equal([])
    const gone = async (path: string) => site.outcome(`GET /wp/v2/${path}`, undefined, as.admin)
    expect(await gone('widgets/text-2')).to.equal('404 rest_widget_not_found')
    expect(await gone('sidebars/sidebar-1')).to.equal('404 rest_sidebar_not_found')
    expect(await gone('widget-types/text')).to.equal('404 rest_widget_invalid')
    expect(await gone('global-styles/themes/dawn')).to.equal('404 rest_theme_not_found')
  })

  describe('preferences of the editor', () => {
    const preferences = { 'core/edit-post': { welcomeGuide: false }, _modified: '2026-11-23T10:00:00.000Z' }
    const meta = { persisted_preferences: preferences }

    it('are kept in the user and shown to those alone who edit the user', async () => {
      const { status, item } = await site.ask('PUT /wp/v2/users/me', { meta }, as.author)
      expect([status, item.meta]).to.deep.equal([200, meta])
      const me = await site.ask('GET /wp/v2/users/me?context=edit', undefined, as.author)
      expect(me.item.meta).to.deep.equal(meta)
      const id = Number(me.item.id)
      await site.host.content.posts.insert({ title: 'By the author', status: 'publish', authorId: id })
      expect((await site.ask(`GET /wp/v2/users/${id}`)).item.meta).to.deep.equal([])
      expect((await site.ask(`GET /wp/v2/users/${id}`, undefined, as.subscriber)).item.meta).to.deep.equal([])
      expect((await site.ask('GET /wp/v2/users/me', undefined, as.author)).item.meta).to.deep.equal([])
      expect(await site.outcome('PUT /wp/v2/users/me', { meta: { persisted_preferences: 'x' } }, as.author)).to.match(
        /^400 /,
      )
    })
  })

  describe('wp-admin/themes.php, by which clients activate a theme', () => {
    it('lists the themes with links that only their reader can use, and activates one', async () => {
      const page = async (session: SessionHeaders, query = '') =>
        fetch(`${site.url}/wp-admin/themes.php${query}`, { headers: { Cookie: session.Cookie }, redirect: 'manual' })
      const admin = await site.browser('admin', 'admin-password')
      const html = await (await page(admin)).text()
      expect(html).to.include('<li data-slug="default">')
      const query = /themes\.php(\?action=activate&amp;stylesheet=dawn&amp;_wpnonce=[a-z0-9]+)/.exec(html)?.[1] ?? ''
      const forged = await page(admin, '?action=activate&stylesheet=dawn&_wpnonce=0123456789')
      expect(forged.status).to.equal(403)
      const author = await site.browser('author')
      expect((await page(author)).headers.get('location')).to.equal('/wp-admin/settings/host')
      expect((await page(author, query.replaceAll('&amp;', '&'))).status).to.equal(403)
      expect((await themes('?status=active', 'author'))[0]?.stylesheet).to.equal('default')
      expect((await page(admin, query.replaceAll('&amp;', '&'))).status).to.equal(302)
      expect((await themes('?status=active', 'author'))[0]?.stylesheet).to.equal('dawn')
    })
  })
})
