import { expect } from 'chai'
import request from 'supertest'
import type { OwnedHooks } from '../../core/hooks/types.ts'
import type { Owner } from '../../core/owner.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

describe('Hooks of the public site', () => {
  let site: SiteUnderTest
  let hooks: OwnedHooks
  let problems: string[]
  const get = (path: string) => request(site.http).get(path)

  before(async () => {
    site = await startSite()
    const insert = (title: string) =>
      site.content.posts.insert({ title, content: `Text of ${title}`, status: 'publish' })
    await insert('Bread')
    await insert('Salt')
  })
  beforeEach(() => {
    problems = []
    const owner: Owner = {
      id: 'test',
      signal: new AbortController().signal,
      onError: (_error, hook) => void problems.push(hook),
      onUndefined: (hook) => void problems.push(hook),
    }
    hooks = site.hooks.forOwner(owner)
  })
  afterEach(() => hooks[Symbol.dispose]())
  after(() => site.close())

  it('template_redirect sends the visitor elsewhere', async () => {
    hooks.addAction('template_redirect', (page) => {
      if (page.path === '/old/') page.redirect('/bread/', 301)
      if (page.path === '/away/') page.redirect('https://example.org/über?x=%20%2F', 308)
    })
    const moved = await get('/old/')
    expect([moved.status, moved.headers.location]).to.deep.equal([301, '/bread/'])
    const away = await get('/away/')
    expect([away.status, away.headers.location]).to.deep.equal([308, 'https://example.org/%C3%BCber?x=%20%2F'])
  })

  it('share one page, which none can change, and which can be copied and logged', async () => {
    const pages = new Set<unknown>()
    const changes: boolean[] = []
    const look = (page: object) => {
      pages.add(page)
      changes.push(
        Reflect.set(page, 'status', 999),
        Reflect.deleteProperty(page, 'request'),
        Reflect.defineProperty(page, 'posts', { get: () => null }),
      )
      expect(JSON.parse(JSON.stringify({ ...page, request: null, signal: null }))).to.include({ pageNumber: 1 })
    }
    hooks.addFilter('pre_get_posts', (query, page) => {
      look(page)
      return query
    })
    hooks.addFilter('do_redirect_guess_404_permalink', (isOn, page) => {
      look(page)
      return isOn
    })
    hooks.addAction('template_redirect', look)
    hooks.addAction('wp_head', (_output, page) => look(page))
    expect((await get('/')).status).to.equal(200)
    expect(pages.size).to.equal(1)
    expect((await get('/nowhere-at-all/')).status).to.equal(404)
    expect(new Set(changes)).to.deep.equal(new Set([false]))
    expect(problems).to.deep.equal([])
  })

  it('template_redirect comes before the redirect to the canonical address and knows what was found', async () => {
    const seen: unknown[] = []
    hooks.addAction('template_redirect', (page) => {
      seen.push(page.kind, page.status, page.post?.title, page.title, page.url, page.path, page.request.path, page.user)
      if (page.request.path === '/bread') page.redirect('/salt/')
    })
    expect((await get('/bread')).headers.location).to.equal('/salt/')
    expect(seen).to.deep.equal([
      'single',
      200,
      'Bread',
      'Bread',
      'http://127.0.0.1:8080/bread/',
      '/bread/',
      '/bread',
      null,
    ])
  })

  it('template_redirect answers in the page’s stead', async () => {
    hooks.addAction('template_redirect', (page) => {
      if (page.status === 404) page.respond({ status: 410, body: '<p>Gone</p>' })
      if (page.path === '/salt/') page.respond({ headers: { 'Content-Type': 'text/plain' }, body: 'plain' })
    })
    const gone = await get('/nothing/')
    expect([gone.status, gone.text, gone.type]).to.deep.equal([410, '<p>Gone</p>', 'text/html'])
    expect((await get('/salt/')).type).to.equal('text/plain')
  })

  it('page.responded says whether a callback has responded; page.answered is its former name', async () => {
    const seen: unknown[] = []
    const note = () => hooks.addAction('template_redirect', (page) => void seen.push(page.responded, page.answered))
    const undo = [note(), hooks.addAction('template_redirect', (page) => page.respond({ body: 'plain' })), note()]
    await get('/salt/')
    for (const one of undo) one()
    expect(seen).to.deep.equal([false, false, true, true])
  })

  it('a redirect to nowhere sensible is the callback’s own error', async () => {
    for (const target of [
      '//evil.example',
      'javascript:alert(1)',
      '/a\r\nX: y',
      'data:text/html,x',
      '/\\evil.example',
    ]) {
      const undo = hooks.addAction('template_redirect', (page) => page.redirect(target))
      await get('/bread/').expect(200)
      undo()
    }
    expect(problems).to.have.length(5)
  })

  it('wp_head, wp_body_open and wp_footer print where they are named after', async () => {
    hooks.addAction('wp_head', (output, page) => output.print(`<meta name="x" content="${page.kind}">`))
    hooks.addAction('wp_body_open', async (output) => {
      await new Promise((resolve) => setImmediate(resolve))
      output.print('<i>opened</i>')
    })
    hooks.addAction('wp_footer', (output) => output.print('<i>closing</i>'))
    const { text } = await get('/bread/')
    expect(text).to.match(/<meta name="x" content="single">\s*<\/head>/)
    expect(text).to.match(/<body [^>]*>\s*<i>opened<\/i>/)
    expect(text).to.match(/<i>closing<\/i>\s*<\/body>/)
  })

  it('document_title, get_canonical_url, wp_robots, body_class, post_class and wp_headers change what they name', async () => {
    hooks.addFilter('document_title', (title) => `${title} <3`)
    hooks.addFilter('get_canonical_url', () => 'https://example.org/a?b&c')
    hooks.addFilter('wp_robots', (robots) => ({ ...robots, nosnippet: true, 'max-image-preview': false }))
    hooks.addFilter('body_class', (classes) => [...classes, 'extra-"body'])
    hooks.addFilter('post_class', (classes, post) => [...classes, `extra-${post.slug}`])
    hooks.addFilter('wp_headers', (headers) => ({ ...headers, 'X-Extra': 'yes' }))
    const { text, headers } = await get('/bread/')
    expect(text).to.contain('<title>Bread – My Pentad site &lt;3</title>')
    expect(text).to.contain('<link rel="canonical" href="https://example.org/a?b&amp;c">')
    expect(text).to.contain('<meta name="robots" content="nosnippet">')
    expect(text).to.contain('extra-&quot;body')
    expect(text).to.contain('extra-bread')
    expect(headers['x-extra']).to.equal('yes')
  })

  it('page_html gets the whole page, after everything else', async () => {
    hooks.addFilter('page_html', async (html, page) => html.replace('</body>', `<b>${page.title}</b></body>`))
    const { text } = await get('/bread/')
    expect(text).to.contain('<b>Bread</b></body>')
    expect((await get('/feed/')).text).to.not.contain('<b>')
  })

  it('the_title and the_content change pages at once and are gone at once', async () => {
    await get('/bread/')
    const undo = hooks.addFilter('the_content', (html) => `${html}<p>Added</p>`)
    hooks.addFilter('the_title', (title) => title.toUpperCase())
    expect((await get('/bread/')).text).to.contain('<p>Added</p>')
    expect(textOf((await get('/bread/')).text, 'h1')).to.equal('BREAD')
    undo()
    expect((await get('/bread/')).text).to.not.contain('<p>Added</p>')
  })

  it('pre_get_posts changes what a list shows', async () => {
    hooks.addFilter('pre_get_posts', (query, page) => (page.kind === 'home' ? { ...query, search: 'salt' } : query))
    const { text } = await get('/')
    expect(text).to.contain('Text of Salt')
    expect(text).to.not.contain('Text of Bread')
  })

  it('robots_txt and the option blog_public', async () => {
    hooks.addFilter('robots_txt', (text, isPublic) => `${text}# public: ${isPublic}\n`)
    expect((await get('/robots.txt')).text).to.contain('# public: true')
    await site.options.update('blog_public', '0')
    expect((await get('/robots.txt')).text).to.contain('# public: false')
    expect((await get('/')).text).to.contain('content="noindex, nofollow, max-image-preview:large"')
    await site.options.delete('blog_public')
  })

  it('a callback that throws is named and the page goes on', async () => {
    const fail = () => {
      throw new Error('no')
    }
    const names = [
      'template_redirect',
      'wp_head',
      'wp_body_open',
      'wp_footer',
      'page_html',
      'document_title',
      'body_class',
      'wp_headers',
      'the_content',
    ]
    for (const name of names) hooks.addFilter(name, fail)
    const { text } = await get('/bread/').expect(200)
    expect(text).to.contain('Text of Bread')
    expect([...new Set(problems)].sort()).to.deep.equal(names.toSorted())
  })
})
