import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { type OembedServer, sendJson, shownContent, startEmbeddingSite, startServer, video } from './oembed-server.ts'

const NAMES = ['videos', 'xml', 'doctype', 'gone', 'dead', 'slow', 'huge', 'away', 'broken', 'filtered']

describe('What providers are asked for embeds', () => {
  let server: OembedServer
  /** Of the network around the site: it must never be asked. */
  let inside: OembedServer
  let site: TestHost
  const hanging: ServerResponse[] = []
  /** Whether there is no old video any more. */
  let isGone = false

  before(async () => {
    inside = await startServer((_request, response, asked) => sendJson(response, video(asked, inside.origin)))
    server = await startServer((_request, response, asked) => {
      const data = video(asked, server.origin)
      switch (asked.pathname) {
        case '/gone':
          return response.writeHead(404).end()
        case '/dead':
          return response.destroy()
        case '/slow':
          return hanging.push(response)
        case '/huge':
          return sendJson(response, { ...data, html: '<p>x</p>'.repeat(100_000) })
        case '/away':
          return response.writeHead(302, { Location: `${inside.origin}/oembed` }).end()
        case '/broken':
          return response.end('{"type":')
        case '/xml':
        case '/doctype': {
          if (asked.searchParams.get('format') !== 'xml') return response.writeHead(501).end()
          const doctype = asked.pathname === '/doctype' ? '<!DOCTYPE oembed [<!ENTITY x "X">]>' : ''
          const html = '<html>&lt;iframe src="https://player.test/xml"&gt;&lt;/iframe&gt;</html>'
          const fields = `<type>video</type><title>From <![CDATA[<XML>]]> &amp; more</title>${html}`
          return response.end(`<?xml version="1.0"?>${doctype}\n<oembed>${fields}</oembed>`)
        }
        default:
          if (asked.searchParams.get('url')?.includes('/failing-')) return response.writeHead(503).end()
          if (isGone && asked.searchParams.get('url')?.endsWith('/old')) return response.writeHead(404).end()
          return sendJson(response, data)
      }
    })
    site = await startEmbeddingSite(server, NAMES)
  })
  after(async () => {
    await site?.close()
    await Promise.all([server?.close(), inside?.close()])
  })

  /** Shows the URL until the provider was asked, and once more. */
  async function shownAfterAnswer(url: string): Promise<string> {
    const before = await shownContent(site, url)
    expect(before).to.contain(`<a href="${url}">${url}</a>`)
    await until(() => server.requestsFor(url).length > 0)
    await until(async () => !(await isWaiting(url)))
    return shownContent(site, url)
  }

  const tables = () => site.host.database.db.withTables<{ oembed_cache: { url: string; expires_gmt: string } }>()
  const rows = () => tables().updateTable('oembed_cache')

  /** Until the provider is asked again; `undefined` while no answer is stored. */
  async function hoursLeft(url: string): Promise<number | undefined> {
    const query = tables().selectFrom('oembed_cache').select('expires_gmt').where('url', '=', url)
    const row = await query.executeTakeFirst()
    return row && (Date.parse(`${row.expires_gmt}Z`) - Date.now()) / 3600_000
  }

  const isWaiting = async (url: string) => (await hoursLeft(url)) === undefined

  it('a page shows a link, and the embed once the answer is there', async () => {
    expect(await shownAfterAnswer('https://videos.test/watch/first')).to.contain('>The video first</a>')
  })

  it('once, however many pages show the URL', async () => {
    const url = 'https://videos.test/watch/often'
    await Promise.all([shownContent(site, url), shownContent(site, `${url}\n\n${url}`), shownContent(site, url)])
    await until(async () => !(await isWaiting(url)))
    await shownContent(site, url)
    expect(server.requestsFor(url)).to.have.length(1)
  })

  it('when a post is saved, before the first visit', async () => {
    const url = 'https://videos.test/watch/saved'
    const body = { title: 'Saved', content: url, status: 'draft' }
    expect((await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'author', body })).status).to.equal(201)
    await until(async () => !(await isWaiting(url)))
    expect(server.requestsFor(url)).to.have.length(1)
  })

  it('XML from one that has no JSON', async () => {
    const html = await shownAfterAnswer('https://xml.test/1')
    expect(html).to.contain('>From &lt;XML&gt; &amp; more</a>')
    expect(html).to.contain('https://player.test/xml')
    expect(
      server.requestsFor('https://xml.test/1').map(({ searchParams }) => searchParams.get('format')),
    ).to.deep.equal(['json', 'xml'])
  })

  for (const [name, what] of [
    ['gone', 'has nothing for the URL'],
    ['broken', 'answers with broken JSON'],
    ['doctype', 'answers with a document type'],
    ['huge', 'answers with too much'],
    ['away', 'sends the site to a private address'],
  ] as const) {
    it(`leaves a link where a provider ${what}, and does not ask again soon`, async () => {
      const url = `https://${name}.test/1`
      const html = await shownAfterAnswer(url)
      expect(html).to.contain(`<a href="${url}">${url}</a>`).and.to.not.contain('wp-embed-preview')
      const count = server.requestsFor(url).length
      await shownContent(site, url)
      expect(server.requestsFor(url)).to.have.length(count)
      expect(inside.requests).to.deep.equal([])
    })
  }

  it('does not hold a page while a provider takes its time', async () => {
    const url = 'https://slow.test/1'
    await shownContent(site, url)
    await until(() => hanging.length > 0)
    expect(await shownContent(site, url)).to.contain(`<a href="${url}">`)
    expect(await shownContent(site, 'https://videos.test/watch/meanwhile')).to.contain('<a href=')
    await until(async () => !(await isWaiting('https://videos.test/watch/meanwhile')))
    const response = hanging[0]
    if (response) sendJson(response, { type: 'video', title: 'Late', html: '<iframe src="https://a.test/"></iframe>' })
    await until(async () => !(await isWaiting(url)))
    expect(await shownContent(site, url)).to.contain('>Late</a>')
  })

  it('goes on with a provider that fails for some URLs', async () => {
    const failing = Array.from({ length: 4 }, (_, at) => `https://videos.test/failing-${at}`)
    await shownContent(site, failing.join('\n\n'))
    for (const url of failing) await until(async () => !(await isWaiting(url)))
    expect(await shownAfterAnswer('https://videos.test/watch/works')).to.contain('>The video works</a>')
  })

  it('leaves a provider alone that does not answer', async () => {
    const urls = Array.from({ length: 20 }, (_, at) => `https://dead.test/${at}`)
    await shownContent(site, urls.join('\n\n'))
    const asked = () => server.requests.filter(({ pathname }) => pathname === '/dead').length
    // Two at a time: one more may be on its way when the third fails.
    await until(() => asked() >= 3)
    await until(async () => !(await isWaiting('https://dead.test/2')))
    await shownContent(site, urls.join('\n\n'))
    await shownContent(site, 'https://dead.test/another')
    await shownAfterAnswer('https://videos.test/watch/after-the-dead')
    expect(asked()).to.be.within(3, 4)
  })

  describe('filters', () => {
    it('size, address and HTML', async () => {
      const { hooks } = site.host
      const seen: string[] = []
      const undo = [
        hooks.addFilter('embed_defaults', (size, url) =>
          url.includes('filtered') ? { width: 640, height: 480 } : size,
        ),
        hooks.addFilter('oembed_fetch_url', (address, url) =>
          url.includes('filtered') ? `${address}&access_token=secret` : address,
        ),
        hooks.addFilter('oembed_dataparse', (html, answer) => {
          seen.push(`dataparse ${String(answer.type)}`)
          return html?.replace('500', '501') ?? null
        }),
        hooks.addFilter('oembed_result', (html, _url, size) => {
          seen.push(`result ${size.width}`)
          return `${html}<i>result</i>`
        }),
        hooks.addFilter('embed_oembed_html', (html, _url, _size, post) => `<div>${post.title}: ${html}</div>`),
      ]
      try {
        const html = await shownAfterAnswer('https://filtered.test/1')
        const embed = /data-html="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"').replaceAll('&lt;', '<') ?? ''
        expect(embed.replaceAll('&gt;', '>')).to.match(
          /^<div>Post: <iframe [^>]*width="501"[^>]*><\/iframe><i>result<\/i>/,
        )
        expect(seen).to.deep.equal(['dataparse video', 'result 640'])
        const { searchParams } = server.requestsFor('https://filtered.test/1')[0] ?? new URL('about:blank')
        expect(Object.fromEntries(searchParams)).to.include({ maxwidth: '640', access_token: 'secret' })
      } finally {
        for (const remove of undo) remove()
      }
    })

    it('pre_oembed_result answers in the place of the provider', async () => {
      const url = 'https://filtered.test/early'
      const undo = site.host.hooks.addFilter('pre_oembed_result', (html, asked) =>
        asked === url ? '<b>Early</b>' : html,
      )
      await shownContent(site, url)
      await until(async () => !(await isWaiting(url)))
      undo()
      expect(await shownContent(site, url)).to.contain('data-html="&lt;b&gt;Early&lt;/b&gt;"')
      expect(server.requestsFor(url)).to.deep.equal([])
    })

    it('oembed_ttl says how long an answer is cached', async () => {
      const url = 'https://videos.test/watch/short-lived'
      const undo = site.host.hooks.addFilter('oembed_ttl', (seconds, asked) => (asked === url ? 7200 : seconds))
      await shownAfterAnswer(url)
      undo()
      expect(await hoursLeft(url)).to.be.within(1.5, 2.5)
      expect(await hoursLeft('https://filtered.test/1')).to.be.within(23.5, 24.5)
    })
  })

  it('shows an answer that is too old until there is a new one, also while the provider has none', async () => {
    const url = 'https://videos.test/watch/old'
    await shownAfterAnswer(url)
    isGone = true
    await rows().set({ expires_gmt: '2020-01-01 00:00:00' }).where('url', '=', url).execute()
    expect(await shownContent(site, url)).to.contain('>The video old</a>')
    await until(async () => ((await hoursLeft(url)) ?? 0) > 0)
    expect(server.requestsFor(url)).to.have.length(2)
    expect(await shownContent(site, url)).to.contain('>The video old</a>')
    expect(await hoursLeft(url)).to.be.within(0.5, 1.5)
  })
})
