import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { headAt } from '../head/read-head.ts'
import { publicPaths } from '../public-paths.ts'
import { openImportedSite } from '../seo-site.ts'
import { GOOGLE_RULES } from './google-rules.ts'
import { only, readGraph, referencesIn, type Thing, valuesAt } from './read-graph.ts'
import { vocabularyErrors } from './vocabulary.ts'

describe('The structured data of every public page of an imported site', () => {
  let site: TestHost
  const graphs = new Map<string, Thing[]>()

  before(async () => {
    site = await openImportedSite()
    for (const path of await publicPaths(site)) graphs.set(path, readGraph((await headAt(site, path)).html))
  })
  after(() => site.close())

  const each = (check: (thing: Thing, things: Thing[], path: string) => void) => {
    for (const [path, things] of graphs) for (const thing of things) check(thing, things, path)
  }

  it('is there, with the site, who is behind it and the page', () => {
    expect(graphs.size).to.be.greaterThan(100)
    for (const [path, things] of graphs) {
      const types = things.map((thing) => thing['@type'])
      expect(types, path).to.include.members(['WebSite', 'Organization'])
      expect(
        types.filter((type) => type.endsWith('Page')),
        path,
      ).to.have.length(1)
    }
  })

  it('speaks the language of schema.org, as three that do not prove', () => {
    const things = new Map([...graphs.values()].flat().map((thing) => [shapeOf(thing), thing]))
    const wrong = [
      { '@type': 'Article', headlin: 'A typing mistake' },
      { '@type': 'Artikel', headline: 'No such type' },
      { '@type': 'BreadcrumbList', numberOfItems: 'A number' },
    ]
    const errors = vocabularyErrors([...things.values(), ...wrong])
    const isMeant = (error: string) => wrong.some((one) => error.includes(JSON.stringify(one)))
    expect(errors.filter((error) => !isMeant(error)).join('\n')).to.equal('')
    expect(errors).to.have.length(wrong.length)
  })

  it('has what Google requires of each type', () => {
    each((thing, things, path) => {
      for (const { types, required, source } of GOOGLE_RULES) {
        if (!types.includes(thing['@type'])) continue
        for (const property of required)
          expect(valuesAt(things, thing, property), `${path}: ${property} of ${thing['@type']} (${source})`).to.not.be
            .empty
      }
    })
  })

  it('shows the image of each post that has one', async () => {
    const { content } = site.host
    const { items } = await content.posts.query({ limit: 1000, hasPassword: false })
    const meta = await content.meta.of(
      'post',
      items.map(({ id }) => id),
    )
    const withImage = items.filter(({ id }) => meta.get(id)?._thumbnail_id !== undefined)
    expect(withImage.length).to.be.greaterThan(3)
    for (const { path } of withImage) {
      const things = graphs.get(path) ?? []
      expect(valuesAt(things, only(things, 'Article'), 'image.contentUrl').join(), path).to.match(
        /\/wp-content\/uploads\//,
      )
    }
  })

  it('refers to nothing that is not there, and names nothing twice', () => {
    for (const [path, things] of graphs) {
      const ids = things.flatMap((thing) => thing['@id'] ?? [])
      expect(new Set(ids).size, path).to.equal(ids.length)
      const inside = things.flatMap((thing) => Object.values(thing).flatMap(nestedIds))
      for (const reference of things.flatMap((thing) => Object.values(thing).flatMap(referencesIn)))
        expect([...ids, ...inside], path).to.include(reference)
    }
  })

  it('has absolute addresses and moments with their zone', () => {
    each((thing, _things, path) => {
      for (const name of ['url', 'contentUrl']) {
        const value = thing[name]
        if (value !== undefined) expect(value, `${path} ${name}`).to.match(/^https?:\/\//)
      }
      for (const name of ['datePublished', 'dateModified']) {
        const value = thing[name]
        if (value !== undefined) expect(value, `${path} ${name}`).to.match(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
      }
    })
  })

  it('shows the way to each page but the home page, step by step', () => {
    for (const [path, things] of graphs) {
      const list = things.find((thing) => thing['@type'] === 'BreadcrumbList')
      if (path === '/' || /^\/page\/\d+\/$/.test(path)) {
        expect(list, path).to.equal(undefined)
        continue
      }
      const positions = valuesAt(things, list, 'itemListElement.position')
      expect(positions, path).to.deep.equal(positions.map((_, at) => at + 1))
      expect(valuesAt(things, list, 'itemListElement.item').at(-1), path).to.equal(site.url + path)
    }
  })

  it('calls posts articles, archives collections and archives of authors profiles', () => {
    const typeAt = (path: string) => graphs.get(path)?.map((thing) => thing['@type'])
    expect(typeAt('/category/travel/')).to.include('CollectionPage')
    expect(typeAt('/author/ed/')).to.include('ProfilePage')
    const articles = [...graphs.values()].flat().filter((thing) => thing['@type'] === 'Article')
    expect(articles.length).to.be.greaterThan(30)
  })
})

/** Two things of the same shape are right or wrong together. */
function shapeOf(thing: Thing): string {
  return JSON.stringify(thing, (name, value) => (name !== '@type' && typeof value === 'string' ? 'text' : value))
}

/** Names of things that stand inside of others. */
function nestedIds(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '@type' in value && '@id' in value && typeof value['@id'] === 'string' ? [value['@id']] : []
  return [...own, ...Object.values(value).flatMap(nestedIds)]
}
