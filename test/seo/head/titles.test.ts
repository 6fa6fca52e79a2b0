import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { VARIABLES } from '../../../plugins/seo/head/variables.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { headAt } from './read-head.ts'

describe('Titles and descriptions', () => {
  let site: TestHost
  let postId: number
  let path: string

  before(async () => {
    site = await openSeoSite({ now: '2026-03-05T10:00:00Z' })
    const { content, auth } = site.host
    await content.updateSiteSettings({ title: 'Fish & Chips', description: 'Fried daily', postsPerPage: 1 })
    content.registerPostType({ name: 'book', label: 'Books', singularLabel: 'Book', hasArchive: true })
    content.registerTaxonomy({ name: 'genre', label: 'Genres', types: ['book'] })
    const ann = await auth.users.create({
      ...{ login: 'ann', displayName: 'Ann O’Dell', description: 'Writes <b>much</b>.', roles: ['author'] },
    })
    const travel = await content.terms.insert('category', { name: 'Travel', description: 'Far <i>away</i>.' })
    const food = await content.terms.insert('category', { name: 'Food' })
    const [one, two] = [
      await content.terms.insert('post_tag', { name: 'one' }),
      await content.terms.insert('post_tag', { name: 'two' }),
    ]
    const post = await content.posts.insert({
      ...{ type: 'post', status: 'publish', title: 'A <em>good</em> day', slug: 'good-day', authorId: ann.id },
      ...{ date: '2026-01-02T03:04:05', content: '<p>Once upon a time.</p>[gallery ids="1"]<p>The end.</p>' },
      terms: { category: [food.id, travel.id], post_tag: [one.id, two.id] },
    })
    postId = post.id
    path = post.path
    const above = await content.posts.insert({ type: 'page', status: 'publish', title: 'About', slug: 'about' })
    await content.posts.insert({
      ...{ type: 'page', status: 'publish', title: 'Team', slug: 'team' },
      parentId: above.id,
    })
    const genre = await content.terms.insert('genre', { name: 'Crime' })
    await content.posts.insert({
      ...{ type: 'book', status: 'publish', title: 'Murder', slug: 'murder', content: 'He did it.' },
      terms: { genre: [genre.id] },
    })
    await set(site, { noindexDates: 'off' })
  })
  after(() => site.close())

  const titleOf = async (of: string) => (await headAt(site, of)).titles[0]
  const descriptionOf = async (of: string) => (await headAt(site, of)).meta('description')[0]
  const write = (key: string, value: string) => site.host.content.meta.set('post', postId, key, value)

  /** What a variable is on a page. */
  async function valueAt(variable: string, of: string): Promise<string | undefined> {
    const text = `[${variable}]`
    const ofTypes = { postTitleTemplate: text, pageTitleTemplate: text, categoryTitleTemplate: text }
    await set(site, { ...ofTypes, searchTitleTemplate: text, homeTitle: text })
    return titleOf(of)
  }

  describe('without any settings', () => {
    const usual: Readonly<Record<string, string>> = {
      '/': 'Fish & Chips – Fried daily',
      '/page/2/': 'Fish & Chips – Fried daily – Page 2',
      '/good-day/': 'A good day – Fish & Chips',
      '/about/team/': 'Team – Fish & Chips',
      '/category/travel/': 'Travel – Fish & Chips',
      '/tag/one/': 'one – Fish & Chips',
      '/author/ann/': 'Ann O’Dell – Fish & Chips',
      '/2026/01/': 'January 2026 – Fish & Chips',
      '/book/murder/': 'Murder – Fish & Chips',
      '/book/': 'Books – Fish & Chips',
      '/genre/crime/': 'Crime – Fish & Chips',
      '/?s=day': 'Search results for “day” – Fish & Chips',
      '/nowhere/': 'Page not found – Fish & Chips',
    }
    for (const [of, title] of Object.entries(usual))
      it(`the title of ${of} is “${title}”`, async () => expect(await titleOf(of)).to.equal(title))

    const described: Readonly<Record<string, string>> = {
      '/': 'Fried daily',
      '/good-day/': 'Once upon a time. The end.',
      '/about/team/': 'Team – Fish & Chips',
      '/category/travel/': 'Far away.',
      '/category/food/': 'Food: A good day',
      '/author/ann/': 'Writes much.',
      '/2026/01/': 'January 2026: A good day',
      '/book/murder/': 'He did it.',
      '/book/': 'Books: Murder',
    }
    for (const [of, description] of Object.entries(described))
      it(`the description of ${of} is “${description}”`, async () =>
        expect(await descriptionOf(of)).to.equal(description))

    it('says nothing of a page that is not found', async () => {
      const head = await headAt(site, '/nowhere/')
      expect([head.status, head.meta('description'), head.meta('og:title')]).to.deep.equal([404, [], []])
    })

    it('a long text is cut between words, in languages without spaces too', async () => {
      const words = 'Wörter, '.repeat(60)
      const { path: long } = await site.host.content.posts.insert({
        type: 'post',
        status: 'publish',
        title: 'L',
        content: words,
      })
      expect(await descriptionOf(long))
        .to.match(/^(?:Wörter, )+Wörter…$/)
        .and.have.length.within(140, 160)
      const japanese = '東京の電車は時間通りに来る'.repeat(30)
      const { path: other } = await site.host.content.posts.insert({
        type: 'post',
        status: 'publish',
        title: 'J',
        content: japanese,
      })
      expect(await descriptionOf(other))
        .to.match(/^東京の電車.*…$/)
        .and.have.length.within(140, 160)
    })
  })

  describe('by template', () => {
    const templates: Readonly<Record<string, [page: string, template: string, title: string]>> = {
      homeTitle: ['/', '%tagline% %sep% %sitename%', 'Fried daily – Fish & Chips'],
      postTitleTemplate: ['/good-day/', '%title% in %category%', 'A good day in Food'],
      pageTitleTemplate: ['/about/team/', '%parent_title% %sep% %title%', 'About – Team'],
      categoryTitleTemplate: ['/category/travel/', 'All on %term_title%', 'All on Travel'],
      tagTitleTemplate: ['/tag/one/', '#%title%', '#one'],
      authorTitleTemplate: ['/author/ann/', 'By %author%', 'By Ann O’Dell'],
      dateTitleTemplate: ['/2026/01/', 'Archive %sep% %title%%sep%%date%', 'Archive – January 2026 – January 2026'],
      archiveTitleTemplate: ['/book/', 'Our %types%', 'Our Books'],
      searchTitleTemplate: ['/?s=day', '“%searchphrase%”', '“day”'],
      notFoundTitleTemplate: ['/nowhere/', 'Lost', 'Lost'],
    }
    for (const [setting, [page, template, title]] of Object.entries(templates))
      it(`${setting} is that of ${page}`, async () => {
        await set(site, { [setting]: template })
        expect(await titleOf(page)).to.equal(title)
      })

    it('types and taxonomies of extensions have theirs by name', async () => {
      await set(site, {
        typeTitleTemplates: { book: '%type%: %title%', genre: 'Genre %title%' },
        typeDescriptionTemplates: { book: 'Read %title%' },
      })
      expect(await titleOf('/book/murder/')).to.equal('Book: Murder')
      expect(await titleOf('/genre/crime/')).to.equal('Genre Crime')
      expect(await descriptionOf('/book/murder/')).to.equal('Read Murder')
    })

    it('a description made from the text has no URL that is embedded', async () => {
      const urls = ['https://www.youtube.com/watch?v=one&t=1', 'https://example.org/page']
      const content = `hello ${urls[1]} there\n\n${urls[0]}\n\n<p>https://vimeo.com/1</p>\n\nbye`
      const post = { status: 'publish', title: 'Video', slug: 'video', content, authorId: 1 } as const
      const { id } = await site.host.content.posts.insert(post)
      const head = await headAt(site, '/video/')
      const description = `hello ${urls[1]} there bye`
      expect(head.meta('description')).to.deep.equal([description])
      expect(head.meta('og:description')).to.deep.equal([description])
      expect(head.html).to.contain(`"description":"${description}"`)
      await site.host.content.posts.delete(id)
    })

    it('a description that turns out empty is made from the text', async () => {
      await set(site, { postDescriptionTemplate: '%keyword%' })
      expect(await descriptionOf(path)).to.equal('Once upon a time. The end.')
      await set(site, { postDescriptionTemplate: '%title%: %excerpt%' })
      expect(await descriptionOf(path)).to.equal('A good day: Once upon a time. The end.')
    })

    it('takes a separator of one’s own, and leaves it out where there is nothing to part', async () => {
      await set(site, {
        titleSeparator: '|',
        postTitleTemplate: '%sep% %title% %sep% %keyword% %sep% %sitename% %sep%',
      })
      expect(await titleOf(path)).to.equal('A good day | Fish & Chips')
      await set(site, { titleSeparator: '–' })
    })

    it('leaves alone what is no variable', async () => {
      await set(site, { postTitleTemplate: '100% %title% %unknown% %constructor% 50%off% %%title%%' })
      expect(await titleOf(path)).to.equal('100% A good day %unknown% %constructor% 50%off% %A good day%')
    })
  })

  describe('variables', () => {
    const values: Readonly<Record<string, [page: string, value: string]>> = {
      '%title%': ['/good-day/', 'A good day'],
      '%sitename%': ['/good-day/', 'Fish & Chips'],
      '%tagline%': ['/good-day/', 'Fried daily'],
      '%page%': ['/page/2/', 'Page 2'],
      '%pagenumber%': ['/page/2/', '2'],
      '%pagetotal%': ['/', '4'],
      '%excerpt%': ['/good-day/', 'Once upon a time. The end.'],
      '%category%': ['/good-day/', 'Food'],
      '%categories%': ['/good-day/', 'Food, Travel'],
      '%tags%': ['/good-day/', 'one, two'],
      '%author%': ['/good-day/', 'Ann O’Dell'],
      '%author_description%': ['/good-day/', 'Writes much.'],
      '%term_title%': ['/category/travel/', 'Travel'],
      '%term_description%': ['/category/travel/', 'Far away.'],
      '%parent_title%': ['/about/team/', 'About'],
      '%date%': ['/good-day/', 'January 2, 2026'],
      '%modified%': ['/good-day/', 'March 5, 2026'],
      '%currentdate%': ['/', 'March 5, 2026'],
      '%currentmonth%': ['/', 'March'],
      '%currentyear%': ['/', '2026'],
      '%searchphrase%': ['/?s=good+day', 'good day'],
      '%type%': ['/good-day/', 'Post'],
      '%types%': ['/good-day/', 'Posts'],
      '%keyword%': ['/good-day/', 'fish'],
    }
    before(() => write('_seo_focus_keyword', 'fish'))
    for (const [name, [page, value]] of Object.entries(values))
      it(`${name} of ${page} is “${value}”`, async () => expect(await valueAt(name, page)).to.equal(`[${value}]`))

    it('are all in the guide', () => {
      const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/seo.md'), 'utf8')
      for (const name of [...Object.keys(VARIABLES), 'sep']) expect(guide, name).to.contain(`\`%${name}%\``)
      expect(Object.keys(values).sort()).to.deep.equal(
        Object.keys(VARIABLES)
          .map((name) => `%${name}%`)
          .sort(),
      )
    })

    it('%category% is the primary one, if the post is in it', async () => {
      const travel = await site.host.content.terms.getBySlug('category', 'travel')
      await site.host.content.meta.set('post', postId, '_seo_primary_category', travel?.id ?? 0)
      expect(await valueAt('%category%', path)).to.equal('[Travel]')
      expect(await valueAt('%categories%', path)).to.equal('[Travel, Food]')
      await site.host.content.meta.set('post', postId, '_seo_primary_category', 999)
      expect(await valueAt('%category%', path)).to.equal('[Food]')
    })
  })

  describe('of one post or term', () => {
    it('take precedence over the templates and may contain variables', async () => {
      await write('_seo_title', 'Mine %sep% %sitename%')
      await write('_seo_description', 'By %author%.')
      expect(await titleOf(path)).to.equal('Mine – Fish & Chips')
      expect(await descriptionOf(path)).to.equal('By Ann O’Dell.')
      const travel = await site.host.content.terms.getBySlug('category', 'travel')
      await site.host.content.meta.set('term', travel?.id ?? 0, '_seo_title', 'Go to %title%')
      expect(await titleOf('/category/travel/')).to.equal('Go to Travel')
    })

    it('what a variable holds is not read as a template', async () => {
      const { path: odd } = await site.host.content.posts.insert({
        ...{ type: 'post', status: 'publish', title: '%sitename% %sep% $& $1', slug: 'odd' },
        meta: { _seo_title: ['%title%!'] },
      })
      expect(await titleOf(odd)).to.equal('%sitename% %sep% $& $1!')
    })
  })

  describe('filters', () => {
    it('seo_title and seo_description have the last word, and Open Graph says the same', async () => {
      const undo = [
        site.host.hooks.addFilter('seo_title', async (title, page) => `${title} (${page.kind})`),
        site.host.hooks.addFilter('seo_description', (text) => text.toUpperCase()),
      ]
      const head = await headAt(site, path)
      for (const one of undo) one()
      expect(head.titles).to.deep.equal(['Mine – Fish & Chips (single)'])
      expect(head.meta('og:title')).to.deep.equal(head.titles)
      expect(head.meta('description')).to.deep.equal(['BY ANN O’DELL.'])
      expect(head.meta('og:description')).to.deep.equal(['BY ANN O’DELL.'])
    })
  })
})
