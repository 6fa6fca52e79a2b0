import { expect } from 'chai'
import type { Post, PostQuery } from '../../cms/content/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type OpenContent, openContent } from './open-content.ts'

onEachDatabase('content.posts.query', (databaseUrl) => {
  let site: OpenContent
  const ids: Record<string, number> = {}
  const terms: Record<string, number> = {}

  before(async () => {
    site = await openContent(await databaseUrl())
    const { content } = site
    const term = async (taxonomy: string, name: string, parentId = 0) => {
      terms[name] = (await content.terms.insert(taxonomy, { name, parentId })).id
      return terms[name]
    }
    const travel = await term('category', 'Travel')
    const europe = await term('category', 'Europe', travel)
    const food = await term('category', 'Food')
    const fast = await term('post_tag', 'fast')
    const post = async (title: string, more: object) => {
      ids[title] = (await content.posts.insert({ title, status: 'publish', ...more })).id
    }
    await post('a', { date: '2026-01-01T00:00:00', authorId: 1, terms: { category: [travel] }, menuOrder: 3 })
    await post('b', {
      date: '2026-02-01T00:00:00',
      authorId: 2,
      terms: { category: [europe, food], post_tag: [fast] },
      sticky: true,
    })
    await post('c', {
      date: '2026-02-15T00:00:00',
      authorId: 1,
      terms: { category: [food], post_tag: [fast] },
      password: 'x',
    })
    await post('d', { date: '2026-03-01T00:00:00', authorId: 2, status: 'private' })
    await post('e', { date: '2026-03-02T00:00:00', authorId: 2, type: 'page' })
    await post('f', { date: '2026-03-03T00:00:00', authorId: 2, type: 'page', parentId: ids.e })
  })
  after(() => site.close())

  const titles = async (query: PostQuery) =>
    (await site.content.posts.query(query)).items.map(({ title }) => title).join('')
  const id = (title: string) => ids[title] ?? 0
  const term = (name: string) => terms[name] ?? 0

  it('answers published posts, newest first', async () => {
    expect(await titles({})).to.equal('cba')
  })

  it('counts without the limit', async () => {
    const { items, total } = await site.content.posts.query({ limit: 1, offset: 1 })
    expect([items.map(({ title }) => title), total]).to.deep.equal([['b'], 3])
    expect(await site.content.posts.query({ offset: 10 })).to.deep.equal({ items: [], total: 3 })
  })

  const cases: [what: string, query: () => PostQuery, titles: string][] = [
    ['types and statuses', () => ({ types: ['post', 'page'], statuses: ['publish', 'private'] }), 'fedcba'],
    ['authors', () => ({ authors: [1] }), 'ca'],
    ['other authors', () => ({ notAuthors: [1] }), 'b'],
    ['ids', () => ({ include: [id('a'), id('b'), 9999] }), 'ba'],
    ['other ids', () => ({ exclude: [id('b')] }), 'ca'],
    ['ids no row can have', () => ({ include: [2 ** 40, -1, 1.5] }), ''],
    ['slugs', () => ({ slugs: ['c', 'a', 'no'] }), 'ca'],
    ['parents', () => ({ types: ['page'], parents: [id('e')] }), 'f'],
    ['other parents', () => ({ types: ['page'], notParents: [id('e')] }), 'e'],
    ['menu order', () => ({ menuOrder: 3 }), 'a'],
    ['sticky', () => ({ sticky: true }), 'b'],
    ['not sticky', () => ({ sticky: false }), 'ca'],
    ['no password', () => ({ hasPassword: false }), 'ba'],
    [
      'after and before, in site time, without the moment itself',
      () => ({ after: '2026-01-01T00:00:00', before: '2026-02-15T00:00:00' }),
      'b',
    ],
    ['a term', () => ({ terms: { category: { ids: [term('Travel')] } } }), 'a'],
    [
      'a term with those below it',
      () => ({ terms: { category: { ids: [term('Travel')], withChildren: true } } }),
      'ba',
    ],
    ['any of the terms', () => ({ terms: { category: { ids: [term('Travel'), term('Food')] } } }), 'cba'],
    ['all of the terms', () => ({ terms: { category: { ids: [term('Europe'), term('Food')], all: true } } }), 'b'],
    [
      'terms of two taxonomies',
      () => ({ terms: { category: { ids: [term('Europe')] }, post_tag: { ids: [term('fast')] } } }),
      'b',
    ],
    ['not a term', () => ({ notTerms: { category: { ids: [term('Travel')], withChildren: true } } }), 'c'],
    [
      'empty lists as no condition',
      () => ({ include: [], slugs: [], authors: [], terms: { category: { ids: [] } } }),
      'cba',
    ],
    ['order by title', () => ({ orderBy: 'title', order: 'asc' }), 'abc'],
    ['order by id', () => ({ orderBy: 'id' }), 'cba'],
    ['order by author', () => ({ orderBy: 'author', order: 'asc' }), 'acb'],
    [
      'the order of ids asked for',
      () => ({ include: [id('b'), id('c'), id('a')], orderBy: 'include', order: 'asc' }),
      'bca',
    ],
    ['the order of slugs asked for', () => ({ slugs: ['c', 'a', 'b'], orderBy: 'include_slugs', order: 'asc' }), 'cab'],
    ['sticky posts first', () => ({ stickyFirst: true }), 'bca'],
    ['hostile strings', () => ({ slugs: ["'; drop table posts", '\0', '\ud800'], types: ['post'] }), ''],
  ]
  for (const [what, query, expected] of cases)
    it(`filters: ${what}`, async () => expect(await titles(query())).to.equal(expected))

  it('finds neighbors by date, and counts the posts of months, days and years', async () => {
    const post = await site.content.posts.get(id('b'))
    const { previous, next } = await site.content.posts.neighbors(post as Post)
    expect([previous?.title, next?.title]).to.deep.equal(['a', 'c'])
    // The former name, until 1.0.0. cspell:ignore neighbours
    expect(await site.content.posts.neighbours(post as Post)).to.deep.equal({ previous, next })
    expect(await site.content.posts.periods({ unit: 'month' })).to.deep.equal([
      { period: '2026-02', count: 2 },
      { period: '2026-01', count: 1 },
    ])
    expect(await site.content.posts.periods({ unit: 'year', before: '2026-02-01T00:00:00' })).to.deep.equal([
      { period: '2026', count: 1 },
    ])
    const days = await site.content.posts.periods({ unit: 'day', after: '2026-02-01T00:00:00' })
    expect(days.map(({ period }) => period.slice(0, 7))).to.deep.equal(['2026-02', '2026-02'])
  })

  it('keeps getMany in the order of the ids, each once', async () => {
    const found = await site.content.posts.getMany([id('c'), 9999, id('a'), id('c')])
    expect([...found.values()].map(({ title }) => title).join('')).to.equal('ca')
  })
})
