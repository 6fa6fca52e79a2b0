import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'
import { ask, call, make, raw } from './redirects-site.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')

describe('Redirects of a site whose pages are cached', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite({ extensions: [SPEED] })
  })
  after(() => site.close())

  /** Stale pages come from the cache too: one whose files are being made smaller in the background. */
  const KEPT = ['HIT', 'STALE']
  const cached = async (path: string) => {
    await raw(site, path)
    return (await raw(site, path)).headers['x-cache']
  }

  it('work at once though a page, or that there is none, is cached under any spelling', async () => {
    for (const path of ['/hello-world/', '/missing', '/MISSING/', '/missing/?x=1', '/caf%c3%a9/']) {
      expect(await cached(path), path).to.be.oneOf(KEPT)
    }
    await make(site, '/hello-world', '/a')
    await make(site, '/missing', '/b')
    await make(site, '/café', '/c')
    expect(await ask(site, '/hello-world/')).to.equal('301 /a')
    for (const path of ['/missing', '/MISSING/', '/missing/?x=1']) expect(await ask(site, path)).to.equal('301 /b')
    expect(await ask(site, '/caf%c3%a9/')).to.equal('301 /c')
  })

  it('leave other pages in the cache', async () => {
    expect(await cached('/sample-page/')).to.be.oneOf(KEPT)
    await make(site, '/somewhere-else', '/x')
    expect((await raw(site, '/sample-page/')).headers['x-cache']).to.be.oneOf(KEPT)
  })

  it('by pattern work at once too, and so does switching redirects off', async () => {
    expect(await cached('/old/1')).to.be.oneOf(KEPT)
    await make(site, '/old/*', '/new/*', { match: 'wildcard' })
    expect(await ask(site, '/old/1')).to.equal('301 /new/1')
    await set(site, { redirects: 'off' })
    expect(await ask(site, '/old/1')).to.equal('404')
    await set(site, { redirects: 'on' })
    expect(await ask(site, '/old/1')).to.equal('301 /new/1')
  })

  it('count each visitor once, though the cache asks the site too', async () => {
    const id = await make(site, '/counted', '/x')
    for (let time = 0; time < 3; time++) await ask(site, '/counted')
    await site.host.front.render('/counted')
    expect((await call(site, 'GET', `/redirects/${id}`)).data.hits).to.equal(3)
  })
})
