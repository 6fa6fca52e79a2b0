import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
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
  const isKept = async (path: string) => KEPT.includes(String((await raw(site, path)).headers['x-cache']))
  /** A page is answered before it is on the disk. */
  const keep = (path: string) => until(() => isKept(path))

  it('take effect immediately, even if a page or a 404 is cached under any spelling of the URL', async () => {
    for (const path of ['/hello-world/', '/missing', '/MISSING/', '/missing/?x=1', '/caf%c3%a9/']) {
      await keep(path)
    }
    await make(site, '/hello-world', '/a')
    await make(site, '/missing', '/b')
    await make(site, '/café', '/c')
    expect(await ask(site, '/hello-world/')).to.equal('301 /a')
    for (const path of ['/missing', '/MISSING/', '/missing/?x=1']) expect(await ask(site, path)).to.equal('301 /b')
    expect(await ask(site, '/caf%c3%a9/')).to.equal('301 /c')
  })

  it('leave other pages in the cache', async () => {
    await keep('/sample-page/')
    await make(site, '/somewhere-else', '/x')
    expect(await isKept('/sample-page/')).to.equal(true)
  })

  it('by pattern work at once too, and so does switching redirects off', async () => {
    await keep('/old/1')
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
