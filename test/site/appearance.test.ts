import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { z } from 'zod'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import type { Post } from '../../cms/content/types.ts'
import { contrastOf } from '../../cms/site/appearance/colors.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const Colors = z.object({ base: z.string(), contrast: z.string(), accent: z.string() })
const Choices = z.object({
  data: z.object({
    styles: z.array(
      z.object({ slug: z.string(), light: Colors, dark: Colors, textFont: z.string(), headingFont: z.string() }),
    ),
    fonts: z.array(z.object({ slug: z.string() })),
    revisions: z.array(
      z.object({ replacedAt: z.string(), replacedBy: z.string(), settings: z.record(z.string(), z.unknown()) }),
    ),
  }),
})
const Preview = z.object({ data: z.object({ query: z.string().optional(), contrast: z.unknown().optional() }) })

describe('The appearance settings', () => {
  let site: TestHost
  let posts: Post[]
  let admin: SessionHeaders
  const text = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(site.url + path, { headers })).text()
  const change = (settings: Record<string, unknown>, headers: Record<string, string> = admin) =>
    fetch(`${site.url}/wp-json/host/v1/settings/appearance`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ settings }),
    })
  const preview = async (body: Record<string, unknown>, headers: Record<string, string> = admin) => {
    const response = await fetch(`${site.url}/wp-json/host/v1/appearance/preview`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, ...Preview.parse(await response.json()).data }
  }
  const choices = async () => {
    const response = await fetch(`${site.url}/wp-json/host/v1/appearance`, { headers: admin })
    return Choices.parse(await response.json()).data
  }
  const session = async (login: string, role: string) => {
    const { auth } = site.host
    return openSession(auth, await auth.users.create({ login, password: 'correct horse', roles: [role] }))
  }
  const stylesOf = (html: string) => /<style id="global-styles-inline-css">([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''

  before(async () => {
    site = await createTestHost()
    admin = await session('anna', 'administrator')
    const { content, auth } = site.host
    for (const { id } of (await content.posts.query({})).items) await content.posts.delete(id)
    const author = await auth.users.create({
      login: 'nora',
      displayName: 'Nora',
      description: 'Nora <b>walks</b>.',
      roles: ['author'],
    })
    const category = await content.terms.insert('category', { name: 'Walks' })
    const source = await sharp({ create: { width: 1200, height: 800, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    const image = await content.media.upload({ name: 'hill.jpg', source })
    posts = []
    for (const title of ['First', 'Second', 'Third']) {
      const post = await content.posts.insert({
        ...{ title, content: `About ${title}.`, status: 'publish', authorId: author.id },
        ...{ terms: { category: [category.id] }, date: `2026-01-0${posts.length + 1}T08:00:00` },
      })
      await content.meta.set('post', post.id, '_thumbnail_id', String(image.id))
      posts.push(post)
    }
  })
  after(() => site.close())

  it('fill the page with colors and fonts of the theme, whose files every origin may load', async () => {
    const html = await text('/')
    expect(stylesOf(html)).to.include('--wp--preset--color--base:#fcfbf8').and.include('(prefers-color-scheme:dark)')
    const [, font = ''] = /<link rel="preload" href="([^"]+\.woff2[^"]*)" as="font"/.exec(html) ?? []
    expect(stylesOf(html)).to.include(`url(${font})`)
    const file = await fetch(site.url + font)
    expect(file.status).to.equal(200)
    expect(file.headers.get('content-type')).to.equal('font/woff2')
    expect(file.headers.get('access-control-allow-origin')).to.equal('*')
    expect(file.headers.get('cache-control')).to.include('immutable')
  })

  it('take a style of the theme, with readable text in every one of its colors', async () => {
    const { styles, fonts } = await choices()
    expect(styles.map(({ slug }) => slug)).to.deep.equal(['', 'evergreen', 'journal', 'modern'])
    for (const { slug, light, dark, textFont, headingFont } of styles) {
      for (const colors of [light, dark]) {
        expect(contrastOf(colors.base, colors.contrast), slug).to.be.at.least(7)
        expect(contrastOf(colors.base, colors.accent), slug).to.be.at.least(4.5)
      }
      const offered = fonts.map((font) => font.slug)
      expect(offered, slug).to.include(textFont).and.include(headingFont)
    }
    await change({ style: 'journal' })
    const css = stylesOf(await text('/'))
    expect(css).to.include('--wp--preset--color--accent:#9b2c2c').and.include('fraunces-latin.woff2')
    await change({ style: '' })
  })

  it('prefer the owner’s colors and fonts, and write text on the accent in the color that is easier to read', async () => {
    await change({ lightAccent: '#ffe066', darkAccent: '#102040', headingFont: 'manrope', colorScheme: 'auto' })
    const [light = '', dark = ''] = stylesOf(await text('/')).split('(prefers-color-scheme:dark)')
    expect(light).to.include('--wp--preset--color--accent:#ffe066;--wp--custom--on-accent:#111111')
    expect(light).to.match(/--wp--custom--font--heading:"?Manrope/)
    expect(dark).to.include('--wp--preset--color--accent:#102040;--wp--custom--on-accent:#ffffff')
    await change({ colorScheme: 'dark' })
    const html = await text('/')
    expect(stylesOf(html)).to.include('color--accent:#102040').and.not.include('prefers-color-scheme')
    expect(html).to.include('<meta name="color-scheme" content="dark">')
    expect((await change({ lightAccent: 'red' })).status).to.equal(400)
    await change({ lightAccent: '', darkAccent: '', headingFont: '', colorScheme: 'auto' })
  })

  it('have the light accent in dark mode too, readable there, unless the owner chooses another', async () => {
    const darkAccent = async () => {
      const [, dark = ''] = stylesOf(await text('/')).split('(prefers-color-scheme:dark)')
      return /--wp--preset--color--accent:(#[0-9a-f]{6})/.exec(dark)?.[1] ?? ''
    }
    const [own] = (await choices()).styles
    await change({ lightAccent: '#7a0019', colorScheme: 'auto' })
    const followed = await darkAccent()
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(followed.slice(at, at + 2), 16))
    expect(red, followed)
      .to.be.greaterThan(green ?? 255)
      .and.greaterThan(blue ?? 255)
    expect(contrastOf(own?.dark.base ?? '', followed)).to.be.within(4.5, 6)
    await change({ lightAccent: '#ffe066' })
    expect(await darkAccent()).to.equal('#ffe066')
    await change({ darkAccent: '#a5b4fc' })
    expect(await darkAccent()).to.equal('#a5b4fc')
    await change({ lightAccent: '', darkAccent: '' })
    expect(await darkAccent()).to.equal(own?.dark.accent)
  })

  it('use the theme’s values for a style and a font that the theme does not have', async () => {
    await change({ style: 'gone', textFont: 'gone' })
    expect(stylesOf(await text('/')))
      .to.include('--wp--preset--color--base:#fcfbf8')
      .and.include('inter-latin.woff2')
    await change({ style: '', textFont: '' })
  })

  it('arrange lists of posts; only the first page of the homepage features a post', async () => {
    const home = await text('/')
    expect(home).to.include('class="post-list is-magazine"')
    const [first = '', second = ''] = [...home.matchAll(/<img class="wp-post-image"[^>]*>/g)].map(([image]) => image)
    expect(first).to.include('fetchpriority="high"').and.not.include('loading="lazy"')
    expect(second).to.include('loading="lazy"')
    expect(/sizes="([^"]+)"/.exec(first)?.[1]).to.not.equal(/sizes="([^"]+)"/.exec(second)?.[1])
    expect(home.match(/is-featured/g)).to.have.length(1)
    expect(home).to.match(/is-featured.*class="byline".*min read/s)
    expect(await text('/category/walks/')).to.include('class="post-list is-cards"')
    await change({ homeLayout: 'cards' })
    expect(await text('/'))
      .to.include('class="post-list is-cards"')
      .and.not.include('is-featured')
    await change({ homeLayout: 'magazine' })
  })

  it('show author, related posts, breadcrumbs and widgets only where they are turned on', async () => {
    const path = new URL(site.host.content.link(posts[0] as Post)).pathname
    const plain = await text(path)
    expect(plain).to.include('class="author-box"').and.include('Nora').and.include('Read next')
    const [, related = ''] = /<section class="related-cards"([\s\S]*?)<\/section>/.exec(plain) ?? []
    expect(related).to.include('Third').and.include('Second').and.not.include('First')
    expect(plain).to.not.include('class="breadcrumbs"').and.not.include('class="sidebar"')

    await change({ authorBox: false, relatedPosts: false, breadcrumbs: true, sidebarOnPosts: true })
    await change({ sidebarBlocks: '<!-- wp:categories /-->\n\n<!-- wp:latest-posts /-->' })
    const html = await text(path)
    expect(html).to.not.include('class="author-box"').and.not.include('class="related-cards"')
    expect(html).to.match(/class="breadcrumbs"[\s\S]*href="\/">Home<[\s\S]*>Walks</)
    expect(html).to.match(/<aside class="sidebar"[\s\S]*wp-block-categories[\s\S]*wp-block-latest-posts/)
    await change({ sidebarOnPosts: false })
    expect(await text(path)).to.not.include('class="sidebar"')
    expect(await text('/')).to.include('class="sidebar"')
    await change({ authorBox: true, relatedPosts: true, breadcrumbs: false, sidebarBlocks: '' })
  })

  it('fill the row of related posts with the newest posts of other categories', async () => {
    const { content } = site.host
    const lone = await content.terms.insert('category', { name: 'Caves' })
    const { path } = await content.posts.insert({ title: 'Deep', status: 'publish', terms: { category: [lone.id] } })
    const [, related = ''] = /<section class="related-cards"([\s\S]*?)<\/section>/.exec(await text(path)) ?? []
    expect(related.match(/<li/g)).to.have.length(3)
    expect(related).to.not.include('Deep')
  })

  it('never relate a post that the visitor may not read', async () => {
    const { content } = site.host
    const secret = await content.posts.update((posts[2] as Post).id, { status: 'private' })
    const path = new URL(content.link(posts[0] as Post)).pathname
    expect(await text(path))
      .to.include('Read next')
      .and.not.include('Third')
    await content.posts.update(secret.id, { status: 'publish' })
  })

  it('show the sidebar next to lists without posts, and sanitize it for users without unfiltered_html', async () => {
    const sidebarBlocks = '<!-- wp:heading --><h2>Where</h2><!-- /wp:heading --><script>1</script><!-- wp:search /-->'
    expect((await change({ sidebarBlocks })).status).to.equal(200)
    const shown = /<aside class="sidebar"[^>]*>\s*<h2[^>]*>Where<\/h2><script>1<\/script><form[^>]*wp-block-search/
    expect(await text('/?s=nothing-like-this')).to.match(shown)
    const { auth, settings } = site.host
    await auth.addRole('arranger', 'Arranger', ['read', 'manage_options', 'edit_theme_options'])
    const arranger = await session('arno', 'arranger')
    const { query } = await preview({ settings: { sidebarBlocks } }, arranger)
    expect(await text(`/?${query}`, arranger))
      .to.include('>Where</h2>')
      .and.not.include('<script>1')
    expect((await change({ footerText: 'By Arno' }, arranger)).status).to.equal(200)
    expect(settings.get('appearance')?.get().sidebarBlocks).to.equal(sidebarBlocks)
    expect((await change({ sidebarBlocks: `${sidebarBlocks}<!-- wp:archives /-->` }, arranger)).status).to.equal(200)
    expect(settings.get('appearance')?.get().sidebarBlocks).to.include('wp:archives').and.not.include('script')
    await change({ sidebarBlocks: '', footerText: '' })
  })

  it('compare the sidebar with a change of an administrator that is still being written', async () => {
    const { auth, hooks, options, settings } = site.host
    const sidebarBlocks = '<p>Hours</p><script>1</script>'
    await auth.addRole('planner', 'Planner', ['read', 'manage_options', 'edit_theme_options'])
    const planner = await session('pia', 'planner')
    // The change is not part of the planner's request.
    const outside = AsyncLocalStorage.snapshot()
    let written: Promise<unknown> | undefined
    const stop = hooks.addAction('appearance_settings_update:before', () => {
      written = outside(() => options.modify('appearance_settings', (stored) => ({ ...Object(stored), sidebarBlocks })))
    })
    expect((await change({ footerText: 'By Pia' }, planner)).status).to.equal(200)
    stop()
    await written
    expect(settings.get('appearance')?.get()).to.include({ sidebarBlocks, footerText: 'By Pia' })
    await change({ sidebarBlocks: '', footerText: '' })
  })

  it('reject a sidebar that is too long after sanitizing', async () => {
    const { auth, settings } = site.host
    await auth.addRole('gardener', 'Gardener', ['read', 'manage_options', 'edit_theme_options'])
    const gardener = await session('gus', 'gardener')
    await change({ sidebarBlocks: '<p>Kept</p>' })
    const long = `<p>${'&'.repeat(10_000)}</p>`
    const response = await change({ sidebarBlocks: long }, gardener)
    expect(response.status).to.equal(400)
    expect(await response.json()).to.have.nested.property('data.params.sidebarBlocks')
    expect((await preview({ settings: { sidebarBlocks: long } }, gardener)).status).to.equal(400)
    expect(settings.get('appearance')?.get().sidebarBlocks).to.equal('<p>Kept</p>')
    await change({ sidebarBlocks: '' })
  })

  it('have the widgets of 1.0.0-beta.1 as blocks, in revisions too', async () => {
    const siteDir = temporaryFolder()
    const widgets = ['search', 'latest-posts', 'categories', 'tag-cloud', 'archives', 'latest-comments']
    const [replacedAt, replacedBy] = ['2026-11-29T08:00:00.000Z', 'anna']
    const revision = { replacedAt, replacedBy, settings: { sidebarWidgets: ['archives'] } }
    const stored = {
      appearance_settings: { footerText: 'Since then', sidebarWidgets: widgets },
      appearance_revisions: [revision],
    }
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify(stored))
    const upgraded = await createTestHost({ config: { siteDir } })
    try {
      const html = await (await upgraded.get('/')).text()
      const [, sidebar = ''] = /<aside class="sidebar"([\s\S]*?)<\/aside>/.exec(html) ?? []
      expect(sidebar).to.match(
        /wp-block-search[\s\S]*>Latest posts<\/h2>[\s\S]*>Categories<\/h2>[\s\S]*>Archives<\/h2>/,
      )
      const { options } = upgraded.host
      expect(options.get('appearance_settings'))
        .to.include({ footerText: 'Since then' })
        .and.not.have.key('sidebarWidgets')
      const { auth } = upgraded.host
      const owner = await auth.users.create({ login: 'olga', password: 'correct horse', roles: ['administrator'] })
      const response = await fetch(`${upgraded.url}/wp-json/host/v1/appearance`, {
        headers: await openSession(auth, owner),
      })
      const [earlier] = Choices.parse(await response.json()).data.revisions
      expect(earlier?.settings.sidebarBlocks).to.include('wp:archives')
    } finally {
      await upgraded.close()
    }
  })

  it('let extensions hide the sidebar, and change its HTML', async () => {
    const { hooks } = site.host
    await change({ sidebarBlocks: '<p>Beside</p>' })
    const removals = [
      hooks.addFilter(
        'is_active_sidebar',
        (isActive, index, page) => isActive && index === 'sidebar-1' && page.kind === 'home',
      ),
      hooks.addFilter('widget_block_content', (html) => html.replace('Beside', 'Next to it')),
    ]
    expect(await text('/')).to.include('Next to it')
    expect(await text('/category/walks/')).to.not.include('class="sidebar"')
    for (const remove of removals) remove()
    await change({ sidebarBlocks: '' })
  })

  it('show the menu at a location of the theme in the sidebar', async () => {
    const { menus, terms } = site.host.content
    const { id } = await terms.insert('nav_menu', { name: 'Ways' })
    await menus.addItem(id, { title: 'Tea & cake', url: '/tea/' })
    await menus.addItem(id, { type: 'post_type', object: 'post', objectId: posts[0]?.id ?? 0 })
    await menus.place(id, ['footer'])
    await change({ sidebarBlocks: '<!-- wp:navigation {"__unstableLocation":"footer","overlayMenu":"never"} /-->' })
    const [, sidebar = ''] = /<aside class="sidebar"([\s\S]*?)<\/aside>/.exec(await text('/')) ?? []
    expect(sidebar).to.match(/<nav[\s\S]*href="\/tea\/"[^>]*><span[^>]*>Tea &amp; cake<[\s\S]*>First</)
    await menus.delete(id)
    await change({ sidebarBlocks: '' })
  })

  it('name a parent page without a title in the breadcrumbs', async () => {
    const { content } = site.host
    const parent = await content.posts.insert({ type: 'page', slug: 'nameless', content: 'x', status: 'publish' })
    await content.posts.insert({ type: 'page', title: 'Child', status: 'publish', parentId: parent.id })
    await change({ breadcrumbs: true })
    expect(await text('/nameless/child/')).to.match(/class="breadcrumbs"[\s\S]*href="\/nameless\/">Untitled</)
    await change({ breadcrumbs: false })
  })

  it('name all pages and categories above in the breadcrumbs', async () => {
    const { content } = site.host
    const page = (title: string, parentId: number) =>
      content.posts.insert({ type: 'page', title, slug: title.toLowerCase(), status: 'publish', parentId })
    const top = await page('Top', 0)
    const lower = await page('Lower', (await page('Middle', top.id)).id)
    const above = await content.terms.insert('category', { name: 'Outdoors' })
    const [category] = (await content.terms.query({ taxonomy: 'category', search: 'Walks' })).items
    await content.terms.update(category?.id ?? 0, { parentId: above.id })
    await change({ breadcrumbs: true })
    const crumbs = async (post: Post) => {
      const html = await text(new URL(content.link(post)).pathname)
      const [, list = ''] = /class="breadcrumbs"([\s\S]*?)<\/nav>/.exec(html) ?? []
      return [...list.matchAll(/>([^<>\n]+)<\/a>/g)].map(([, name]) => name)
    }
    expect(await crumbs(lower)).to.deep.equal(['Home', 'Top', 'Middle'])
    expect(await crumbs(posts[0] as Post)).to.deep.equal(['Home', 'Outdoors', 'Walks'])
    await content.posts.update(top.id, { title: 'Highest' })
    await content.terms.update(above.id, { name: 'Outside' })
    expect(await crumbs(lower)).to.deep.equal(['Home', 'Highest', 'Middle'])
    expect(await crumbs(posts[0] as Post)).to.deep.equal(['Home', 'Outside', 'Walks'])
    await change({ breadcrumbs: false })
  })

  describe('preview', () => {
    it('shows unsaved values only to the user who stored them', async () => {
      const { status, query } = await preview({ settings: { homeLayout: 'list', footerText: 'Unsaved words' } })
      expect(status).to.equal(200)
      const own = await fetch(`${site.url}/?${query}`, { headers: admin })
      expect(own.headers.get('cache-control')).to.equal('private, no-store')
      const html = await own.text()
      expect(html).to.include('Unsaved words').and.include('post-list is-list').and.include('noindex')
      expect(await text(`/?${query}`)).to.not.include('Unsaved words')
      expect(await text(`/?${query}`, await session('bert', 'administrator'))).to.not.include('Unsaved words')
      expect(await text('/', admin)).to.not.include('Unsaved words')
    })

    it('shows an unsaved logo', async () => {
      const source = await sharp({ create: { width: 300, height: 100, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const { id } = await site.host.content.media.upload({ name: 'wordmark.png', source })
      const { query } = await preview({ settings: {}, siteLogo: id })
      expect(await text(`/?${query}`, admin)).to.match(/class="custom-logo" src="[^"]*wordmark/)
      expect(await text('/', admin)).to.not.include('wordmark')
    })

    it('says which colors are hard to read, on light and on dark pages', async () => {
      expect((await preview({ settings: {} })).contrast).to.deep.equal([])
      const colors = { lightBase: '#ffffff', lightContrast: '#999999', lightAccent: '#0000ff', darkAccent: '#16181b' }
      expect((await preview({ settings: colors })).contrast).to.deep.equal([
        { scheme: 'light', role: 'contrast', ratio: 2.8 },
        { scheme: 'dark', role: 'accent', ratio: 1 },
      ])
    })

    it('is refused to editors and with invalid values', async () => {
      expect((await preview({ settings: {} }, await session('eve', 'editor'))).status).to.equal(403)
      expect((await preview({ settings: { lightBase: 'url(x)' } })).status).to.equal(400)
    })

    it('is refused with what cannot be saved: a list, unknown settings, too much code', async () => {
      const long = 'é'.repeat(20_000)
      for (const settings of [
        ['color'],
        { color: 'red' },
        { headCode: `${long}.` },
        { headCode: long, footerCode: long },
      ])
        expect((await preview({ settings })).status, JSON.stringify(settings).slice(0, 40)).to.equal(400)
      expect((await change({ headCode: long, footerCode: long })).status).to.equal(400)
      expect((await preview({ settings: { headCode: long } })).status).to.equal(200)
    })

    it('is stored five times for each user, whatever others preview', async () => {
      const add = async (footerText: string, headers = admin) =>
        (await preview({ settings: { footerText } }, headers)).query
      const other = await session('olga', 'administrator')
      const kept = await add('By Olga', other)
      const queries: (string | undefined)[] = []
      for (let at = 0; at < 6; at++) queries.push(await add(`Draft ${at}`))
      expect(await text(`/?${kept}`, other)).to.include('By Olga')
      const shown = await Promise.all(queries.map((query) => text(`/?${query}`, admin)))
      expect(shown.map((html, at) => html.includes(`Draft ${at}`))).to.deep.equal([false, ...Array(5).fill(true)])
    })
  })

  describe('code', () => {
    it('is printed on every page for visitors, and its scripts are allowed by the content security policy', async () => {
      const code = {
        customCss: 'body { --mine: 1 }',
        headCode: '<script>window.mine = 1</script>',
        footerCode: '<!-- end -->',
      }
      expect((await change(code)).status).to.equal(200)
      const response = await fetch(`${site.url}/`)
      const html = await response.text()
      expect(html).to.match(/<style id="wp-custom-css">\s*body \{ --mine: 1 \}[\s\S]*window\.mine = 1[\s\S]*<\/head>/)
      expect(html).to.match(/<!-- end -->[\s\S]*<\/body>/)
      expect(response.headers.get('content-security-policy-report-only')).to.match(/script-src [^;]*'sha256-/)
      await change({ customCss: '', headCode: '', footerCode: '' })
    })

    it('is refused to users without unfiltered_html, saved or previewed; other settings are not', async () => {
      const { auth } = site.host
      await auth.addRole('designer', 'Designer', ['read', 'manage_options', 'edit_theme_options'])
      const designer = await session('dora', 'designer')
      expect((await change({ headCode: '<script>1</script>' }, designer)).status).to.equal(403)
      expect((await change({ customCss: 'a{}' }, designer)).status).to.equal(403)
      expect((await preview({ settings: { footerCode: 'x' } }, designer)).status).to.equal(403)
      expect((await change({ footerText: 'By Dora', headCode: '' }, designer)).status).to.equal(200)
      await change({ footerText: '' })
    })

    it('cannot close the style element, but may use every valid CSS', async () => {
      expect((await change({ customCss: '</style><script>1</script>' })).status).to.equal(400)
      expect((await change({ customCss: 'a { content: "</STYLE" }' })).status).to.equal(400)
      const customCss = '@media (400px<=width<60em) { a::before { content: "<b" } }'
      expect((await change({ customCss })).status).to.equal(200)
      expect(await text('/')).to.include(customCss)
      await change({ customCss: '' })
    })
  })

  it('keep earlier values with who replaced them, to be restored', async () => {
    await change({ footerText: 'One' })
    await change({ footerText: 'Two' })
    await change({ footerText: 'Two' })
    const [latest] = (await choices()).revisions
    expect(latest?.settings.footerText).to.equal('One')
    expect(latest?.replacedBy).to.equal('anna')
    expect(Date.parse(latest?.replacedAt ?? '')).to.be.greaterThan(0)
    expect((await change(latest?.settings ?? {})).status).to.equal(200)
    expect(await text('/')).to.include('>One<')
    for (let at = 0; at < 25; at++) await change({ footerText: String(at) })
    expect((await choices()).revisions).to.have.length(20)
    await site.host.options.modify('appearance_revisions', (stored) =>
      Array.isArray(stored) ? stored.with(3, { settings: 'unreadable' }) : [],
    )
    expect((await choices()).revisions).to.have.length(19)
    await change({ footerText: '' })
    expect((await choices()).revisions).to.have.length(20)
  })

  it('come from theme.json of the theme, whose mistakes are skipped', async () => {
    const folder = join(site.host.config.siteDir, 'themes/own')
    mkdirSync(folder, { recursive: true })
    const colors = (palette: unknown) => JSON.stringify({ version: 3, settings: { color: { palette } } })
    writeFileSync(join(folder, 'theme.json'), colors([{ slug: 'base', name: 'Background', color: '#123456' }]))
    await site.host.settings.get('host')?.update({ theme: 'own' })
    const html = await text('/')
    expect(stylesOf(html)).to.include('--wp--preset--color--base:#123456').and.not.include('woff2')
    expect((await fetch(`${site.url}/wp-content/themes/own/theme.json`)).status).to.equal(404)
    writeFileSync(join(folder, 'theme.json'), colors([{ slug: 'base' }, { slug: 'contrast', color: '#fff' }]))
    const response = await fetch(`${site.url}/`)
    expect(response.status).to.equal(200)
    expect(stylesOf(await response.text()))
      .to.include('--wp--preset--color--contrast:#ffffff')
      .and.not.include('color--base:')
    await site.host.settings.get('host')?.update({ theme: 'default' })
    rmSync(folder, { recursive: true })
  })
})
