import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'

// cspell:ignore hauptmenü

describe('What lists show of a post that core renders alone', () => {
  let host: TestHost
  let site: TestHost['host']
  let id: number
  before(async () => {
    host = await createTestHost()
    site = host.host
    const { posts } = site.content
    id = (
      await posts.insert({ status: 'publish', title: 'Plain', content: 'A plain text', date: '2026-01-05T08:00:00' })
    ).id
    await home()
  })
  after(() => host.close())
  const get = async (path: string) => (await host.request(path)).text()
  const home = () => get('/')
  /** How often the classes of a post are made. */
  async function made(work: () => Promise<unknown>): Promise<number> {
    const before = site.hooks.didFilter('post_class')
    await work()
    return site.hooks.didFilter('post_class') - before
  }

  /** The lowest number of several attempts: on a busy machine, a page may take longer than the data of pages is valid. */
  async function lowest(count: () => Promise<number>): Promise<number> {
    const counts: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) counts.push(await count())
    return Math.min(...counts)
  }

  it('is made once', async () => {
    const first = await home()
    expect(await lowest(() => made(async () => expect(await home()).to.equal(first)))).to.equal(0)
  })

  it('is made once for the page of the post too, which follows its content and callbacks', async () => {
    const { link } = site.content
    const post = await site.content.posts.insert({ status: 'publish', title: 'Whole', content: 'First', slug: 'whole' })
    const page = () => get(new URL(link(post)).pathname)
    const first = await page()
    expect(first).to.contain('<p>First</p>')
    expect(await lowest(() => made(async () => expect(await page()).to.equal(first)))).to.equal(0)
    await site.content.posts.update(post.id, { content: 'Second <img class="wp-image-3" src="/a.png">' })
    for (let time = 0; time < 2; time++) {
      const answer = await host.request('/whole/')
      expect(await answer.text())
        .to.contain('Second')
        .and.to.not.contain('First')
    }
    const undo = site.hooks.addFilter('the_content', (html) => `${html}<p>Added</p>`)
    expect(await page())
      .to.contain('<p>Added</p>')
      .and.to.contain('Whole')
    undo()
    expect(await page()).to.not.contain('Added')
    await site.content.posts.delete(post.id)
  })

  it('is made again when the post, the settings, or a callback changed', async () => {
    await site.content.posts.update(id, { title: 'Changed' })
    expect(await home())
      .to.contain('Changed')
      .and.to.contain('January 5, 2026')
    await site.options.update('site_settings', { ...site.content.siteSettings(), dateFormat: 'Y/m/d' })
    expect(await home()).to.contain('2026/01/05')
    const undo = [
      site.hooks.addFilter('post_class', (classes) => [...classes, 'marked']),
      site.hooks.addFilter('the_title', (title) => `${title} (new)`),
    ]
    for (let time = 0; time < 2; time++)
      expect(await home())
        .to.match(/hentry[^"]* marked/)
        .and.to.contain('Changed (new)')
    for (const remove of undo) remove()
    expect(await home())
      .to.not.contain('marked')
      .and.to.not.contain('(new)')
  })

  it('has the terms highlighted that each search looks for, and none in other lists', async () => {
    for (const words of ['plain', 'text', 'plain']) {
      expect(await get(`/?s=${words}`))
        .to.contain(`<mark>${words}</mark>`)
        .and.to.match(/^(?:(?!<mark>.*<mark>).)*$/s)
      expect(await home()).to.not.contain('<mark>')
    }
  })

  it('is made for each page if the post has a shortcode, whose result may be different', async () => {
    await site.content.posts.update(id, { content: 'See [gallery]' })
    for (let time = 0; time < 2; time++) expect(await made(home)).to.be.greaterThan(0)
  })
})

describe('How a menu names pages', () => {
  let host: TestHost
  let site: TestHost['host']
  before(async () => {
    host = await createTestHost()
    site = host.host
  })
  after(() => host.close())
  const menu = async () => {
    const [, list = ''] =
      /<nav[^>]*aria-label="(?:Primary|Hauptmenü)"[^>]*>(.*?)<\/nav>/s.exec(await (await host.request('/')).text()) ??
      []
    return list
  }

  it('is computed once, and again when a page, the settings, or a callback changed', async () => {
    const { id } = await site.content.posts.insert({
      type: 'page',
      status: 'publish',
      title: '"Visit" us',
      slug: 'visit',
    })
    expect(await menu())
      .to.contain('“Visit” us')
      .and.to.contain('href="/visit/"')
    /** How often titles are computed for a page. */
    const computed = async () => {
      const counts: number[] = []
      for (let attempt = 0; attempt < 5; attempt++) {
        const before = site.hooks.didFilter('run_wptexturize')
        await menu()
        counts.push(site.hooks.didFilter('run_wptexturize') - before)
      }
      // On a busy machine, a page may take longer than the data of pages is valid.
      return Math.min(...counts)
    }
    const perPage = await computed()
    await site.content.posts.insert({ type: 'page', status: 'publish', title: 'Another', slug: 'another' })
    expect(await menu()).to.contain('Another')
    expect(await computed()).to.equal(perPage)

    await site.content.posts.update(id, { title: 'Visit' })
    expect(await menu()).to.contain('>Visit<')
    const undo = [
      site.hooks.addFilter('the_title', (title) => `${title} (new)`),
      site.hooks.addFilter('page_link', (url) => `${url}?from=menu`),
    ]
    expect(await menu())
      .to.contain('>Visit (new)<')
      .and.to.contain('href="/visit/?from=menu"')
    for (const remove of undo) remove()
    expect(await menu())
      .to.contain('>Visit<')
      .and.to.contain('href="/visit/"')
    await site.content.posts.update(id, { title: '"Anna"' })
    await site.options.update('site_settings', { ...site.content.siteSettings(), language: 'de-DE' })
    expect(await menu()).to.contain('„Anna“')
  })
})
