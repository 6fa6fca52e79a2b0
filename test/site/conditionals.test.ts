import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, startCachedSite } from '../speed/cached-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** Writes into each answer which conditionals are true there, after work that lets other requests go on meanwhile. */
const EXTENSION = `import { defineExtension } from 'pentad'
import { setTimeout as wait } from 'node:timers/promises'

export default defineExtension({
  id: 'where', name: 'Where', version: '1.0.0',
  setup({ hooks, ...host }) {
    const names = Object.keys(host).filter((name) => /^is[A-Z4]/.test(name) && name !== 'isUserLoggedIn')
    const isTrue = () => names.filter((name) => host[name]())
    const where = () => ({ is: isTrue(), loop: host.inTheLoop(), id: host.getTheId(), queried: host.getQueriedObjectId(), path: host.getPage()?.path ?? null })
    let early = isTrue()
    hooks.addAction('init', () => { early = [...early, ...isTrue()] })
    hooks.addFilter('pre_get_posts', (query, page) => { page.addTags('query-' + isTrue().join('-')); return query })
    hooks.addFilter('the_content', async (html) => {
      await wait(Math.random() * 10)
      return html + '<code>' + JSON.stringify(where()) + '</code>'
    })
    hooks.addFilter('the_title', (title) => (host.isSingle('chosen') && host.inTheLoop() ? title + ' (chosen)' : title))
    hooks.addAction('wp_footer', async (output) => {
      await wait(Math.random() * 10)
      output.print('<!-- where ' + JSON.stringify(where()) + ' -->')
    })
    hooks.addFilter('robots_txt', (text) => text + isTrue())
    hooks.addFilter('rest_prepare_post', (data) => ({ ...data, where: where() }))
    hooks.addAction('template_redirect', (page) => {
      const asked = page.request.query.get('which')
      if (asked === null) return
      const answers = {
        single: [host.isSingle(page.post?.id), host.isSingle('chosen'), host.isSingle('Chosen'), host.isSingle('/chosen/'), host.isSingle(['a', 'chosen']), host.isSingle('other'), host.isSingle(-1)],
        singular: [host.isSingular('post'), host.isSingular(['page', 'post']), host.isSingular('page')],
        category: [host.isCategory('tea'), host.isCategory('Tea'), host.isCategory('coffee'), host.isTag('tea'), host.isTax()],
        page: [host.isPage('about'), host.isPage('About us'), host.isPage(['x', 'about']), host.isPage('chosen'), host.isSingle()],
        author: [host.isAuthor('writer'), host.isAuthor('The Writer'), host.isAuthor('reader')],
        tax: [host.isTax('genre'), host.isTax(['mood', 'genre'], 'crime'), host.isTax('mood'), host.isTax('genre', 'romance')],
        type: [host.isPostTypeArchive('book'), host.isPostTypeArchive(['book']), host.isPostTypeArchive('film')],
      }
      page.respond({ body: JSON.stringify(answers[asked]), headers: { 'Content-Type': 'application/json' } })
    })
    host.rest.registerRoute('where/v1', { method: 'GET', path: '/early', access: 'public', handler: () => early })
    host.content.registerTaxonomy({ name: 'genre', types: ['post'], label: 'Genres', public: true })
    host.content.registerPostType({ name: 'book', label: 'Books', public: true, hasArchive: true })
  },
})`

const shape = z.object({
  is: z.array(z.string()),
  loop: z.boolean(),
  id: z.int().nullable(),
  queried: z.int(),
  path: z.string().nullable(),
})

