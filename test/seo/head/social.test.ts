import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { openSeoSite, putSettings, set } from '../seo-site.ts'
import { headAt } from './read-head.ts'

describe('Open Graph, X cards and verification', () => {
  let site: TestHost
  let imageId: number
  before(async () => {
    site = await openSeoSite()
    imageId = await addImage('beach.png', 1600, 800)
  })
  after(() => site.close())

  async function addImage(name: string, width: number, height: number): Promise<number> {
    const source = await sharp({ create: { width, height, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    return (await site.host.content.media.upload({ source, name }, { meta: { _wp_attachment_image_alt: ['A beach'] } }))
      .id
  }
  async function addPost(slug: string, fields: { content?: string; meta?: Record<string, (string | number)[]> } = {}) {
    await site.host.content.posts.insert({ type: 'post', status: 'publish', title: slug, slug, authorId: 1, ...fields })
    return `/${slug}/`
  }
  const imageAt = async (path: string) => {
    const head = await headAt(site, path)
    return ['og:image', 'og:image:width', 'og:image:height', 'og:image:type', 'og:image:alt'].map(
      (name) => head.meta(name)[0],
    )
  }

  it('a page without an image has that of the site, drawn where there is none', async () => {
    const path = await addPost('plain')
    expect(await imageAt(path)).to.deep.equal([`${site.url}/seo-image.png`, '1200', '630', 'image/png', undefined])
    const answer = await site.get('/seo-image.png')
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect([answer.status, format, width, height]).to.deep.equal([200, 'png', 1200, 630])
    await set(site, { socialImage: imageId })
    expect((await imageAt(path))[0]).to.match(/\/beach(?:-\d+x\d+)?\.png$/)
    await set(site, { socialImage: 0 })
    const logo = await addImage('logo.png', 300, 300)
    await site.host.content.updateSiteSettings({ siteLogo: logo })
    expect((await imageAt(path))[0]).to.match(/\/logo\.png$/)
  })

  it('the featured image comes first, in a size that suits', async () => {
    const path = await addPost('featured', {
      content: '<img src="/other.png">',
      meta: { _thumbnail_id: [String(imageId)] },
    })
    const [url, width, height, type, alt] = await imageAt(path)
    expect([type, alt]).to.deep.equal(['image/png', 'A beach'])
    expect(Number(width)).to.be.within(1200, 1600)
    expect(Number(width) / Number(height)).to.be.closeTo(2, 0.05)
    const found = await sharp(Buffer.from(await (await fetch(url ?? '')).arrayBuffer())).metadata()
    expect([String(found.width), String(found.height)]).to.deep.equal([width, height])
  })

  it('then the first one of the text that is no ornament', async () => {
    const content = `<img src="/smile.gif" width="16"><img src="data:image/gif;base64,R0"><img src="/a b.png?x=1&amp;y=2" alt="View">`
    expect((await imageAt(await addPost('in-text', { content }))).filter(Boolean)).to.deep.equal([
      `${site.url}/a%20b.png?x=1&y=2`,
      'View',
    ])
    const own = `<img class="alignleft wp-image-${imageId} size-large" src="/old.png">`
    expect((await imageAt(await addPost('own-image', { content: own })))[0]).to.match(/beach/)
  })

  it('images that are too small to be shown are passed over, unless a field asks for them', async () => {
    const icon = await addImage('icon.png', 199, 400)
    const small = await addPost('small', { meta: { _thumbnail_id: [String(icon)] } })
    expect((await imageAt(small))[0]).to.match(/logo/)
    const asked = await addPost('small-asked', { meta: { _seo_og_image: [String(icon)] } })
    expect((await imageAt(asked)).slice(0, 3).join()).to.match(/icon\.png,199,400$/)
  })

  it('the field takes an attachment or an address; what is neither an image nor there is passed over', async () => {
    expect((await imageAt(await addPost('by-id', { meta: { _seo_og_image: [String(imageId)] } })))[0]).to.match(/beach/)
    for (const wrong of ['999999', 'javascript:alert(1)', '//evil.example/a.png', '1'])
      expect((await imageAt(await addPost(`wrong-${wrong.length}`, { meta: { _seo_og_image: [wrong] } })))[0]).to.match(
        /logo/,
      )
  })

  it('posts are articles with times, author, section and tags; authors have profiles; all else is a website', async () => {
    const { content } = site.host
    const [category, tag] = [
      await content.terms.insert('category', { name: 'Sea & Sand' }),
      await content.terms.insert('post_tag', { name: 'sun' }),
    ]
    await content.posts.insert({
      ...{ type: 'post', status: 'publish', title: 'Sea', slug: 'sea', authorId: 1, dateGmt: '2026-01-02T03:04:05' },
      terms: { category: [category.id], post_tag: [tag.id] },
    })
    const head = await headAt(site, '/sea/')
    expect(head.meta('og:type')).to.deep.equal(['article'])
    expect(head.meta('article:published_time')).to.deep.equal(['2026-01-02T03:04:05Z'])
    expect(head.meta('article:section')).to.deep.equal(['Sea & Sand'])
    expect(head.meta('article:tag')).to.deep.equal(['sun'])
    expect((await headAt(site, head.meta('article:author')[0] ?? '')).meta('og:type')).to.deep.equal(['profile'])
    expect((await headAt(site, '/')).meta('og:type')).to.deep.equal(['website'])
  })

  it('names the language with a country, as Open Graph wants it', async () => {
    for (const [language, locale] of [
      ['de', 'de_DE'],
      ['de_AT', 'de_AT'],
      ['de_DE_formal', 'de_DE'],
      ['ja', 'ja_JP'],
    ] as const) {
      await site.host.content.updateSiteSettings({ language })
      expect((await headAt(site, '/')).meta('og:locale'), language).to.deep.equal([locale])
    }
    await site.host.content.updateSiteSettings({ language: 'en_US' })
  })

  it('either can be switched off; X then gets all that it needs from its own', async () => {
    await set(site, { openGraph: 'off', xAccount: '@pentad' })
    const head = await headAt(site, '/sea/')
    expect(head.names.filter((name) => name.startsWith('og:'))).to.deep.equal([])
    expect(head.meta('twitter:title')).to.deep.equal(head.titles)
    expect(head.meta('twitter:site')).to.deep.equal(['@pentad'])
    expect(head.meta('twitter:image')).to.have.length(1)
    await set(site, { openGraph: 'on', xCards: 'off' })
    expect((await headAt(site, '/sea/')).names.filter((name) => name.startsWith('twitter:'))).to.deep.equal([])
  })

  it('the home page proves whose the site is, by code or by the tag that the search engine gave', async () => {
    await set(site, {
      googleVerification: '<meta name="google-site-verification" content="abc-123_=" />',
      bingVerification: 'ABCDEF0123',
    })
    const home = await headAt(site, '/')
    expect(home.meta('google-site-verification')).to.deep.equal(['abc-123_='])
    expect(home.meta('msvalidate.01')).to.deep.equal(['ABCDEF0123'])
    expect(home.names).to.not.include('yandex-verification')
    expect((await headAt(site, '/sea/')).names).to.not.include('msvalidate.01')
  })

  for (const wrong of [
    { googleVerification: 'a b' },
    { googleVerification: '"><script>' },
    { xAccount: 'two words' },
    { socialImage: -1 },
    { titleSeparator: 'much too long for that' },
    { homeTitle: 'two\nlines' },
    { noindexTypes: ['No Such'] },
    { typeTitleTemplates: { 'a b': 'x' } },
  ])
    it(`refuses ${JSON.stringify(wrong)} among the settings`, async () => {
      const answer = await putSettings(site, wrong)
      expect([answer.status, Object.keys(JSON.parse(await answer.text()).data.params)]).to.deep.equal([
        400,
        Object.keys(wrong),
      ])
    })
})
