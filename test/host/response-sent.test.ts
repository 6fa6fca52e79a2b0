import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { CompletedRequest } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { startCachedSite } from '../speed/cached-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { ask } from '../support/wire.ts'

describe('response_sent', () => {
  let site: TestHost
  let answered: CompletedRequest[]
  before(async () => {
    site = await startCachedSite()
    site.host.hooks.addAction('response_sent', (request) => {
      answered.push(request)
    })
  })
  beforeEach(() => {
    answered = []
  })
  after(() => site.close())

  it('receives the request and the response', async () => {
    await (await site.get('/nothing-here/?a=1', { headers: { Referer: 'https://example.org/' } })).text()
    expect(answered).to.have.length(1)
    const [request] = answered
    expect(request).to.include({ method: 'GET', url: '/nothing-here/?a=1', status: 404, clientAddress: '127.0.0.1' })
    expect(request?.headers.referer).to.equal('https://example.org/')
  })

  it('fires once for pages that the page cache serves', async () => {
    await (await site.get('/hello-world/')).text()
    const again = await site.get('/hello-world/')
    await again.text()
    expect(again.headers.get('x-cache')).to.equal('HIT')
    expect(answered.map(({ url, status }) => `${url} ${status}`)).to.deep.equal([
      '/hello-world/ 200',
      '/hello-world/ 200',
    ])
  })

  it('fires for REST and for errors', async () => {
    await (await site.get('/wp-json/wp/v2/posts/999999')).text()
    await ask(site.url, '/', 'Host: elsewhere.example')
    expect(answered.map(({ url, status }) => `${url} ${status}`)).to.deep.equal([
      '/wp-json/wp/v2/posts/999999 404',
      '/ 421',
    ])
  })

  it('does not fire for pages that are rendered for the cache', async () => {
    await site.host.front.render('/sample-page/')
    expect(answered).to.deep.equal([])
  })

  it('has its former name request_answered until 1.0.0', async () => {
    const former: string[] = []
    const undo = site.host.hooks.addAction('request_answered', ({ url }) => void former.push(url))
    await (await site.get('/hello-world/')).text()
    undo()
    expect(former).to.deep.equal(['/hello-world/'])
    expect(answered).to.have.length(1)
  })

  it('names the client of a connection that ends with the answer', async () => {
    await ask(site.url, '/hello-world/')
    expect(answered[0]).to.include({ status: 200, clientAddress: '127.0.0.1' })
  })

  it('survives a callback that fails', async () => {
    const folder = join(temporaryFolder(), 'failing')
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'index.ts'),
      `import { defineExtension } from 'pentad'
      export default defineExtension({ id: 'failing', name: 'Failing', version: '1.0.0', setup({ hooks }) {
        hooks.addAction('response_sent', () => { throw new Error('no') })
      } })`,
    )
    const host = await createTestHost({ extensions: [folder] })
    for (let visit = 0; visit < 7; visit++) expect((await host.get('/hello-world/')).status).to.equal(200)
    expect((await host.host.extensions.list()).find(({ id }) => id === 'failing')?.state).to.equal('paused')
    await host.close()
  })
})