describe('Conditional functions', () => {
  let site: TestHost
  const ids: Record<string, number> = {}
  before(async () => {
    const folder = join(temporaryFolder(), 'where')
    await mkdir(folder)
    await writeFile(join(folder, 'index.ts'), EXTENSION)
    site = await startCachedSite({ extensions: [folder] })
    const { auth, content } = site.host
    const { id: authorId } = await auth.users.create({
      login: 'writer',
      email: 'w@example.org',
      displayName: 'The Writer',
      roles: ['author'],
    })
    const category = await content.terms.insert('category', { name: 'Tea' })
    const tag = await content.terms.insert('post_tag', { name: 'Green' })
    const genre = await content.terms.insert('genre', { name: 'Crime' })
    const common = { status: 'publish', authorId, content: 'Text.', date: '2026-03-05T10:00:00' } as const
    const terms = { category: [category.id], post_tag: [tag.id], genre: [genre.id] }
    ids.chosen = (await content.posts.insert({ ...common, title: 'Chosen', terms })).id
    ids.about = (await content.posts.insert({ ...common, type: 'page', title: 'About us', slug: 'about' })).id
    ids.book = (await content.posts.insert({ ...common, type: 'book', title: 'A book' })).id
    Object.assign(ids, { category: category.id, tag: tag.id, genre: genre.id, author: authorId })
  })
  after(() => site.close())

  const footer = (html: string) => shape.parse(JSON.parse(/<!-- where (.*?) -->/.exec(html)?.[1] ?? 'null'))

  const PAGES: Record<string, [is: string[], about?: string]> = {
    '/': [['isHome', 'isFrontPage']],
    '/chosen/': [['isSingular', 'isSingle'], 'chosen'],
    '/about/': [['isSingular', 'isPage'], 'about'],
    '/book/a-book/': [['isSingular', 'isSingle'], 'book'],
    '/category/tea/': [['isArchive', 'isCategory'], 'category'],
    '/tag/green/': [['isArchive', 'isTag'], 'tag'],
    '/genre/crime/': [['isArchive', 'isTax'], 'genre'],
    '/book/': [['isArchive', 'isPostTypeArchive']],
    '/author/writer/': [['isArchive', 'isAuthor'], 'author'],
    '/2026/': [['isArchive', 'isDate', 'isYear']],
    '/2026/03/': [['isArchive', 'isDate', 'isMonth']],
    '/2026/03/05/': [['isArchive', 'isDate', 'isDay']],
    '/?s=chosen': [['isSearch']],
    '/nothing-there/': [['is404']],
  }

  for (const [path, [is, about]] of Object.entries(PAGES)) {
    it(`tell what ${path} is`, async () => {
      const { body } = await ask(site, path)
      const told = footer(body.toString())
      expect(told.is).to.have.members(is)
      expect([told.loop, told.queried]).to.deep.equal([false, about === undefined ? 0 : ids[about]])
    })
  }

  it('return the right value for each of many concurrent requests', async () => {
    const paths = Array.from({ length: 6 }, () => Object.keys(PAGES)).flat()
    // A session goes past the cache, so that each is rendered.
    const cookie = 'pentad_session=none'
    const answers = await Promise.all(paths.map((path) => ask(site, path, { headers: { cookie } })))
    for (const [at, { body }] of answers.entries()) {
      expect(footer(body.toString()).is, paths[at]).to.have.members(PAGES[paths[at] ?? '']?.[0] ?? [])
    }
  })

  it('leave the page in the cache', async () => {
    await ask(site, '/chosen/')
    expect((await ask(site, '/chosen/')).headers['x-cache']).to.equal('HIT')
  })

  it('know the page before its posts are queried, as in WordPress’s pre_get_posts', async () => {
    const { headers } = await ask(site, '/category/tea/')
    expect(headers['surrogate-key']).to.contain('query-isArchive-isCategory')
  })

  it('know which post is in the loop, and that others are not', async () => {
    const { body } = await ask(site, '/chosen/')
    const inContent = shape.parse(JSON.parse(/<code>(.*?)<\/code>/.exec(body.toString())?.[1] ?? 'null'))
    expect(inContent).to.include({ loop: true, id: ids.chosen, path: '/chosen/' })
    expect(body.toString()).to.contain('Chosen (chosen)</h1>')
    expect(body.toString()).to.match(/<title>Chosen [^(]/)
  })

  it('describe a feed, and its page', async () => {
    const { body } = await ask(site, '/category/tea/feed/')
    const told = shape.parse(JSON.parse(/<code>(\{.*?\})<\/code>/.exec(body.toString())?.[1] ?? 'null'))
    expect(told.is).to.have.members(['isFeed', 'isArchive', 'isCategory'])
    expect(told).to.include({ loop: true, id: ids.chosen })
    const front = await ask(site, '/feed/')
    expect(front.body.toString()).to.contain('"is":["isFeed"]')
  })

  it('know robots.txt', async () => {
    expect((await ask(site, '/robots.txt')).body.toString()).to.match(/isRobots$/)
  })

  it('are false in REST, where no page is shown', async () => {
    const answer = await site.get(`/wp-json/wp/v2/posts/${ids.chosen}`)
    const body = z.object({ where: shape, content: z.object({ rendered: z.string() }) }).parse(await answer.json())
    expect(body.where).to.deep.equal({ is: [], loop: false, id: null, queried: 0, path: null })
    expect(body.content.rendered).to.contain('"is":[]')
  })

  it('are false before there is a page: in setup and init', async () => {
    expect(await (await site.get('/wp-json/where/v1/early')).json()).to.deep.equal([])
  })

  for (const [path, which, answers] of [
    ['/chosen/', 'single', [true, true, true, true, true, false, false]],
    ['/chosen/', 'singular', [true, true, false]],
    ['/category/tea/', 'category', [true, true, false, false, false]],
    ['/about/', 'page', [true, true, true, false, false]],
    ['/author/writer/', 'author', [true, true, false]],
    ['/genre/crime/', 'tax', [true, true, false, false]],
    ['/book/', 'type', [true, true, false]],
  ] as const) {
    it(`tell one ${which} from another, by id, slug or name`, async () => {
      const { body } = await ask(site, `${path}?which=${which}`)
      expect(JSON.parse(body.toString())).to.deep.equal(answers)
    })
  }
})
