import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { serveUnavailable } from '../../app/serve-unavailable.ts'
import { createTranslations } from '../../cms/text/index.ts'
import { createLog } from '../../core/log.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** What Chromium sends when it opens a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('a site that is closed for a moment', () => {
  const { page } = createTranslations({ siteDir: temporaryFolder(), log: createLog('silent') })
  const siteOf = async (title: string, language = 'en_US') => ({ title, texts: await page(language) })
  let url: string
  let stop: () => Promise<void>
  before(async () => {
    const port = await freePort()
    stop = await serveUnavailable(port, '127.0.0.1', await siteOf('Bread & <b>Butter</b>'))
    url = `http://127.0.0.1:${port}`
  })
  after(() => stop())

  const get = (path: string, accept?: string) => fetch(url + path, { headers: accept ? { accept } : {} })

  it('shows browsers a page with the name of the site, which reloads', async () => {
    const response = await get('/about/', BROWSER)
    expect(response.status).to.equal(503)
    expect(Object.fromEntries(response.headers)).to.include({
      ...{ 'content-type': 'text/html; charset=UTF-8', 'retry-after': '5', 'cache-control': 'no-store' },
    })
    const text = await response.text()
    expect(text).to.include('<h1>Bread &amp; &lt;b&gt;Butter&lt;/b&gt; will be back in a moment</h1>')
    expect(text).to.include('<meta http-equiv="refresh" content="5">')
  })

  it('is in the language of the site', async () => {
    const port = await freePort()
    const end = await serveUnavailable(port, '127.0.0.1', await siteOf('Brot', 'de_DE'))
    const text = await (await fetch(`http://127.0.0.1:${port}`, { headers: { accept: BROWSER } })).text()
    expect(text).to.include('<html lang="de-DE" dir="ltr">').and.include('<h1>Brot ist gleich wieder da</h1>')
    expect(text).to.include('<p>Wegen geplanter Wartungsarbeiten')
    await end()
  })

  it('responds to all clients that have connected before it stops', async () => {
    const port = await freePort()
    const end = await serveUnavailable(port, '127.0.0.1', await siteOf('Site'))
    const requests = Array.from({ length: 20 }, () => request({ host: '127.0.0.1', port, agent: false }))
    await Promise.all(
      requests.map(async (sent) => {
        sent.flushHeaders()
        const [socket] = await once(sent, 'socket')
        if (socket.connecting) await once(socket, 'connect')
      }),
    )
    const responses = requests.map((sent) => once(sent, 'response'))
    const ended = end()
    for (const sent of requests) sent.end()
    for (const [response] of await Promise.all(responses)) {
      expect(response.statusCode).to.equal(503)
      response.resume()
    }
    await ended
    // The port is free.
    await (await serveUnavailable(port, '127.0.0.1', await siteOf('Site')))()
  })

  it('sends JSON to programs, and to all clients of the REST API', async () => {
    for (const [path, accept] of [
      ['/about/'],
      ['/', '*/*'],
      ['/wp-json/wp/v2/posts', BROWSER],
      ['/?rest_route=/', BROWSER],
    ] as const) {
      const response = await get(path, accept)
      expect(response.status, path).to.equal(503)
      expect(response.headers.get('content-type'), path).to.equal('application/json; charset=UTF-8')
      expect(await response.json(), path).to.include({ code: 'maintenance_mode' })
    }
  })
})
