import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Post } from '../../core/content/types.ts'
import { type OpenSite, openSite } from './import/open-site.ts'
import { wxrFile, wxrItem } from './import/wxr-file.ts'

const POSTS = 10_000
const DAY = { date: '2026-01-01 00:00:00', date_gmt: '2026-01-01 00:00:00' }

describe('the plans of the queries for lists (SQLite, 10,000 posts)', () => {
  let site: OpenSite
  let reader: DatabaseSync
  let post: Post | undefined
  let homePage = ''

  before(async function () {
    this.timeout(60_000)
    site = await openSite(undefined)
    const { db } = site.database
    const row = (at: number) => ({
      ...{ type: at % 50 === 0 ? 'page' : 'post', status: 'publish', author_id: at % 7, parent_id: 0, menu_order: 0 },
      ...{ slug: `s${at}`, path: `/s${at}/`, title: `t${at}`, content: '', excerpt: '', password: '' },
      ...{
        comment_status: 'open',
        ping_status: 'open',
        template: '',
        mime_type: '',
        guid: `http://a.example/?p=${at}`,
      },
      ...{ ...DAY, modified: DAY.date, modified_gmt: DAY.date },
    })
    for (let start = 0; start < POSTS; start += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => row(start + at))
      await db.insertInto('posts').values(rows).execute()
    }
    post = await site.content.posts.get(5)
    reader = new DatabaseSync(`${site.siteDir}/site.db`)
  })
  after(async () => {
    reader.close()
    await site.close()
  })

  /** The statements that are run meanwhile, each with the steps SQLite takes for it. */
  async function plansOf(ask: () => Promise<unknown>): Promise<{ statement: string; steps: string }[]> {
    const statements: string[] = []
    const { prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.prepare = function (statement, ...rest) {
      statements.push(statement)
      return prepare.call(this, statement, ...rest)
    }
    try {
      await ask()
    } finally {
      DatabaseSync.prototype.prepare = prepare
    }
    return statements.map((statement) => {
      const plan = reader.prepare(`explain query plan ${statement}`).all()
      return { statement, steps: plan.map(({ detail }) => String(detail)).join('\n') }
    })
  }

  const { posts, terms, comments } = {
    posts: () => site.content.posts,
    terms: () => site.content.terms,
    comments: () => site.content.comments,
  }
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
    ['the post before and after', () => posts().neighbours(post as Post)],
    ['months', () => posts().months()],
    ['categories', () => terms().query({ taxonomy: 'category' })],
    ['a term', () => terms().query({ taxonomy: 'category', slugs: ['news'] })],
    ['the terms of posts', () => terms().ofPosts([1, 2, 3])],
    ['the last comments', () => comments().query({ statuses: ['approved'], ofPublishedPosts: true })],
    ['the comments of a post', () => comments().ofPost(5)],
  ]
  for (const [what, ask] of cases) {
    it(`read no table as a whole for ${what}, in a number of statements that does not grow`, async () => {
      const plans = await plansOf(ask)
      if (what === 'the home page') homePage = plans[0]?.steps ?? ''
      expect(plans.length).to.be.within(1, 2)
      for (const { statement, steps } of plans) {
        expect(steps, statement).to.not.match(/^SCAN (?:posts|terms|term_relationships|comments)\b(?! USING)/m)
        // Every row of a type, with its text, only to sort them.
        if (steps.includes('TEMP B-TREE'))
          expect(steps, statement).to.not.match(/^SEARCH posts USING INDEX \w+ \(type=\? AND status=\?\)$/m)
      }
    })
  }

  it('find a post of an import again without looking at the others', async () => {
    const plans = await plansOf(() => site.import(wxrFile([wxrItem({ id: POSTS + 100 })])))
    const found = plans.filter(({ statement }) => /^select .*guid/.test(statement))
    expect(found.map(({ steps }) => steps)).to.deep.equal(['SEARCH posts USING INDEX posts_guid (type=? AND <expr>=?)'])
  })

  it('sort no more than the ten rows that the home page shows', () => {
    expect(homePage).to.match(/^SEARCH posts USING COVERING INDEX posts_sticky/m)
    expect(homePage.match(/TEMP B-TREE/g)).to.have.length(1)
  })
})
