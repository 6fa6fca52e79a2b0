import { expect } from 'chai'
import { sql } from 'kysely'
import type { PostSearch } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type OpenContent, openContent } from './open-content.ts'

onEachDatabase('full-text search', (databaseUrl) => {
  let site: OpenContent
  before(async () => {
    site = await openContent(await databaseUrl())
    const post = (title: string, content: string, more: object = {}) =>
      site.content.posts.insert({ title, content, status: 'publish', ...more })
    await post(
      'The night train',
      '<!-- wp:paragraph {"className":"hidden-name"} --><p>To <em>Tbi</em>lisi&nbsp;by&amp;by</p><!-- /wp:paragraph -->',
    )
    await post('Über die Brücke', 'Straße, naïve CAFÉ and Ærø', { excerpt: 'summarized' })
    await post('東京の電車', '京都へ行きました')
    await post('서울 여행', '한국어로 쓴 글')
    await post('Secret', 'treasure', { password: 'x' })
    await post('Espresso', 'eighteen grams')
    await post('Grams', 'espresso espresso')
    await post('Script', '<script>var concealed = 1</script><style>.concealed{}</style>H<sub>2</sub>O')
    await post('Привет', 'Ёлка и мир')
    await post('Plain', `HTML_entity, well-known:${'x'.repeat(70)}\nlast`)
    await post('Short words', `e.g._${'y'.repeat(64)} Don't\tstop`)
  })
  after(() => site.close())

  const find = async (search: string, orderBy?: 'relevance') =>
    (await site.content.posts.query({ search, orderBy, order: 'desc' })).items.map(({ title }) => title)

  const found: [search: string, titles: string[]][] = [
    ['night', ['The night train']],
    ['TRAIN night', ['The night train']],
    ['tbil', ['The night train']],
    ['tbilisi by', ['The night train']],
    ['bil', []],
    ['night bridge', []],
    ['"night train"', ['The night train']],
    ['"train night"', []],
    ['train -night', []],
    ['paragraph', []],
    ['hidden-name', []],
    ['uber', ['Über die Brücke']],
    ['brücke', ['Über die Brücke']],
    ['strase', ['Über die Brücke']],
    ['cafe', ['Über die Brücke']],
    ['summarized', ['Über die Brücke']],
    ['東京', ['東京の電車']],
    ['京', ['東京の電車']],
    ['電車', ['東京の電車']],
    ['京都へ行', ['東京の電車']],
    ['都京', []],
    ['여행', ['서울 여행']],
    ['한국', ['서울 여행']],
    ['treasure', []],
    ['secret', ['Secret']],
    ['concealed', []],
    ['h2o', ['Script']],
    ['елка', ['Привет']],
    ['entity', ['Plain']],
    ['html known', ['Plain']],
    ['"entity well known"', ['Plain']],
    ['x'.repeat(70), ['Plain']],
    ['last', ['Plain']],
    ['y'.repeat(64), ['Short words']],
    ['"don t stop"', ['Short words']],
    ['nothingatall', []],
  ]
  for (const [search, titles] of found)
    it(`${search} finds ${titles.join(', ') || 'nothing'}`, async () =>
      expect(await find(search)).to.deep.equal(titles))

  it('puts a word in the title before the same word in the text', async () => {
    expect((await find('espresso', 'relevance'))[0]).to.equal('Espresso')
    expect((await find('grams', 'relevance'))[0]).to.equal('Grams')
  })

  it('counts what it finds, and pages through it', async () => {
    const { items, total } = await site.content.posts.query({ search: 'espresso', limit: 1, offset: 1 })
    expect([items.length, total]).to.deep.equal([1, 2])
  })

  it('follows changes and deletions', async () => {
    const { id } = await site.content.posts.insert({ title: 'Fleeting', status: 'publish' })
    expect(await find('fleeting')).to.deep.equal(['Fleeting'])
    await site.content.posts.update(id, { title: 'Lasting' })
    expect([await find('fleeting'), await find('lasting')]).to.deep.equal([[], ['Lasting']])
    await site.content.posts.delete(id)
    expect(await find('lasting')).to.deep.equal([])
  })

  describe('posts.search', () => {
    const best = async (words: string, among?: PostSearch) =>
      (await site.content.posts.search(words, among)).map(({ title }) => title)

    it('answers the best posts first, no more than asked for', async () => {
      expect(await best('espresso')).to.deep.equal(['Espresso', 'Grams'])
      expect(await best('espresso', { limit: 1 })).to.deep.equal(['Espresso'])
      expect(await best('espresso', { types: ['page'] })).to.deep.equal([])
      expect(await best('train -night')).to.deep.equal([])
      expect(await best('')).to.deep.equal([])
      expect(await best('" %')).to.deep.equal([])
    })

    it('finds posts that have any of the words, for a question in a sentence', async () => {
      expect(await best('How much espresso do I need on a train to Tbilisi?')).to.deep.equal([])
      expect(await best('How much espresso do I need on a train to Tbilisi?', { match: 'any' })).to.have.members([
        'The night train',
        'Espresso',
        'Grams',
      ])
      expect(await best(`${'nowhere '.repeat(20)} treasure`, { match: 'any' })).to.deep.equal([])
    })

    it('still finds the title that says it where more than a thousand texts have the word', async () => {
      const { content, database } = site
      const { id } = await content.posts.insert({ title: 'Lanterns: a lantern', content: 'old', status: 'publish' })
      const text = 'The lantern of a bus'
      const [like] = (await content.posts.query({ include: [id] })).items
      await sql`insert into posts (type, status, author_id, slug, path, title, content, excerpt, password, template,
        mime_type, parent_id, menu_order, comment_status, ping_status, guid, date, date_gmt, modified, modified_gmt)
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1100)
        select 'post', 'publish', 0, 'filler-' || n, '', 'Filler', ${text}, '', '', '', '', 0, 0, 'open', 'open', '',
        ${like?.date ?? ''}, ${like?.date ?? ''}, ${like?.date ?? ''}, ${like?.date ?? ''} from numbers`.execute(
        database.db,
      )
      await (database.kind === 'sqlite'
        ? sql`insert into post_search(rowid, title, content)
              select id, 'filler', 'the lantern of a bus' from posts where title = 'Filler'`
        : sql`insert into post_search(post_id, words)
              select id, '''filler'':1A ''lantern'':2D ''bus'':5D'::tsvector from posts where title = 'Filler'`
      ).execute(database.db)
      const [first, second] = await content.posts.search('lantern', { limit: 2 })
      expect([first?.id, second?.title]).to.deep.equal([id, 'Filler'])
      // What so many have says nothing in a sentence, unless it is all there is.
      expect(await best('Lantern, Tbilisi', { match: 'any' })).to.deep.equal(['The night train'])
      expect(await best('lantern, bus?', { match: 'any', limit: 1 })).to.deep.equal(['Filler'])
    })
  })

  const hostile = [
    '"',
    '""',
    "'",
    "''",
    '\\',
    '*',
    '(',
    ')',
    'NEAR(a b)',
    'title:night',
    'a AND',
    'OR',
    'NOT',
    '^',
    '{a b}:c',
    '-',
    '--',
    '-"',
    "' | 'x",
    'a:*',
    '!',
    '&',
    '<->',
    '\0',
    'nig\0ht',
    '\ud800',
    '%',
    '_',
    ';drop table posts',
    'a'.repeat(10_000),
    '" '.repeat(5_000),
    '東'.repeat(10_000),
    '\u0301'.repeat(1000),
    '-a -b',
    '\u202e',
    '\ufdfa'.repeat(1000),
  ]
  for (const search of hostile)
    it(`never fails for ${JSON.stringify(search).slice(0, 30)}`, async () => {
      for (const orderBy of ['relevance', 'date', undefined] as const) {
        const { items, total } = await site.content.posts.query({ search, orderBy })
        expect(items.length).to.equal(Math.min(total, 10))
      }
      for (const match of ['all', 'any'] as const) await site.content.posts.search(search, { match })
    })

  it('indexes a text of any length', async () => {
    const words = Array.from({ length: 120_000 }, (_, at) => `w${at.toString(36)}`).join(' ')
    await site.content.posts.insert({ title: 'Endless', content: `beginning ${words}`, status: 'publish' })
    expect(await find('beginning')).to.deep.equal(['Endless'])
    await site.content.posts.insert({ title: 'Same', content: 'again '.repeat(100_000), status: 'publish' })
    expect(await find('again')).to.deep.equal(['Same'])
  })
})
