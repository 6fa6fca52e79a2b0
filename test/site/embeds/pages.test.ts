import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import {
  contentAt,
  type OembedServer,
  sendJson,
  shownContent,
  startEmbeddingSite,
  startServer,
  video,
} from './oembed-server.ts'

const ONE = 'https://videos.test/watch/one'
const NAMES = ['videos', 'status', 'photo', 'link']

describe('Embeds in posts', () => {
  let server: OembedServer
  let site: TestHost

  before(async () => {
    server = await startServer((_request, response, asked) => {
      if (asked.pathname === '/videos') return sendJson(response, video(asked, server.origin))
      if (asked.pathname === '/photo')
        return sendJson(response, {
          type: 'photo',
          title: 'A photo',
          url: 'https://cdn.test/a.jpg',
          width: 5,
          height: 4,
        })
      if (asked.pathname === '/link') return sendJson(response, { type: 'link', title: 'A <link>' })
      const html = '<blockquote>Look: [gallery]\n"yes"</blockquote>'
      const sources = ['https://widgets.test', 'https://*', 'https://*.test', 'https://a;b.test', 'http://plain.test']
      const scripts = sources.map((source) => `<script async src="${source}/w.js"></script>`).join('')
      sendJson(response, { type: 'rich', provider_name: 'Status', html: html + scripts })
    })
    site = await startEmbeddingSite(server, NAMES)
    // Known before the tests: a page shows a link until the provider has answered.
    for (const name of NAMES) await known(`https://${name}.test/watch/one`)
  })
  after(async () => {
    await site?.close()
    await server?.close()
  })

  async function known(url: string): Promise<void> {
    const as = 'administrator'
    const post = await site.host.content.posts.insert({ title: 'Known', content: url, status: 'publish' })
    const path = `/wp-json/wp/v2/posts/${post.id}`
    await until(async () => {
      const shown = await (await site.get(path, { as })).text()
      return shown.includes('wp-embed-preview') || shown.includes('A &lt;link&gt;')
    })
  }

  const settings = async (values: Record<string, string>) => {
    const request = { method: 'PUT', as: 'administrator', body: { settings: values } }
    expect((await site.request('/wp-json/host/v1/settings/embeds', request)).status).to.equal(200)
  }

  describe('a preview', () => {
    const places = {
      'alone on a line': `Before\n\n${ONE}\n\nAfter`,
      'alone in a paragraph': `<!-- wp:paragraph -->\n<p>${ONE}</p>\n<!-- /wp:paragraph -->`,
      'after a line break': `<p>Before<br>\n${ONE}\n</p>`,
      'in [embed]': `Look: [embed]${ONE}[/embed]`,
      'in src of [embed]': `Look: [embed src="${ONE}"]`,
    }
    for (const [place, content] of Object.entries(places)) {
      it(`takes the place of a URL ${place}`, async () => {
        const html = await shownContent(site, content)
        expect(html).to.contain(`<a class="wp-embed-preview-title" href="${ONE}">The video one</a>`)
        expect(html).to.contain('<span class="wp-embed-preview-source">Ann &amp; Co · Videos</span>')
        expect(html).to.match(/<button [^>]*hidden>Play video from Videos<\/button>/)
        expect(html.replace(/data-html="[^"]*"/, '')).to.not.contain(server.origin)
      })
    }

    it('is in the figure of an embed block, with its caption', async () => {
      const classes = 'wp-block-embed is-type-video is-provider-videos wp-embed-aspect-16-9 wp-has-aspect-ratio'
      const html = await shownContent(
        site,
        `<!-- wp:embed {"url":"${ONE}","type":"video","providerNameSlug":"videos"} -->
<figure class="${classes}"><div class="wp-block-embed__wrapper">
${ONE}
</div><figcaption>A caption</figcaption></figure>
<!-- /wp:embed -->`,
      )
      expect(html).to.contain(`<figure class="${classes}"><div class="wp-block-embed__wrapper">\n<span class="wp-embed`)
      expect(html).to.contain('</span>\n</div><figcaption>A caption</figcaption></figure>')
    })

    it('of a photo asks its host for nothing', async () => {
      const html = await shownContent(site, 'https://photo.test/watch/one')
      expect(html).to.contain('Load image from photo.test</button>')
      expect(html).to.not.match(/<img/)
      expect(html).to.contain(
        '&lt;img src=&quot;https://cdn.test/a.jpg&quot; alt=&quot;A photo&quot; width=&quot;5&quot;',
      )
    })

    it('is none where the provider has a link only', async () => {
      const html = await shownContent(site, 'https://link.test/watch/one')
      expect(html).to.contain('<a href="https://link.test/watch/one">A &lt;link&gt;</a>')
      expect(html).to.not.contain('wp-embed-preview')
    })

    it('brings its style and script to the page, and no page without one has them', async () => {
      const post = await site.host.content.posts.insert({
        title: 'With',
        content: ONE,
        status: 'publish',
        slug: 'with',
      })
      const shown = await (await site.get('/with/')).text()
      expect(shown).to.contain('.wp-embed-preview {').and.to.contain('.wp-embed-loaded')
      await site.host.content.posts.update(post.id, { content: 'No embed.' })
      expect(await (await site.get('/with/')).text()).to.not.contain('wp-embed-preview')
    })
  })

  describe('stays as it is written', () => {
    const places = {
      'within a line': `Look at ${ONE} now`,
      'of a host that is no provider': 'https://videos.test.example.org/watch/one',
      'that merely holds the address of a provider': `https://example.org/?u=https://vimeo.com/1`,
      'in preformatted text': `<pre>\n${ONE}\n</pre>`,
      'in code': `<pre><code>a\n${ONE}\nb</code></pre>`,
      'in a link': `<a href="/x">\n${ONE}\n</a>`,
      'in an attribute': `<p title="\n${ONE}\n">Text</p>`,
      'in a comment': `<!--\n${ONE}\n-->`,
    }
    for (const [place, content] of Object.entries(places)) {
      it(`a URL ${place}`, async () => {
        const html = await shownContent(site, content)
        expect(html).to.not.contain('wp-embed-preview')
        expect(html).to.not.match(/<a href="https/)
      })
    }

    it('all behind the first hundred', async () => {
      const html = await shownContent(site, `${ONE}\n\n`.repeat(130))
      expect(html.match(/wp-embed-preview-title/g)).to.have.length(100)
    })
  })

  it('[embed] of another scheme shows nothing', async () => {
    const html = await shownContent(site, 'Text [embed]javascript:alert(1)[/embed] [embed src="data:text/html,x"] end')
    expect(html).to.not.match(/javascript|data:|\[embed/)
  })

  it('[embed] of a URL without a provider is a link', async () => {
    const html = await shownContent(site, 'Text [embed]https://example.org/a?b=1&amp;c=[2][/embed] end')
    expect(html).to.contain(
      '<a href="https://example.org/a?b=1&amp;c=[2]">https://example.org/a?b=1&amp;c=&#91;2&#93;</a>',
    )
  })

  it('[embed] asks for the size that its author wants', async () => {
    const url = 'https://videos.test/watch/small'
    await shownContent(site, `[embed width="320" height="200"]${url}[/embed]`)
    await until(() => server.requestsFor(url).length > 0)
    const { searchParams } = server.requestsFor(url)[0] ?? new URL('about:blank')
    expect(Object.fromEntries(searchParams)).to.include({ maxwidth: '320', maxheight: '200', format: 'json', dnt: '1' })
  })

  describe('while previews are off', () => {
    before(() => settings({ previews: 'off' }))
    after(() => settings({ previews: 'on' }))

    it('embeds are in the page', async () => {
      const html = await shownContent(site, ONE)
      expect(html).to.contain(`<iframe loading="lazy" src="${server.origin}/player/one" width="500" height="281"`)
      expect(html).to.not.contain('wp-embed-preview')
    })

    it('texts of a provider run no shortcodes of this site, and get no paragraphs', async () => {
      const html = await shownContent(site, 'https://status.test/watch/one')
      expect(html).to.contain('<blockquote><p>Look: &#91;gallery] &#8220;yes&#8221;</p></blockquote>')
    })

    it('the content security policy lets the scripts of the providers of this page run, and of no other', async () => {
      const policy = async (content: string) => {
        const post = await site.host.content.posts.insert({ title: 'CSP', content, status: 'publish' })
        const { headers } = await site.get(new URL(site.host.content.link(post)).pathname)
        return headers.get('content-security-policy-report-only') ?? ''
      }
      const allowed = await policy('https://status.test/watch/one')
      expect(allowed).to.match(/script-src [^;]* https:\/\/widgets\.test(;| )/)
      // Hosts that are none, or stand for many, and scripts without TLS.
      expect(allowed).to.not.match(/https:\/\/\*|b\.test|plain\.test/)
      expect(await policy(ONE)).to.not.contain('widgets.test')
    })
  })

  it('become links while embeds are off, without requests to providers', async () => {
    await settings({ embeds: 'off' })
    try {
      const url = 'https://videos.test/watch/never'
      const html = await shownContent(site, `${url}\n\n[embed]${ONE}[/embed]`)
      expect(html).to.contain(`<a href="${url}">${url}</a>`).and.to.contain(`<a href="${ONE}">${ONE}</a>`)
      expect(server.requestsFor(url)).to.deep.equal([])
    } finally {
      await settings({ embeds: 'on' })
    }
  })

  it('are links in the feed, and left out of an excerpt', async () => {
    await site.host.content.posts.insert({ title: 'Fed', content: `Before\n\n${ONE}\n\nAfter`, status: 'publish' })
    const feed = await (await site.get('/feed/')).text()
    expect(feed).to.contain(`<p><a href="${ONE}">${ONE}</a></p>`).and.to.contain('Before After')
    expect(feed).to.not.contain('wp-embed-preview')
    expect(await (await site.get('/')).text())
      .to.contain('Before After')
      .and.to.not.contain(ONE)
  })

  describe('of a post of this site', () => {
    const own = (slug: string, status: 'publish' | 'draft' | 'private') =>
      site.host.content.posts.insert({ title: 'My <em>own</em>', slug, status, content: 'Secret words' })

    it('quote its title with a link', async () => {
      const url = site.host.content.link(await own('own', 'publish'))
      expect(await shownContent(site, url)).to.contain(
        `<blockquote class="wp-embedded-content"><p><a href="${url}">My own</a></p></blockquote>`,
      )
    })

    it('change with it', async () => {
      const target = await own('own-changing', 'publish')
      const content = site.host.content.link(target)
      await site.host.content.posts.insert({ title: 'Q', slug: 'quoting', status: 'publish', content })
      await contentAt(site, '/quoting/')
      await site.host.content.posts.update(target.id, { title: 'Another title' })
      expect(await contentAt(site, '/quoting/')).to.contain('>Another title</a></p></blockquote>')
    })

    for (const status of ['draft', 'private'] as const) {
      it(`show nothing of one that is ${status}`, async () => {
        const post = await own(`own-${status}`, status)
        const html = await shownContent(site, `${site.url}/?p=${post.id}\n\n${site.url}/own-${status}/`)
        expect(html).to.not.contain('blockquote').and.to.not.contain('My own')
      })
    }
  })
})
