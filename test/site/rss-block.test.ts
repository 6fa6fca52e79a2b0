import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { expect } from 'chai'
import { createTestHost } from '../../app/testing/index.ts'
import { createFeeds } from '../../cms/site/blocks/rss/fetch.ts'
import { readFeed } from '../../cms/site/blocks/rss/read.ts'
import { createLog } from '../../core/log.ts'

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Feed</title><link>https://a.example/</link>
<item><title>One &amp;amp; &lt;b&gt;two&lt;/b&gt;</title><link>https://a.example/1</link><pubDate>Mon, 05 Jan 2026 08:00:00 +0100</pubDate><dc:creator>Ann</dc:creator><description><![CDATA[<p>Words <script>bad()</script>here</p>]]></description></item>
<item><title>Mail</title><link>javascript:alert(1)</link><author>bob@example.org (Bob)</author><pubDate>never</pubDate></item></channel></rss>`
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link href="https://a.example/"/><author><name>Whole feed</name></author>
<entry><title>Entry</title><link rel="self" href="https://a.example/self"/><link href="https://a.example/2"/><updated>2026-02-01T10:00:00Z</updated><author><name>Cid</name><email>c@example.org</email></author><summary>Short</summary></entry></feed>`

describe('core/rss', () => {
  describe('readFeed', () => {
    it('reads RSS: titles without markup, dates in UTC, names without mailboxes', () => {
      expect(readFeed(RSS)).to.deep.equal([
        {
          ...{ title: 'One & two', url: 'https://a.example/1', dateGmt: '2026-01-05T07:00:00' },
          ...{ author: 'Ann', description: 'Words here' },
        },
        { title: 'Mail', url: 'javascript:alert(1)', dateGmt: '', author: 'Bob', description: '' },
      ])
    })

    it('reads Atom: the link of an entry, and its author only', () => {
      expect(readFeed(ATOM)).to.deep.equal([
        {
          ...{ title: 'Entry', url: 'https://a.example/2', dateGmt: '2026-02-01T10:00:00' },
          ...{ author: 'Cid', description: 'Short' },
        },
      ])
    })

    it('reads only as many entries as a block shows, and only feeds', () => {
      expect(readFeed(`<rss>${'<item><title>x</title></item>'.repeat(5000)}</rss>`)).to.have.length(50)
      for (const text of ['', '<html><body>404</body></html>', '<item><title>x</title></item>']) {
        expect(() => readFeed(text), text).to.throw('not a feed')
      }
    })
  })

  describe('feeds of other sites', () => {
    async function withServer(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
      const server = createServer(listener).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      try {
        await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/feed`)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }
    const log = createLog('silent')

    it('are fetched once for all pages that show them', async () => {
      let requests = 0
      const answer: RequestListener = (_request, response) => {
        requests++
        response.end(RSS)
      }
      await withServer(answer, async (url) => {
        const feeds = createFeeds({ log, isTrusted: () => true })
        const found = await Promise.all([feeds(url), feeds(url)])
        expect((await feeds(url))?.map(({ title }) => title)).to.deep.equal(['One & two', 'Mail'])
        expect(found[0]).to.equal(found[1])
        expect(requests).to.equal(1)
      })
    })

    it('are nothing where they are private, slow, too large, or an error', async () => {
      await withServer(
        (_request, response) => response.end(RSS),
        async (url) => {
          expect(await createFeeds({ log })(url)).to.equal(undefined)
        },
      )
      const trusting = () => createFeeds({ log, isTrusted: () => true })
      for (const listener of [
        () => {},
        (_request, response) => response.writeHead(500).end(RSS),
        (_request, response) => response.end(`${RSS}${' '.repeat(3 * 1024 * 1024)}`),
        (_request, response) => response.end('no feed'),
      ] satisfies RequestListener[]) {
        await withServer(listener, async (url) => {
          expect(await trusting()(url)).to.equal(undefined)
        })
      }
    })
  })

  it('shows nothing of addresses of this machine, of the site itself, or of no address', async () => {
    const site = await createTestHost()
    const { content } = site.host
    for (const feedURL of [
      'http://127.0.0.1:9/',
      'http://[::1]/',
      'file:///etc/passwd',
      'nonsense',
      `${site.url}/feed/`,
    ]) {
      const post = await content.posts.insert({ title: 'Feed', content: '', status: 'publish' })
      const block = `<!-- wp:rss ${JSON.stringify({ feedURL })} /-->`
      expect(await content.renderContent({ ...post, content: block }), feedURL).to.equal('')
    }
    await site.close()
  })
})
