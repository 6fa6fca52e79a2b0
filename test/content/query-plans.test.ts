import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Post, PostQuery } from '../../cms/content/types.ts'
import { bumpVersion } from '../../cms/content/versions.ts'
import { statementsOf } from '../support/statements.ts'
import { type OpenSite, openSite } from './import/open-site.ts'
import { wxrFile, wxrItem } from './import/wxr-file.ts'

const POSTS = 10_000
const TERMS = 500
const TERMS_OF_A_POST = 5
const AT_ONCE = 500
/** Of each 50 posts, one is a page and one a draft. */
const ONE_IN = 50

const two = (number: number) => String(number).padStart(2, '0')

describe('the plans of queries on 10,000 posts with 50,000 relations to terms (SQLite)', () => {
  let site: OpenSite
  let reader: DatabaseSync
  let post: Post
  before(async () => {
    site = await openSite(undefined)
    const { db } = site.database
    const terms = Array.from({ length: TERMS }, (_, at) => ({
      ...{ taxonomy: at % 2 === 0 ? 'category' : 'post_tag', name: `t${at}`, slug: `t${at}`, description: '' },
      parent_id: 0,
    }))
    const termIds = (await db.insertInto('terms').values(terms).returning('id').execute()).map(({ id }) => id)
    for (let start = 0; start < POSTS; start += AT_ONCE) {
      const rows = Array.from({ length: AT_ONCE }, (_, at) => rowOf(start + at))
      const ids = (await db.insertInto('posts').values(rows).returning('id').execute()).map(({ id }) => id)
      const relations = ids.flatMap((id) =>
        Array.from({ length: TERMS_OF_A_POST }, (_, at) => ({
          ...{ post_id: id, term_id: termIds[(id * 7 + at * 101) % TERMS] ?? 0, term_order: 0 },
        })),
      )
      await db.insertInto('term_relationships').values(relations).execute()
      const meta = ids.flatMap((id) => [
        { post_id: id, meta_key: 'color', meta_value: '"red"' },
        { post_id: id, meta_key: 'size', meta_value: '3' },
      ])
      await db.insertInto('postmeta').values(meta).execute()
    }
    // Every other post has the word, every fourth in its title.
    await sql`insert into post_search(rowid, title, content)
      select id, case id % 4 when 0 then 'often' else '' end, 'often' from posts where id % 2 = 0`.execute(db)
    const [first] = (await site.content.posts.query({ limit: 1, offset: 100 })).items
    if (!first) throw new Error('there are no posts')
    post = first
    reader = new DatabaseSync(`${site.siteDir}/site.db`)
  })
  after(async () => {
    reader.close()
    await site.close()
  })

  function rowOf(at: number) {
    const date = `20${two(10 + (at % 16))}-${two(1 + (at % 12))}-${two(1 + (at % 28))} 00:00:${two(at % 60)}`
    return {
      ...{ type: at % ONE_IN === 0 ? 'page' : 'post', status: at % ONE_IN === 1 ? 'draft' : 'publish' },
      ...{ author_id: at % 7, parent_id: 0, menu_order: 0, guid: `http://a.example/?p=${at}` },
      ...{ slug: `s${at}`, path: `/s${at}/`, title: `Title ${at}`, content: 'text', excerpt: '', password: '' },
      ...{ comment_status: 'open', ping_status: 'open', template: '', mime_type: '' },
      ...{ date, date_gmt: date, modified: date, modified_gmt: date },
    }
  }

  const stepsOf = (statement: string) => {
    const plan = reader.prepare(`explain query plan ${statement}`).all()
    return plan.map(({ detail }) => String(detail)).join('\n')
  }

  /** The statements that are run meanwhile, each with the steps SQLite takes for it; without that for the version of content, which is one row. */
  async function plansOf(ask: () => Promise<unknown>): Promise<{ statement: string; steps: string }[]> {
    const statements = await statementsOf(ask)
    const others = statements.filter((statement) => !statement.includes('content_versions'))
    return others.map((statement) => ({ statement, steps: stepsOf(statement) }))
  }

  const { posts, terms, comments } = {
    posts: () => site.content.posts,
    terms: () => site.content.terms,
    comments: () => site.content.comments,
  }

  const orders = ['date', 'modified', 'id', 'title', 'slug', 'author', 'menu_order'] as const
  for (const orderBy of orders) {
    for (const order of ['asc', 'desc'] as const) {
      it(`read a page by ${orderBy} ${order} in the order of an index, and sort its ten rows only`, async () => {
        const [page, total] = await plansOf(() => posts().query({ orderBy, order }))
        const [shown = '', found = ''] = page?.steps.split(/LIST SUBQUERY \d+\n/) ?? []
        expect(shown).to.equal('SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)\n')
        expect(found).to.match(
          /^SEARCH posts USING COVERING INDEX posts_\w+ \(type=\? AND status=\?\)\nUSE TEMP B-TREE/,
        )
        expect(found.match(/TEMP B-TREE/g), 'of the rows shown').to.have.length(1)
        expect(total?.steps ?? '').to.not.match(/SCAN posts\b(?! USING)/)
      })
    }
  }

  it('read a page of several statuses from the beginning of each', async () => {
    const statuses = ['publish', 'draft', 'private']
    const [page] = await plansOf(() => posts().query({ statuses }))
    expect(page?.steps)
      .to.match(/posts_list \(type=\? AND status=\?\)/)
      .and.not.match(/SCAN posts\b/)
    const { items, total } = await posts().query({ statuses, limit: 5, offset: 3 })
    const all = await posts().query({ statuses, limit: POSTS })
    expect(total).to.equal(all.items.length)
    expect(total).to.be.greaterThan(POSTS - POSTS / ONE_IN - 1)
    expect(items.map(({ id }) => id)).to.deep.equal(all.items.slice(3, 8).map(({ id }) => id))
  })

  const filters: [what: string, query: PostQuery, index: RegExp][] = [
    ['a term', { terms: { category: { ids: [5] } } }, /term_relationships_term \(term_id=\?\)/],
    ['a term and those below', { terms: { category: { ids: [5], withChildren: true } } }, /term_relationships_term/],
    ['all of some terms', { terms: { category: { ids: [5, 7], all: true } } }, /term_relationships_term/],
    ['any term but one', { notTerms: { category: { ids: [5] } } }, /term_relationships_term/],
    ['a slug', { slugs: ['s7'] }, /posts_(by_)?slug \(.*slug=\?/],
    ['an author', { authors: [3] }, /posts_(by_)?author \(.*author_id=\?/],
    ['a month', { after: '2015-01-01T00:00:00', before: '2015-02-01T00:00:00' }, /posts_list \(.*date>\? AND date<\?/],
    ['what changed', { modifiedAfter: '2025-12-20T00:00:00' }, /posts_modified \(.*modified>\?/],
    ['a word', { search: 'title', orderBy: 'relevance' }, /VIRTUAL TABLE INDEX/],
  ]
  for (const [what, query, index] of filters) {
    it(`find the posts of ${what} by an index`, async () => {
      const plans = await plansOf(() => posts().query(query))
      expect(plans.map(({ steps }) => steps).join('\n'))
        .to.match(index)
        .and.not.match(/SCAN (posts|terms|term_relationships)\b(?! USING)/)
    })
  }

  // Terms that are on so many posts that a page is full, and the rest is counted.
  const category = { ids: Array.from({ length: 100 }, (_, at) => at + 2) }
  const tag = { ids: Array.from({ length: 100 }, (_, at) => at + 202) }
  const several: [what: string, query: PostQuery][] = [
    ['a category and a tag', { terms: { category, post_tag: tag } }],
    ['a category and a tag, by title', { terms: { category, post_tag: tag }, orderBy: 'title' }],
    [
      'one of two kinds of terms, and a field',
      { terms: { category, post_tag: tag }, termRelation: 'or', meta: { size: 3 } },
    ],
    ['all of some terms', { terms: { category: { ids: [5, 106], all: true } } }],
    ['terms below a category, and a tag', { terms: { category: { ...category, withChildren: true }, post_tag: tag } }],
    ['a tag in two statuses', { statuses: ['publish', 'draft'], terms: { category, post_tag: tag } }],
    ['a category and a field', { terms: { category }, meta: { color: 'red' } }],
    ['two fields', { meta: { color: 'red', size: 3 } }],
  ]
  for (const [what, query] of several) {
    it(`never try each of one with each of the other for ${what}`, async () => {
      const plans = await plansOf(() => posts().query({ ...query, limit: 1 }))
      // The same total is not counted twice.
      expect(plans.length).to.be.within(1, 2)
      for (const { statement, steps } of plans) {
        expect(steps, statement).to.not.match(/\bid=\? AND rowid=\?/)
      }
    })
  }

  const few: [what: string, query: PostQuery][] = [
    ['some ids', { include: [3, 4] }],
    ['some ids in their order', { include: [3, 4], orderBy: 'include' }],
    ['slugs', { types: ['post', 'page'], slugs: ['s7', 's8'], orderBy: 'slug' }],
    ['a parent', { types: ['page'], parents: [1], orderBy: 'menu_order' }],
    ['a search by date', { search: 'word', orderBy: 'date' }],
  ]
  for (const [what, query] of few) {
    it(`look at no other posts for ${what}`, async () => {
      const plans = await plansOf(() => posts().query(query))
      // A search by date asks the index of words first how many there are.
      for (const { statement, steps } of plans.filter(({ statement }) => /from "posts"/.test(statement))) {
        expect(steps, statement)
          .to.match(/^SEARCH posts/)
          .and.not.match(/posts USING .*INDEX \w+ \(type=\? AND status=\?\)/)
      }
    })
  }

  it('read a page of a common word in the order of an index', async () => {
    const common: PostQuery = { search: 'often', orderBy: 'date' }
    const [, page] = await plansOf(() => posts().query(common))
    const [shown = '', found = ''] = page?.steps.split(/LIST SUBQUERY \d+\n/) ?? []
    expect(shown).to.equal('SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)\n')
    expect(found).to.match(/^SEARCH posts USING COVERING INDEX posts_list \(type=\? AND status=\?\)/)
    const even = (await posts().query({ limit: POSTS })).items.map(({ id }) => id).filter((id) => id % 2 === 0)
    for (const offset of [0, 7]) {
      const { items, total } = await posts().query({ ...common, limit: 5, offset })
      expect(total).to.equal(even.length)
      expect(items.map(({ id }) => id)).to.deep.equal(even.slice(offset, offset + 5))
    }
  })

  it('read a page of the best matches of a common word in the order of the search index', async () => {
    const common: PostQuery = { search: 'often', orderBy: 'relevance', limit: 5 }
    const plans = await plansOf(() => posts().query({ ...common, offset: 30 }))
    const pages = plans.filter(({ statement }) => /order by "found"/.test(statement))
    expect(pages).to.have.length(1)
    expect(pages[0]?.steps).to.match(
      /^SCAN post_search VIRTUAL TABLE INDEX \S+\nSEARCH posts USING INTEGER PRIMARY KEY \(rowid=\?\)$/,
    )
  })

  it('show the posts with a common word in the title first, and the newest first', async () => {
    const ids = (await posts().query({ limit: POSTS, orderBy: 'id' })).items.map(({ id }) => id)
    const titles = ids.filter((id) => id % 4 === 0)
    const others = ids.filter((id) => id % 4 === 2)
    for (const order of ['desc', 'asc'] as const) {
      const expected = order === 'desc' ? [...titles, ...others] : [...others, ...titles]
      for (const offset of [0, 7, expected.length / 2 - 2, expected.length - 3]) {
        const asked: PostQuery = { search: 'often', orderBy: 'relevance', order, limit: 5, offset }
        const { items, total } = await posts().query(asked)
        expect(total).to.equal(expected.length)
        expect(items.map(({ id }) => id)).to.deep.equal(expected.slice(offset, offset + 5))
      }
    }
    const excluding = await posts().query({ search: 'often -often', orderBy: 'relevance' })
    expect(excluding).to.deep.equal({ items: [], total: 0 })
  })

  it('show the posts with a common word before those with longer words, and count both', async () => {
    const ids = (await posts().query({ limit: POSTS, orderBy: 'id' })).items.map(({ id }) => id)
    const longer = ids.filter((id) => id % 2 === 1).slice(0, 4)
    const { db } = site.database
    await sql`insert into post_search(rowid, title, content) values ${sql.join(
      longer.map((id) => sql`(${id}, 'oftener', '')`),
    )}`.execute(db)
    await bumpVersion(db, 'posts')
    const common = [0, 2].flatMap((rest) => ids.filter((id) => id % 4 === rest))
    const expected = [...common, ...longer]
    for (const offset of [0, common.length - 2, common.length + 1]) {
      const { items, total } = await posts().query({ search: 'often', orderBy: 'relevance', limit: 5, offset })
      expect(total).to.equal(expected.length)
      expect(items.map(({ id }) => id)).to.deep.equal(expected.slice(offset, offset + 5))
    }
    await sql`delete from post_search where rowid in (${sql.join(longer)})`.execute(db)
    await bumpVersion(db, 'posts')
  })

  it('count the matches of a common word in the index of words, without looking up each post', async () => {
    const rows = await site.database.db.selectFrom('posts').select(['id', 'type', 'status']).execute()
    const kinds: Pick<PostQuery, 'types' | 'statuses'>[] = [
      { types: ['post'], statuses: ['publish'] },
      { types: ['post', 'page'], statuses: ['publish'] },
      { types: ['page', 'post', 'attachment'], statuses: ['inherit', 'publish', 'draft'] },
      { types: ['post'], statuses: ['draft', 'publish'] },
    ]
    for (const { types = [], statuses = [] } of kinds) {
      const counts = await plansOf(async () => {
        const { total } = await posts().query({ types, statuses, search: 'often', orderBy: 'date', limit: 1 })
        const isFound = (row: (typeof rows)[0]) =>
          row.id % 2 === 0 && types.includes(row.type) && statuses.includes(row.status)
        expect(total).to.equal(rows.filter(isFound).length)
      })
      for (const { statement, steps } of counts.filter(({ statement }) => /^select \(select count/.test(statement)))
        expect(steps, statement).to.not.match(/SCAN posts\b(?! USING)|INTEGER PRIMARY KEY/)
      expect(counts.map(({ statement }) => statement).join('\n')).to.not.match(/^select count/m)
    }
  })

  it('weigh the newest posts of a common word only, in the order in which the index has them', async () => {
    const [, everywhere, titles, best, more] = await plansOf(() => posts().search('often', { limit: 3 }))
    for (const weighed of [everywhere, titles])
      expect(weighed?.steps).to.match(/^SCAN post_search VIRTUAL TABLE INDEX \S+$/)
    expect(best?.steps).to.equal('SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)')
    expect(more).to.equal(undefined)
    const found = await posts().search('often', { limit: 3 })
    expect(found.map(({ id }) => id % 2)).to.deep.equal([0, 0, 0])
    expect(found[0]?.id).to.be.greaterThan(POSTS - 2)
    // However many newer ones have it too that were not asked for.
    const old = await posts().search('often', {
      types: ['post', 'page'],
      statuses: ['publish', 'draft'],
      include: [100],
    })
    expect(old.map(({ id }) => id)).to.deep.equal([100])
  })

  it('look for replies among those to the comments, not among all comments', async () => {
    const [replies] = await plansOf(() => comments().withReplies([1, 2, 3]))
    expect(replies?.steps).to.match(/^SEARCH comments USING INDEX comments_parent \(parent_id=\?\)/)
  })

  it('count the comments of a post among them, not among all comments', async () => {
    const query = { posts: [post.id], statuses: ['approved'], types: ['comment'] }
    const [, count] = await plansOf(() => comments().query(query))
    expect(count?.statement).to.match(/^select count/)
    expect(count?.steps).to.equal('SEARCH comments USING INDEX comments_post (post_id=?)')
  })

  it('find the post before and after one from its place in the index', async () => {
    const plans = await plansOf(() => posts().neighbors(post))
    for (const [at, sign] of ['<', '>'].entries())
      expect(plans[at]?.steps).to.equal(`SEARCH posts USING INDEX posts_list (type=? AND status=? AND date${sign}?)`)
    const all = (await posts().query({ limit: POSTS })).items
    for (const at of [0, 1, 4000, all.length - 1]) {
      const [newer, here, older] = [all[at - 1], all[at], all[at + 1]]
      const found = here && (await posts().neighbors(here))
      expect([found?.previous?.id, found?.next?.id]).to.deep.equal([older?.id, newer?.id])
    }
  })

  it('look for a duplicate among the comments of the post, not among all comments', async () => {
    const comment = {
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'A', authorEmail: 'a@example.org', authorUrl: '' },
      ...{ authorAddress: '', userAgent: '', content: 'Comment', status: 'approved' as const, type: 'comment' },
      ...{ date: '', dateGmt: '' },
    }
    const plans = await plansOf(() => comments().insert(comment, { once: true }))
    const found = plans.filter(({ statement }) => /"author_email" = /.test(statement) && /^select/.test(statement))
    expect(found.map(({ steps }) => steps)).to.deep.equal(['SEARCH comments USING INDEX comments_post (post_id=?)'])
  })

  it('run no count query if only the posts are requested, such as without a search', async () => {
    const { items, total } = await posts().query({ limit: 3, offset: 2, noFoundRows: true })
    expect([items.length, total]).to.deep.equal([3, 5])
    const plans = await plansOf(() => site.content.search('', { user: null, limit: 3 }))
    expect(plans.map(({ statement }) => statement).join('\n')).to.not.match(/count\(/)
    for (const { steps } of plans) expect(steps).to.not.match(/SCAN posts\b(?! USING)/)
  })

  const cases: [what: string, ask: () => Promise<unknown>][] = [
    ['the home page', () => posts().query({ stickyFirst: true })],
    ['the home page of an editor', () => posts().query({ statuses: ['publish', 'private'], stickyFirst: true })],
    ['an archive', () => posts().query({ terms: { category: { ids: [1], withChildren: true } } })],
    [
      'an archive of an editor',
      () => posts().query({ statuses: ['publish', 'private'], terms: { tag: { ids: [1] } } }),
    ],
    ['an author', () => posts().query({ authors: [3] })],
    ['a month', () => posts().query({ after: '2026-01-01T00:00:00', before: '2026-02-01T00:00:00' })],
    ['a search', () => posts().query({ search: 'word', orderBy: 'relevance' })],
    ['a search by date', () => posts().query({ types: ['post', 'page'], search: 'word', orderBy: 'date' })],
    ['posts and pages', () => posts().query({ types: ['post', 'page'] })],
    ['what was changed last', () => posts().query({ orderBy: 'modified' })],
    ['children', () => posts().query({ types: ['page'], parents: [1], orderBy: 'menu_order' })],
    ['a slug', () => posts().query({ slugs: ['s1'] })],
    ['ids', () => posts().query({ include: [1, 2, 3] })],
    ['a path', () => posts().getByPath('/s1/')],
    ['a former path', () => posts().getByFormerPath('/2026/s1/')],
    ['the post before and after', () => posts().neighbors(post)],
    ['periods', () => posts().periods({ unit: 'month' })],
    [
      'days of a month',
      () => posts().periods({ unit: 'day', after: '2026-01-01T00:00:00', before: '2026-02-01T00:00:00' }),
    ],
    ['categories', () => terms().query({ taxonomy: 'category' })],
    ['a term', () => terms().query({ taxonomy: 'category', slugs: ['news'] })],
    ['the terms of posts', () => terms().ofPosts([1, 2, 3])],
    ['the last comments', () => comments().query({ statuses: ['approved'], ofPublishedPosts: true })],
    ['the comments of a post', () => comments().ofPost(5)],
  ]
  it('look for a page that is not found by the index of slugs, once for each type', async () => {
    const plans = await plansOf(() => posts().guess('/2026/s'))
    expect(plans).to.have.lengthOf(3)
    for (const { statement, steps } of plans) {
      expect(steps, statement).to.match(/^SEARCH posts USING /m)
      expect(steps, statement).to.not.contain('TEMP B-TREE')
    }
  })

  for (const [what, ask] of cases) {
    it(`read no table as a whole for ${what}, in a number of statements that does not grow`, async () => {
      const plans = await plansOf(ask)
      expect(plans.length).to.be.within(1, 2)
      for (const { statement, steps } of plans) {
        expect(steps, statement).to.not.match(/^SCAN (?:posts|terms|term_relationships|comments)\b(?! USING)/m)
        // Every row of a type, with its text, only to sort them.
        if (steps.includes('TEMP B-TREE'))
          expect(steps, statement).to.not.match(/^SEARCH posts USING INDEX \w+ \(type=\? AND status=\?\)$/m)
      }
    })
  }

  it('sort no more than the ten rows that the home page shows', async () => {
    const [homePage] = await plansOf(() => posts().query({ stickyFirst: true }))
    expect(homePage?.steps).to.match(/^SEARCH posts USING COVERING INDEX posts_sticky/m)
    expect(homePage?.steps.match(/TEMP B-TREE/g)).to.have.length(1)
  })

  it('find a post of an import again without looking at the others', async () => {
    const plans = await plansOf(() => site.import(wxrFile([wxrItem({ id: POSTS + 100 })])))
    const found = plans.filter(({ statement }) => /^select .*guid/.test(statement))
    expect(found.map(({ steps }) => steps)).to.deep.equal(['SEARCH posts USING INDEX posts_guid (type=? AND <expr>=?)'])
  })

  it('find what is due by an index', async () => {
    const due = await plansOf(() => posts().publishDue())
    const next = await plansOf(() => posts().nextDue())
    expect(due.map(({ steps }) => steps)).to.deep.equal([
      'SEARCH posts USING INDEX posts_due (status=? AND date_gmt<?)',
    ])
    expect(next.map(({ steps }) => steps)).to.deep.equal(['SEARCH posts USING INDEX posts_due (status=?)'])
  })

  it('insert a revision into few indexes', () => {
    const rows = reader.prepare("select name, sql from sqlite_master where tbl_name = 'posts' and type = 'index'").all()
    const indexes = rows.filter(({ sql }) => !/where type <> 'revision'$/.test(String(sql))).map(({ name }) => name)
    expect(indexes).to.have.members(['posts_slug', 'posts_parent', 'posts_author', 'posts_list'])
  })
})
