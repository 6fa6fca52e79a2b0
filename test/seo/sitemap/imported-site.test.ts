import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { headAt } from '../head/read-head.ts'
import { publicPaths } from '../public-paths.ts'
import { openImportedSite } from '../seo-site.ts'
import { type ReadMap, readSitemaps } from './read-maps.ts'
import { errorsOf } from './validate.ts'

describe('The sitemaps of an imported site', () => {
  let site: TestHost
  let index: ReadMap
  let maps: ReadMap[]
  const entries = () => maps.flatMap((map) => map.entries)

  before(async () => {
    site = await openImportedSite()
    const read = await readSitemaps(site)
    index = read.index
    maps = read.maps
  })
  after(() => site.close())

  it('are valid by the official schemas', async () => {
    expect(await errorsOf([index], 'siteindex.xsd')).to.deep.equal([])
    expect(await errorsOf(maps)).to.deep.equal([])
  })

  it('would not be with a mistake: the schemas are really asked', async () => {
    const [map] = maps
    const broken = { name: 'broken', xml: map?.xml.replace('<lastmod>', '<lastmod>about ') ?? '' }
    expect((await errorsOf([broken])).join('\n')).to.contain('lastmod')
    const untitled = {
      name: 'untitled',
      xml: (map?.xml ?? '').replace('<image:loc>', '<image:place>').replace('</image:loc>', '</image:place>'),
    }
    expect((await errorsOf([untitled])).join('\n')).to.contain('place')
  })

  it('list every page exactly when search engines may keep it, and none twice', async () => {
    const indexable: string[] = []
    for (const path of await publicPaths(site)) {
      const head = await headAt(site, path)
      const isOwn = head.link('canonical')[0] === site.url + path
      if (isOwn && !head.meta('robots').join().includes('noindex')) indexable.push(site.url + path)
    }
    const listed = entries().map(({ url }) => url)
    expect(listed.toSorted()).to.deep.equal(indexable.toSorted())
    expect(listed).to.include.members([`${site.url}/`, `${site.url}/category/travel/`, `${site.url}/author/ed/`])
    expect(new Set(listed).size).to.equal(listed.length)
  })

  it('say when each post and page was modified', async () => {
    const { items } = await site.host.content.posts.query({ types: ['post', 'page'], limit: 1000 })
    const byUrl = new Map(entries().map((entry) => [entry.url, entry]))
    for (const post of items) {
      const entry = byUrl.get(site.host.content.link(post))
      if (entry) expect(entry.lastmod, post.path).to.equal(`${post.modifiedGmt}Z`)
    }
  })

  it('say in the index when the newest page of each map changed', () => {
    for (const { url, lastmod } of index.entries) {
      const map = maps.find(({ name }) => url.endsWith(name))
      const newest = map?.entries
        .map((entry) => entry.lastmod ?? '')
        .toSorted()
        .at(-1)
      expect(lastmod, url).to.equal(newest)
    }
  })

  it('list images that are there, with their titles', async () => {
    const images = entries().flatMap((entry) => entry.images)
    const own = images.filter(({ url }) => url.startsWith(site.url))
    expect(own.length).to.be.greaterThan(5)
    for (const { url } of own) {
      const answer = await fetch(url)
      expect([url, answer.status, answer.headers.get('content-type')?.split('/')[0]]).to.deep.equal([url, 200, 'image'])
    }
    expect(own.filter(({ title }) => title === undefined)).to.deep.equal([])
  })
})
