import { expect } from 'chai'
import { createSite, type Site } from '../../../app/create-site.ts'
import { CHEAPEST } from '../../../core/auth/index.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { readHead } from './read-head.ts'

/** A site is tried at one address and then served at its domain. */
describe('A site that got another address', () => {
  const folder = temporaryFolder()
  const TRIED = 'http://127.0.0.1:8080'
  const NOW = 'https://example.org'
  const FIELDS = {
    _seo_canonical: [`${TRIED}/other/`],
    _seo_og_image: [`${TRIED}/wp-content/uploads/shared.jpg`],
  }
  let host: Site
  let address: string

  async function open(url: string): Promise<Site> {
    return createSite({ siteDir: folder, port: await freePort(), url, logLevel: 'silent' }, { passwordCost: CHEAPEST })
  }
  const textAt = async (path: string) => (await fetch(address + path)).text()
  const headAt = async (path: string) => readHead(200, await textAt(path))

  before(async () => {
    const before = await open(TRIED)
    await before.listen()
    const image = `<img src="${TRIED}/wp-content/uploads/bread.jpg" alt="">`
    for (const [slug, meta] of Object.entries({
      fields: FIELDS,
      own: { _seo_canonical: [`${TRIED}/own/`] },
      image: {},
    }))
      await before.content.posts.insert({ type: 'page', status: 'publish', title: slug, slug, content: image, meta })
    await before.close()
    host = await open(NOW)
    address = await host.listen()
  })
  after(() => host.close())

  it('names its canonical addresses and images there', async () => {
    const head = await headAt('/fields/')
    expect(head.link('canonical')).to.deep.equal([`${NOW}/other/`])
    expect(head.meta('og:image')).to.deep.equal([`${NOW}/wp-content/uploads/shared.jpg`])
    expect((await headAt('/image/')).meta('og:image')).to.deep.equal([`${NOW}/wp-content/uploads/bread.jpg`])
  })

  it('keeps a page whose canonical address is its own in the sitemap', async () => {
    expect((await headAt('/own/')).link('canonical')).to.deep.equal([`${NOW}/own/`])
    const map = await textAt('/wp-sitemap-posts-page-1.xml')
    expect(map).to.include(`<loc>${NOW}/own/</loc>`)
  })

  it('names nothing of the former address in the sitemap', async () => {
    const map = await textAt('/wp-sitemap-posts-page-1.xml')
    expect(map).to.include(`<image:loc>${NOW}/wp-content/uploads/bread.jpg</image:loc>`).and.not.include(TRIED)
  })
})
