import { expect } from 'chai'
import type { Undo } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { PIXEL } from '../pixel.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { GOOGLE_RULES } from './google-rules.ts'
import { only, readGraph, type Thing, valuesAt } from './read-graph.ts'
import { vocabularyErrors } from './vocabulary.ts'

describe('Structured data', () => {
  let site: TestHost
  let undo: Undo[]
  let tea: number
  /** Things that no page of the import has. */
  const spoken: Thing[] = []
  const graphAt = async (path: string) => readGraph(await (await site.get(path)).text())
  const hasData = async (path: string) => (await (await site.get(path)).text()).includes('application/ld+json')
  const typesAt = async (path: string) => (await graphAt(path)).map((thing) => thing['@type'])
  const requiredBy = (things: readonly Thing[], thing: Thing) =>
    GOOGLE_RULES.filter(({ types }) => types.includes(thing['@type'])).flatMap(({ required }) =>
      required.filter((property) => valuesAt(things, thing, property).length === 0),
    )

  before(async () => {
    site = await openSeoSite()
    const { content, auth } = site.host
    await content.updateSiteSettings({ title: 'Tea shop', description: 'All about tea', language: 'de_DE' })
    const ann = await auth.users.create({
      ...{ login: 'ann', displayName: 'Ann Example', roles: ['author'] },
      ...{ url: 'https://ann.example/', description: 'Drinks <b>tea</b>.' },
    })
    const drinks = await content.terms.insert('category', { name: 'Drinks & more' })
    const hot = await content.terms.insert('category', { name: 'Hot', parentId: drinks.id })
    const leaf = await content.terms.insert('post_tag', { name: 'Leaf' })
    const post = await content.posts.insert({
      ...{ title: 'Assam', status: 'publish', authorId: ann.id, content: '<p>Strong and dark.</p>' },
      ...{ date: '2025-01-01T08:00:00', modifiedGmt: '2024-06-01T00:00:00' },
      terms: { category: [hot.id], post_tag: [leaf.id] },
    })
    tea = post.id
    await content.posts.insert({ title: 'Contact', type: 'page', status: 'publish', content: 'Write to us.' })
    await content.posts.insert({ title: 'Locked', status: 'publish', password: 'secret', content: 'Nobody may know.' })
  })
  beforeEach(() => {
    undo = []
  })
  afterEach(() => {
    for (const one of undo) one()
  })
  after(() => site.close())

  it('describes a post as an Article with author, dates, subject and breadcrumbs', async () => {
    const things = await graphAt('/assam/')
    const article = only(things, 'Article')
    expect(article).to.deep.include({
      headline: 'Assam',
      description: 'Strong and dark.',
      datePublished: '2025-01-01T08:00:00Z',
      dateModified: '2025-01-01T08:00:00Z',
      articleSection: ['Hot'],
      keywords: ['Leaf'],
      inLanguage: 'de-DE',
      mainEntityOfPage: { '@id': `${site.url}/assam/#webpage` },
    })
    expect(article.author).to.deep.include({
      '@type': 'Person',
      name: 'Ann Example',
      url: `${site.url}/author/ann/`,
      description: 'Drinks tea.',
      sameAs: ['https://ann.example/'],
    })
    const breadcrumb = only(things, 'BreadcrumbList')
    expect(valuesAt(things, breadcrumb, 'itemListElement.name')).to.deep.equal([
      'Home',
      'Drinks & more',
      'Hot',
      'Assam',
    ])
    expect(valuesAt(things, only(things, 'WebPage'), 'breadcrumb.itemListElement')).to.have.length(4)
  })

  it('describes a page as a WebPage, and the home page with the organization', async () => {
    expect(await typesAt('/contact/'))
      .to.include('WebPage')
      .and.not.include('Article')
    const things = await graphAt('/')
    expect(valuesAt(things, only(things, 'CollectionPage'), 'about.name')).to.deep.equal(['Tea shop'])
    expect(only(things, 'WebSite')).to.deep.include({
      name: 'Tea shop',
      url: `${site.url}/`,
      description: 'All about tea',
    })
  })

  it('names the organization as the settings do, with its logo and profiles', async () => {
    const { id } = await site.host.content.media.upload({ source: PIXEL, name: 'logo.png' })
    const profiles = ['https://social.example/@tea', 'https://x.com/teashop']
    await set(site, { organizationName: 'Tea Ltd', logo: id, socialProfiles: profiles, xAccount: '@teashop' })
    const things = await graphAt('/contact/')
    const publisher = only(things, 'Organization')
    expect(publisher).to.deep.include({ name: 'Tea Ltd', sameAs: profiles })
    expect(valuesAt(things, publisher, 'logo.contentUrl').join()).to.match(/\/wp-content\/uploads\/\S+logo\.png$/)
    await set(site, { schemaType: 'Person', personName: 'Tea Maker' })
    const person = only(await graphAt('/contact/'), 'Person')
    expect(person).to.include({ name: 'Tea Maker' }).and.to.have.property('image')
    spoken.push(publisher, person)
    await set(site, { schemaType: 'Organization', organizationName: '', logo: 0, socialProfiles: [], xAccount: '' })
  })

  it('takes the type that the settings or the post itself name', async () => {
    const { meta } = site.host.content
    await set(site, { articleSchemaType: 'BlogPosting' })
    expect(await typesAt('/assam/')).to.include('BlogPosting')
    await meta.set('post', tea, '_seo_schema_type', 'NewsArticle')
    expect(await typesAt('/assam/'))
      .to.include('NewsArticle')
      .and.not.include('BlogPosting')
    await meta.set('post', tea, '_seo_schema_type', 'AboutPage')
    expect(await typesAt('/assam/'))
      .to.include('AboutPage')
      .and.not.include('BlogPosting')
    await meta.set('post', tea, '_seo_schema_type', 'none')
    expect(await typesAt('/assam/'))
      .to.include('WebPage')
      .and.not.include('BlogPosting')
    await meta.set('post', tea, '_seo_schema_type', 'Nonsense"><script>')
    expect(await typesAt('/assam/')).to.include.members(['WebPage', 'BlogPosting'])
    await meta.delete('post', tea, '_seo_schema_type')
    await set(site, { articleSchemaType: 'Article' })
  })

  it('describes the product of a store, as Google requires', async () => {
    undo.push(
      site.host.hooks.addFilter('seo_schema_product', (product, { path }) =>
        path === '/assam/'
          ? {
              ...{
                name: 'Assam',
                description: 'Strong',
                images: [`${site.url}/assam.png`],
                sku: 'A1',
                brand: 'Tea Ltd',
              },
              ...{ price: 790, currency: 'EUR', availability: 'in-stock' as const },
            }
          : product,
      ),
    )
    const things = await graphAt('/assam/')
    const product = only(things, 'Product')
    expect(product.offers).to.deep.include({
      price: '7.90',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    })
    expect(requiredBy(things, product)).to.deep.equal([])
    spoken.push(product)
    expect(await typesAt('/contact/')).to.not.include('Product')
  })

  it('writes prices in units of their currency, and leaves out a product whose currency is none', async () => {
    let currency = 'JPY'
    undo.push(
      site.host.hooks.addFilter('seo_schema_product', () => ({
        ...{ name: 'Assam', price: 1990, currency, availability: 'out-of-stock' as const },
      })),
    )
    expect(only(await graphAt('/contact/'), 'Product').offers).to.include({ price: '1990' })
    currency = 'KWD'
    expect(only(await graphAt('/contact/'), 'Product').offers).to.include({ price: '1.990' })
    currency = 'euros'
    expect(await typesAt('/contact/'))
      .to.include('WebPage')
      .and.not.include('Product')
  })

  it('can be changed by a filter; what is no JSON is left out', async () => {
    undo.push(
      site.host.hooks.addFilter('seo_schema_graph', (graph) => [...graph, { '@type': 'Event', name: 'Tasting' }]),
    )
    expect(await typesAt('/contact/')).to.include('Event')
    const circle: Record<string, unknown> = {}
    circle.self = circle
    // @ts-expect-error: an extension in JavaScript may answer anything
    undo.push(site.host.hooks.addFilter('seo_schema_graph', () => [circle]))
    expect(await typesAt('/contact/'))
      .to.include('WebPage')
      .and.not.include('Event')
  })

  it('escapes text that would end the script', async () => {
    const { content } = site.host
    const evil = 'Evil </script><script>alert(1)</script><!-- \u2028 "quoted" \\'
    const { id } = await content.posts.insert({
      title: evil,
      status: 'publish',
      slug: 'evil',
      content: evil,
      excerpt: evil,
    })
    await content.updateSiteSettings({ title: 'Tea </script> shop', description: '<!--<script>' })
    const things = await graphAt('/evil/')
    expect(only(things, 'Article').headline).to.be.a('string')
    const [head] = (await (await site.get('/evil/')).text()).split('</head>')
    expect(head).to.contain('Evil').and.not.contain('<script>alert(1)')
    await content.posts.delete(id)
    await content.updateSiteSettings({ title: 'Tea shop', description: 'All about tea' })
  })

  it('contains nothing that is protected by a password', async () => {
    const things = await graphAt('/locked/')
    expect(JSON.stringify(things)).to.not.contain('Nobody')
    expect(things.map((thing) => thing['@type'])).to.not.include('Article')
  })

  it('is not there where there is no page, nor where the settings say so', async () => {
    expect(await hasData('/nothing/')).to.equal(false)
    expect(await hasData('/contact/')).to.equal(true)
    await set(site, { schema: 'off' })
    expect(await hasData('/contact/')).to.equal(false)
    await set(site, { schema: 'on' })
  })

  // The compiler holds the process so long that connections to the site would break.
  it('speaks the language of schema.org', () => {
    expect(spoken.map((thing) => thing['@type'])).to.deep.equal(['Organization', 'Person', 'Product'])
    expect(vocabularyErrors(spoken)).to.deep.equal([])
  })
})
