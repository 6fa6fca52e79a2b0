import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { publicPaths } from '../public-paths.ts'
import { openImportedSite } from '../seo-site.ts'
import { headAt, type ReadHead } from './read-head.ts'

/** The most that https://ogp.me demands of a page, and what of it is an address. */
const REQUIRED = ['og:title', 'og:type', 'og:image', 'og:url']
const SINGLE = [
  ...['og:title', 'og:type', 'og:url', 'og:description', 'og:site_name', 'og:locale', 'og:image:width', 'og:image'],
  ...['og:image:height', 'og:image:type', 'og:image:alt', 'article:published_time', 'article:modified_time'],
  ...[
    'article:section',
    'twitter:card',
    'twitter:title',
    'twitter:description',
    'twitter:image',
    'robots',
    'description',
  ],
]

describe('Every public page of an imported site', () => {
  let site: TestHost
  const pages = new Map<string, ReadHead>()

  before(async () => {
    site = await openImportedSite()
    for (const path of await publicPaths(site)) pages.set(path, await headAt(site, path))
  })
  after(() => site.close())

  const each = (check: (head: ReadHead, path: string) => void) => {
    for (const [path, head] of pages) check(head, path)
  }

  it('is there: posts, pages, attachments, archives of terms, authors and dates, and later pages of lists', () => {
    expect(pages.size).to.be.greaterThan(100)
    for (const path of ['/', '/page/2/', '/category/travel/', '/tag/trains/', '/author/ed/', '/category/cooking/'])
      expect([...pages.keys()]).to.include(path)
    each(({ status }, path) => expect(status, path).to.equal(200))
  })

  it('has one title, which is its own', () => {
    each(({ titles }, path) => {
      expect(titles, path).to.have.length(1)
      expect(titles[0]?.trim(), path).to.not.equal('')
      expect(titles[0], path)
        .to.contain('Oracle Gazette')
        .and.not.match(/%[a-z_]+%|\s\s/)
    })
  })

  it('has one description of a length that search engines show', () => {
    each((head, path) => {
      expect(head.meta('description'), path).to.have.length(1)
      expect(head.meta('description')[0]?.length, path).to.be.within(5, 160)
    })
  })

  it('has one canonical address, its own', () => {
    each((head, path) => {
      expect(head.link('canonical'), path).to.deep.equal([site.url + path])
    })
  })

  it('says once what robots may do', () => {
    each((head, path) => expect(head.meta('robots'), path).to.have.length(1))
  })

  it('has Open Graph with all that the protocol demands, nothing twice and nothing empty', () => {
    each((head, path) => {
      for (const name of REQUIRED) expect(head.meta(name), `${path} ${name}`).to.have.length(1)
      for (const name of SINGLE) expect(head.meta(name).length, `${path} ${name}`).to.be.at.most(1)
      for (const name of head.names.filter((one) => /^(?:og|article|profile|twitter):/.test(one)))
        expect(head.meta(name), `${path} ${name}`).to.not.include('')
      expect(head.meta('og:url'), path).to.deep.equal([site.url + path])
      expect(head.meta('og:type')[0], path).to.be.oneOf(['website', 'article', 'profile'])
      expect(head.meta('og:locale'), path).to.deep.equal(['en_US'])
      for (const time of [...head.meta('article:published_time'), ...head.meta('article:modified_time')])
        expect(new Date(time).toISOString(), path).to.equal(time.replace('Z', '.000Z'))
    })
  })

  it('has an X card', () => {
    each((head, path) => expect(head.meta('twitter:card')[0], path).to.be.oneOf(['summary', 'summary_large_image']))
  })

  it('names images that are there, are images, and are as large as it says', async () => {
    const images = new Map<string, [string | undefined, string | undefined]>()
    each((head) => {
      const [url = ''] = head.meta('og:image')
      images.set(url, [head.meta('og:image:width')[0], head.meta('og:image:height')[0]])
    })
    expect(images.size).to.be.greaterThan(3)
    const { default: sharp } = await import('sharp')
    for (const [url, [width, height]] of images) {
      const answer = await fetch(url)
      expect([answer.status, answer.headers.get('content-type')?.split('/')[0]], url).to.deep.equal([200, 'image'])
      const found = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([String(found.width), String(found.height)], url).to.deep.equal([width, height])
    }
  })

  it('differs from all others in its title and canonical address', () => {
    const titles = [...pages.values()].map(({ titles: [title] }) => title)
    const twice = titles.filter((title, at) => titles.indexOf(title) !== at)
    expect(twice).to.deep.equal([])
  })
})
