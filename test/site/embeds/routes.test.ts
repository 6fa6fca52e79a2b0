import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { createRequestLimit } from '../../../cms/site/embeds/request-limit.ts'
import { RestError } from '../../../core/errors.ts'
import { type OembedServer, sendJson, startEmbeddingSite, startServer, video } from './oembed-server.ts'

const PAGE = `<!doctype html><html><head>
<title>The &amp; title <b></title>
<meta name="description" content="What it &quot;says&quot;">
<meta property="og:image" content="/picture.png">
<link rel="shortcut icon" href="favicon.ico">
</head><body><title>Not this</title><meta name="description" content="Nor this"></body></html>`

interface Body {
  readonly title?: string
  readonly code?: string
  readonly data?: { readonly status: number; readonly params?: object; readonly hasProvider?: boolean }
}

describe('Routes that read the web for editors', () => {
  let server: OembedServer
  let inside: OembedServer
  let site: TestHost
  /** Requests that wait for a slow answer. */
  let atOnce = 0
  let mostAtOnce = 0
  let isDown = true

  before(async () => {
    inside = await startServer((_request, response) => response.end(PAGE))
    server = await startServer((_request, response, asked) => {
      switch (asked.pathname) {
        case '/videos':
          return sendJson(response, { ...video(asked, server.origin), extra: [1] })
        case '/slow':
          mostAtOnce = Math.max(mostAtOnce, ++atOnce)
          return setTimeout(() => {
            atOnce--
            sendJson(response, video(asked, server.origin))
          }, 100)
        case '/flaky':
          return isDown ? response.writeHead(503).end() : sendJson(response, video(asked, server.origin))
        case '/page':
          return response.setHeader('Content-Type', 'text/html; charset=utf-8').end(PAGE)
        case '/latin':
          return response
            .setHeader('Content-Type', 'text/html; charset=ISO-8859-1')
            .end(Buffer.from('<title>Züge</title>', 'latin1'))
        case '/huge':
          return response.end(`<title>Huge</title>${' '.repeat(200_000)}<meta name="description" content="Far away">`)
        case '/empty':
          return response.end()
        case '/inside':
          return response.writeHead(302, { Location: `${inside.origin}/` }).end()
        default:
          return response.writeHead(404).end('Nothing')
      }
    })
    site = await startEmbeddingSite(server, ['videos', 'slow', 'nothing', 'flaky'])
  })
  after(async () => {
    await site?.close()
    await Promise.all([server?.close(), inside?.close()])
  })

  async function get(path: string, url: string, as?: string) {
    const answer = await site.get(`/wp-json/${path}?url=${encodeURIComponent(url)}`, as === undefined ? {} : { as })
    const body: Body = JSON.parse(await answer.text())
    return { status: answer.status, body }
  }

  describe('GET oembed/1.0/proxy', () => {
    const proxy = (url: string, as?: string) => get('oembed/1.0/proxy', url, as)

    it('says what the provider says, with the HTML to show, and asks once a day', async () => {
      const url = 'https://videos.test/watch/one'
      const { status, body } = await proxy(url, 'author')
      const answer = video(new URL(`?url=${url}`, server.origin), server.origin)
      expect([status, body]).to.deep.equal([200, { ...answer, extra: [1] }])
      await proxy(url, 'editor')
      expect(server.requestsFor(url).map(({ searchParams }) => searchParams.get('maxwidth'))).to.deep.equal(['600'])
    })

    it('asks for one of a few sizes, of which the largest fits', async () => {
      const url = 'https://videos.test/watch/sized'
      const sized = (size: string) => site.get(`/wp-json/oembed/1.0/proxy?url=${url}&${size}`, { as: 'author' })
      for (const size of ['maxwidth=700&maxheight=9999', 'maxwidth=899&maxheight=1200', 'maxwidth=1&maxheight=299'])
        expect((await sized(size)).status).to.equal(200)
      const asked = server
        .requestsFor(url)
        .map(({ searchParams }) => [searchParams.get('maxwidth'), searchParams.get('maxheight')])
      expect(asked).to.deep.equal([
        ['600', '1200'],
        ['150', '150'],
      ])
    })

    it('asks for four URLs at a time, and once for each', async () => {
      const urls = Array.from({ length: 12 }, (_, at) => `https://slow.test/${at}`)
      const answers = await Promise.all([...urls, ...urls].map((url) => proxy(url, 'author')))
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
      expect(server.requests.filter(({ pathname }) => pathname === '/slow')).to.have.length(12)
      expect(mostAtOnce).to.equal(4)
    })

    it('refuses requests behind the fiftieth that waits', async () => {
      const inTurn = createRequestLimit()
      let end = () => {}
      const asked = new Promise<void>((resolve) => {
        end = resolve
      })
      const accepted = Array.from({ length: 54 }, () => inTurn(() => asked))
      const refusal = await inTurn(() => asked).catch((error: unknown) => error)
      expect(refusal)
        .to.be.instanceOf(RestError)
        .and.deep.include({ headers: { 'Retry-After': '10' } })
      expect(refusal).to.have.nested.property('data.status', 503)
      end()
      await Promise.all(accepted)
      await inTurn(() => asked)
    })

    it('returns for a post of this site what other sites receive', async () => {
      const { body } = await proxy(`${site.url}/hello-world/`, 'author')
      expect(body).to.include({ type: 'rich', title: 'Hello world!', width: 600 })
      const draft = await site.host.content.posts.insert({ title: 'Hidden', status: 'draft' })
      expect(await proxy(`${site.url}/?p=${draft.id}`, 'administrator')).to.have.nested.property(
        'body.code',
        'oembed_invalid_url',
      )
    })

    for (const url of ['garbage', 'https://example.org/', 'http://127.0.0.1/', 'javascript:1']) {
      it(`answers 404 for ${url}`, async () => {
        expect(await proxy(url, 'author')).to.deep.equal({
          status: 404,
          body: { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } },
        })
      })
    }

    it('says of a URL that its provider does not embed now that it has one, and asks again on another try', async () => {
      const body = { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404, hasProvider: true } }
      expect(await proxy('https://nothing.test/1', 'author')).to.deep.equal({ status: 404, body })
      const url = 'https://flaky.test/1'
      expect(await proxy(url, 'author')).to.deep.equal({ status: 404, body })
      isDown = false
      expect((await proxy(url, 'author')).body).to.include({ title: 'The video 1' })
    })

    it('is for who edits posts', async () => {
      const message = 'Sorry, you are not allowed to make proxied oEmbed requests.'
      for (const [as, status] of [
        [undefined, 401],
        ['subscriber', 403],
      ] as const) {
        const answer = await proxy('https://videos.test/watch/one', as)
        expect(answer).to.deep.equal({ status, body: { code: 'rest_forbidden', message, data: { status } } })
      }
    })
  })

  describe('GET wp-block-editor/v1/url-details', () => {
    const details = (url: string, as = 'author') => get('wp-block-editor/v1/url-details', url, as)

    it('says what the head of a page says, and reads it once an hour', async () => {
      const before = server.requests.length
      for (const url of [`${server.origin}/page`, `${server.origin}/page/`])
        expect((await details(url)).body).to.deep.equal({
          title: 'The & title',
          icon: `${server.origin}/favicon.ico`,
          description: 'What it "says"',
          image: `${server.origin}/picture.png`,
        })
      expect(server.requests.length - before).to.equal(1)
    })

    it('reads the character set that the page has, and 150 KB of it', async () => {
      expect((await details(`${server.origin}/latin`)).body.title).to.equal('Züge')
      expect((await details(`${server.origin}/huge`)).body).to.include({ title: 'Huge', description: '' })
    })

    const refusals = {
      '/nowhere': [404, 'no_response'],
      '/empty': [404, 'no_content'],
      // To a private address.
      '/inside': [404, 'no_response'],
    } as const
    for (const [path, [status, code]] of Object.entries(refusals)) {
      it(`answers ${status} ${code} for ${path}`, async () => {
        const answer = await details(server.origin + path)
        expect([answer.status, answer.body.code]).to.deep.equal([status, code])
        expect(inside.requests).to.deep.equal([])
      })
    }

    for (const url of [
      ...['garbage', 'ftp://example.org/', 'http://10.0.0.1/', 'http://[::1]/', 'http://localhost/'],
      ...[
        'https://example.org:22/',
        'http://example.org:8081/',
        'https://user:password@example.org/',
        'http://2130706433/',
        'file:///etc/passwd',
      ],
    ]) {
      it(`refuses ${url}`, async () => {
        const { status, body } = await details(url)
        expect([status, body.code, body.data?.params]).to.deep.equal([
          400,
          'rest_invalid_param',
          { url: 'Invalid parameter.' },
        ])
      })
    }

    it('is for who edits posts', async () => {
      const { status, body } = await details(`${server.origin}/page`, 'subscriber')
      expect([status, body.code]).to.deep.equal([403, 'rest_cannot_view_url_details'])
      expect((await site.get('/wp-json/wp-block-editor/v1/url-details?url=x')).status).to.equal(401)
    })
  })
})
