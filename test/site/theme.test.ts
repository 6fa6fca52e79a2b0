import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

const product = join(import.meta.dirname, '../../themes/default')

describe('The theme', () => {
  let site: SiteUnderTest
  let post: Post
  let folder: string
  const get = (path: string, cookie = '') => request(site.http).get(path).set('Cookie', cookie)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

  before(async () => {
    site = await startSite({ environment: 'local' })
    const { content } = site
    const author = await site.auth.users.create({ login: 'ann', displayName: 'Ann <b>Lee', roles: ['author'] })
    const tag = await content.terms.insert('post_tag', { name: 'Salt & pepper' })
    post = await content.posts.insert({
      title: 'Bread & <em>butter</em>',
      content: 'One.\n\nTwo.',
      status: 'publish',
      authorId: author.id,
      terms: { post_tag: [tag.id] },
    })
    await content.posts.insert({
      title: 'Sheet',
      slug: 'sheet',
      content: 'Text',
      status: 'publish',
      type: 'page',
      template: 'page-templates/wide.php',
    })
    const comment = {
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Eve <script>', authorEmail: 'eve@example.net' },
      ...{ authorUrl: 'javascript:alert(1)', authorAddress: '10.0.0.7', userAgent: '', status: 'approved' as const },
      ...{
        content: 'Nice <script>alert(1)</script><a href="javascript:x" onclick="y">link</a>\n\nBye',
        type: 'comment',
      },
      ...{ date: '2026-01-07T08:00:00', dateGmt: '2026-01-07T08:00:00' },
    }
    const first = await content.comments.insert(comment)
    await content.comments.insert({
      ...comment,
      parentId: first.id,
      authorName: 'Ann',
      userId: author.id,
      content: 'Thanks',
    })
    await content.comments.insert({ ...comment, status: 'hold', content: 'Waiting' })
  })

  it('shows the logo and the icon of the settings', async () => {
    const { content } = site
    expect((await get('/bread-butter/')).text).to.match(/<link rel="icon" href="[^"]+favicon\.svg/)
    const picture = await sharp({ create: { width: 900, height: 300, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const { id } = await content.media.upload({ name: 'logo.png', source: picture })
    await content.updateSiteSettings({ siteLogo: id, siteIcon: id })
    const { text } = await get('/bread-butter/')
    expect(text).to.match(/<img class="custom-logo" src="[^"]+logo[^"]*\.png"[^>]+ width="153" height="51" alt="">/)
    expect(text).to.match(/<link rel="icon" href="[^"]+logo-150x150\.png">/)
    await content.updateSiteSettings({ siteLogo: null, siteIcon: 0 })
    expect((await get('/bread-butter/')).text).to.not.include('custom-logo')
  })

  it('shares a post with links, without anything from other sites, unless the owner turns it off', async () => {
    const { settings } = site
    const { text } = await get('/bread-butter/')
    const [url, title] = [`${site.config.url}/bread-butter/`, 'Bread & butter'].map(encodeURIComponent)
    for (const href of [
      `mailto:?subject=${title}&amp;body=${url}`,
      `https://x.com/intent/post?text=${title}&amp;url=${url}`,
      `https://www.facebook.com/sharer/sharer.php?u=${url}`,
      `https://www.linkedin.com/sharing/share-offsite/?url=${url}`,
    ])
      expect(text).to.include(`href="${href}"`)
    expect(text).to.include(`data-url="${site.config.url}/bread-butter/"`)
    expect(text.match(/src="https?:/g)).to.equal(null)
    expect((await get('/sheet/')).text).to.not.include('share')
    const stop = site.hooks.addFilter('the_title', () => 'Half an emoji: \ud83c')
    expect((await get('/bread-butter/')).text).to.include(`text=${encodeURIComponent('Half an emoji: \ufffd')}&amp;`)
    stop()
    await settings.get('appearance')?.update({ shareButton: false })
    expect((await get('/bread-butter/')).text).to.not.include('share')
    await settings.get('appearance')?.update({ shareButton: true })
  })

  it('calls the next page of search results “Next”, since they are not in the order of time', async () => {
    const { content } = site
    const { id } = await content.posts.insert({ title: 'More bread', status: 'publish' })
    await content.updateSiteSettings({ postsPerPage: 1 })
    const [, pagination] = /<nav class="pagination"(.*?)<\/nav>/s.exec((await get('/?s=bread')).text) ?? []
    expect(pagination).to.include('Next').and.not.include('Older')
    await content.updateSiteSettings({ postsPerPage: 10 })
    await content.posts.delete(id)
  })

  beforeEach(() => {
    folder = join(site.config.siteDir, 'themes/default')
    mkdirSync(folder, { recursive: true })
    site.errors.length = 0
  })
  afterEach(() => rmSync(join(site.config.siteDir, 'themes'), { recursive: true, force: true }))
  after(() => site.close())

  it('has one main landmark, one first heading, a skip link and a language on every kind of page', async () => {
    for (const path of ['/', post.path, '/sheet/', '/?s=bread', '/?s=xyz', '/tag/salt-pepper/', '/nothing/']) {
      const { text } = await get(path)
      expect(text.match(/<main\b/g), path).to.have.length(1)
      expect(text.match(/<h1\b/g), path).to.have.length(1)
      expect(text, path).to.match(/^<!doctype html>\n<html lang="en-US" dir="ltr">/)
      expect(text, path).to.contain('<a class="skip-link" href="#content">')
    }
  })

  it('labels each of two search forms on a page, so that landmarks are distinct', async () => {
    for (const path of ['/?s=xyz', '/nothing/']) {
      const { text } = await get(path)
      const forms = [...text.matchAll(/<form [^>]*role="search"[^>]*>/g)].map(([form]) => form)
      expect(new Set(forms.map((form) => /aria-label="([^"]*)"/.exec(form)?.[1] ?? '')), path).to.have.property(
        'size',
        2,
      )
    }
  })

  it('lets no long word widen the columns of a page beyond the screen', async () => {
    const { text } = await get('/wp-content/themes/default/style.css').expect(200)
    const columns = [...text.matchAll(/grid-template-columns:[^;]+/g)].map(([rule]) => rule)
    expect(columns).to.not.be.empty
    // `1fr` alone is never narrower than its longest word.
    for (const rule of columns) expect(rule.replaceAll('minmax(0, 1fr)', '')).to.not.contain('1fr')
  })

  it('escapes what is not HTML', async () => {
    const { text } = await get(post.path)
    expect(text).to.contain('Ann &lt;b&gt;Lee')
    expect(text).to.contain('Salt &amp; pepper')
    expect(text).to.contain('<title>Bread &amp; butter – My Pentad site</title>')
    const search = await get('/?s=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    expect(search.text).to.not.contain('<script>alert')
  })

  it('shows approved comments as threads, without their scripts, addresses and mail', async () => {
    const { text } = await get(post.path)
    expect(text).to.match(/Nice[\s\S]*<ol class="children">[\s\S]*Thanks/)
    expect(text).to.contain('2 comments')
    for (const secret of ['Waiting', 'alert(1)', 'javascript:', 'onclick', 'eve@example.net', '10.0.0.7'])
      expect(text).to.not.contain(secret)
  })

  it('names classes as WordPress does', async () => {
    const { text } = await get(post.path)
    expect(text).to.match(new RegExp(`<body class="[^"]*\\bsingle-post postid-${post.id}\\b`))
    expect(text).to.match(
      new RegExp(`class="post-${post.id} post type-post status-publish [^"]*hentry [^"]*tag-salt-pepper`),
    )
  })

  it('writes dates in the form and language of the settings, PHP’s letters as in WordPress', async () => {
    const dated = await site.content.posts.insert({ title: 'Dated', status: 'publish', date: '2024-02-29T15:04:05' })
    const forms: [format: string, language: string, date: string][] = [
      ['F j, Y', 'en_US', 'February 29, 2024'],
      ['D, d M y', 'en_US', 'Thu, 29 Feb 24'],
      ['l jS \\o\\f F', 'en_US', 'Thursday 29th of February'],
      ['g:i a, H.i:s A', 'en_US', '3:04 pm, 15.04:05 PM'],
      ['N w z t L W o', 'en_US', '4 4 59 29 1 09 2024'],
      ['j F Y', 'ru_RU', '29 февраля 2024'],
      ['j. F Y', 'de_DE_formal', '29. Februar 2024'],
      ['c', 'en_US', '2024-02-29T15:04:05+00:00'],
    ]
    for (const [dateFormat, language, date] of forms) {
      await site.content.updateSiteSettings({ dateFormat, language })
      expect((await get(dated.path)).text).to.contain(
        `<time class="entry-date" datetime="2024-02-29T15:04:05Z">${date}</time>`,
      )
    }
    await site.content.updateSiteSettings({ dateFormat: 'F j, Y', language: 'ar' })
    expect((await get(dated.path)).text).to.contain('<html lang="ar" dir="rtl">')
    await site.content.updateSiteSettings({ language: 'en_US' })
  })

  it('shows an excerpt below the title only if the author wrote it, and not while the post is locked', async () => {
    const { content } = site
    const { id, path } = await content.posts.insert({ title: 'Told', content: 'Everything.', status: 'publish' })
    expect((await get(path)).text).to.not.contain('class="entry-lead"')
    await content.posts.update(id, { excerpt: 'In short.' })
    expect((await get(path)).text).to.match(/<\/h1>\s*<div class="entry-lead"><p>In short\.<\/p>/)
    await content.posts.update(id, { password: 'open' })
    expect((await get(path)).text).to.not.contain('In short.')
    await content.posts.delete(id)
  })

  it('offers to search again next to results, and if there are none', async () => {
    for (const words of ['bread', 'xyz'])
      expect((await get(`/?s=${words}`)).text).to.match(
        new RegExp(`aria-label="Search again"[\\s\\S]*<input id="page-search"[^>]* value="${words}"`),
      )
  })

  it('fits a featured image to its shape and size', async () => {
    const { content } = site
    const { id, path } = await content.posts.insert({ title: 'Seen', status: 'publish' })
    const shapeOf = async (width: number, height: number) => {
      const source = await sharp({ create: { width, height, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const picture = await content.media.upload({ name: `${width}x${height}.png`, source })
      await content.meta.set('post', id, '_thumbnail_id', String(picture.id))
      const { text } = await get(path)
      return /<figure class="(entry-image[^"]*)">[^>]*? sizes="[^"]*?([0-9]+rem)"/.exec(text)?.slice(1).join(' ')
    }
    expect(await shapeOf(1500, 1000)).to.equal('entry-image is-large 73rem')
    expect(await shapeOf(900, 1200)).to.equal('entry-image is-tall 43rem')
    expect(await shapeOf(400, 300)).to.equal('entry-image 73rem')
    await content.posts.delete(id)
  })

  it('uses the template that the author chose, if the theme has it', async () => {
    expect((await get('/sheet/').expect(200)).text).to.contain('<article class="wide ')
    const post = await site.content.posts.insert({ title: 'Broad', status: 'publish', template: 'wide', authorId: 1 })
    // Everything that a post has in its own template.
    expect((await get(post.path).expect(200)).text)
      .to.contain('<article class="wide ')
      .and.contain('class="byline"')
      .and.contain('id="respond"')
      .and.contain('class="post-navigation"')
    await site.content.posts.delete(post.id)
    const other = await site.content.posts.insert({
      title: 'Odd',
      slug: 'odd',
      status: 'publish',
      type: 'page',
      template: '../../secret',
    })
    expect((await get(other.path).expect(200)).text).to.not.contain('<article class="wide ')
    const inner = await site.content.posts.insert({
      title: 'In',
      slug: 'in',
      status: 'publish',
      type: 'page',
      template: 'partials/footer',
    })
    expect((await get(inner.path).expect(200)).text).to.contain('<main')
  })

  it('is replaced by a copy in the site folder, and changes are seen at the next request', async () => {
    cpSync(product, folder, { recursive: true })
    write('partials/footer.eta', '<footer>Mine, <%= it.site.title %></footer>')
    expect((await get('/')).text).to.contain('<footer>Mine, My Pentad site</footer>')
    write('partials/footer.eta', '<footer>Changed for good</footer>')
    expect((await get('/')).text).to.contain('<footer>Changed for good</footer>')
  })

  it('takes from the product what the copy does not have', async () => {
    write('404.eta', '<% layout("layout") %><h1>Lost</h1>')
    const { text } = await get('/nothing/').expect(404)
    expect(text).to.contain('<h1>Lost</h1>')
    expect(text).to.contain('class="site-header"')
  })

  it('is the one that was chosen, with templates named after the page', async () => {
    folder = join(site.config.siteDir, 'themes/bare')
    mkdirSync(folder, { recursive: true })
    write('index.eta', 'bare <%= it.page.kind %>')
    await site.content.posts.insert({ title: 'Plain', slug: 'plain', status: 'publish', type: 'page' })
    write('page-plain.eta', 'plain by slug')
    write('style.css', 'body{}')
    write(
      'layout.eta',
      '<link href="<%= it.asset("style.css") %>"><link href="<%= it.asset("favicon.svg") %>"><%~ it.body %>',
    )
    site.theme = 'bare'
    try {
      expect((await get('/plain/')).text).to.equal('plain by slug')
      const { text } = await get(post.path)
      expect(text).to.match(/themes\/bare\/style\.css\?ver=\w+"/)
      expect(text).to.match(/themes\/default\/favicon\.svg\?ver=\w+"/)
      await request(site.http).get('/wp-content/themes/bare/style.css').expect(200)
    } finally {
      site.theme = 'default'
    }
  })

  it('is the default one if the selected theme does not exist, with one warning', async () => {
    try {
      for (const name of ['../../../etc', 'nothing', '..', '']) {
        site.theme = name
        site.warnings.length = 0
        for (let visit = 0; visit < 3; visit++)
          expect((await get('/').expect(200)).text).to.contain('class="site-header"')
        const warnings = site.warnings.map((line) => JSON.parse(line))
        expect(warnings.map(({ theme, msg }) => `${theme}: ${msg}`)).to.deep.equal([
          `${name}: theme not found, default theme used`,
        ])
      }
    } finally {
      site.theme = 'default'
    }
  })

  const broken: Record<string, [source: string, line: number]> = {
    'throws while it renders': ['one\n<% layout("layout") %>\n<%= it.nothing.at.all %>\n', 3],
    'has a tag that is not closed': ['one\ntwo\nthree\n<% if (true) { ', 4],
    'is not JavaScript': ['one\n<% if (true { %>\nthree\n<% } %>', 2],
    'includes what is not there': ['one\n<%~ include("partials/none") %>', 2],
  }
  for (const [what, [source, line]] of Object.entries(broken)) {
    it(`that ${what} shows an administrator where, and a visitor nothing`, async () => {
      write('home.eta', source)
      const visitor = await get('/')
      expect(visitor.status).to.equal(500)
      expect(visitor.text).to.not.contain('.eta')
      const reader = await get('/', await site.signIn('reader', 'subscriber'))
      expect(reader.text).to.not.contain('.eta')
      expect(site.errors.join()).to.contain('themes/default/home.eta')
      const admin = await get('/', await site.signIn('boss', 'administrator'))
      expect(admin.status).to.equal(500)
      expect(admin.text).to.contain(`themes/default/home.eta, line ${line}`)
      await get('/sheet/').expect(200)
    })
  }

  it('takes from its parent what a child theme does not have, and then from the default theme', async () => {
    const themeFolder = (name: string, files: Record<string, string>) => {
      mkdirSync(join(site.config.siteDir, 'themes', name), { recursive: true })
      for (const [file, text] of Object.entries(files))
        writeFileSync(join(site.config.siteDir, 'themes', name, file), text)
    }
    themeFolder('elder', {
      'style.css': '/*\nTheme Name: Elder\n*/',
      'index.eta': 'elder <%= it.asset("elder.css") %>',
      'page.eta': 'page of the elder',
      'elder.css': 'body{}',
    })
    themeFolder('younger', {
      'style.css': '/*\nTheme Name: Younger\nTemplate: elder\n*/',
      'page.eta': 'page of the younger',
    })
    site.theme = 'younger'
    try {
      expect((await get('/')).text).to.match(/^elder \S*\/themes\/elder\/elder\.css/)
      expect((await get('/plain/')).text).to.contain('page of the younger')
      expect((await get('/nothing/').expect(404)).text).to.contain('class="site-header"')
      // A parent that does not exist, or the theme itself, changes nothing.
      for (const parent of ['gone', 'younger', '../../elder']) {
        themeFolder('younger', { 'style.css': `/*\nTemplate: ${parent}\n*/` })
        expect((await get('/')).text, parent).to.contain('class="site-header"')
      }
    } finally {
      site.theme = 'default'
    }
  })

  it('that is broken in a part names the part', async () => {
    cpSync(product, folder, { recursive: true })
    write('partials/post.eta', 'x\n<%= it.post.no.such %>')
    const { text } = await get('/', await site.signIn('boss', 'administrator'))
    expect(text).to.contain('themes/default/partials/post.eta, line 2')
  })
})
