import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { type OpenContent, openContent } from './open-content.ts'

const POSTS = 4000

describe('the plans of queries on 4,000 posts (PostgreSQL)', () => {
  let site: OpenContent
  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    site = await openContent(await createPostgresDatabase())
    const { db } = site.database
    await sql`insert into posts (type, status, author_id, slug, title, content, excerpt, guid, date, date_gmt, modified, modified_gmt)
      select 'post', 'publish', 1, 's' || at, 'Title', 'text', '', 'g' || at, moment, moment, moment, moment
      from (select at, to_char(timestamp '2026-01-01' + at * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS') as moment
        from generate_series(1, ${sql.lit(POSTS)}) as at) as numbers`.execute(db)
    // Every other post has the word, every fourth in its title.
    await sql`insert into post_search (post_id, words)
      select id, case id % 4 when 0 then 'often:1A'::tsvector else 'often:1D'::tsvector end from posts where id % 2 = 0`.execute(
      db,
    )
    await sql`analyze posts`.execute(db)
    await sql`analyze post_search`.execute(db)
  })
  after(() => site?.close())

  /** The plans of the statements with that part that run meanwhile. */
  async function plansOf(part: string, work: () => Promise<unknown>): Promise<string[]> {
    const { query } = Client.prototype
    const asked: { text: string; values: unknown[] }[] = []
    Client.prototype.query = new Proxy(query, {
      apply(target, client, args: unknown[]) {
        const [text, values] = args
        if (typeof text === 'string' && Array.isArray(values)) asked.push({ text, values })
        return Reflect.apply(target, client, args)
      },
    })
    try {
      await work()
    } finally {
      Client.prototype.query = query
    }
    const client = new Client({ connectionString: site.config.databaseUrl })
    await client.connect()
    await client.query('begin')
    for (const { text } of asked.filter(({ text }) => text.startsWith('set local '))) await client.query(text)
    const plans: string[] = []
    for (const { text, values } of asked.filter(({ text }) => text.includes(part))) {
      const { rows } = await client.query(`explain ${text}`, values)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    await client.end()
    return plans
  }

  it('read a page of a search for a common word in the order of the index, rather than sort all matches', async () => {
    const plans = await plansOf('"found"."id"', () =>
      site.content.posts.query({ search: 'often', limit: 10, noFoundRows: true }),
    )
    expect(plans).to.have.lengthOf(1)
    for (const plan of plans) expect(plan).not.to.include('Sort')
  })

  it('find the title matches first, each group newest first', async () => {
    const { items, total } = await site.content.posts.query({ search: 'often', limit: 4, offset: POSTS / 4 - 2 })
    const ids = items.map(({ id }) => id)
    expect(ids.map((id) => id % 4)).to.deep.equal([0, 0, 2, 2])
    expect(ids).to.deep.equal([...ids].sort((one, other) => (one % 4) - (other % 4) || other - one))
    expect(total).to.equal(POSTS / 2)
  })

  it('count the matches of a common word with the index of words, rather than compare the words of each post', async () => {
    const { db } = site.database
    // A hundred words in each post, as in texts.
    await sql`update post_search set words = words
      || case post_id % 4 when 0 then 'common:2D'::tsvector else 'other:2D'::tsvector end || array_to_tsvector(
      (select array_agg('word' || (post_id * 7 + at) % 5000) from generate_series(1, 100) as at))`.execute(db)
    await sql`update posts set status = 'draft' where id % 100 = 0`.execute(db)
    await sql`vacuum analyze posts`.execute(db)
    await sql`vacuum analyze post_search`.execute(db)
    const plans = await plansOf('count(*) as "total"', async () => {
      const { total } = await site.content.posts.query({ search: 'common', limit: 1 })
      expect(total).to.equal(POSTS / 4 - POSTS / 100)
      const { total: open } = await site.content.posts.query({ search: 'common', limit: 1, hasPassword: false })
      expect(open).to.equal(POSTS / 4 - POSTS / 100)
    })
    expect(plans).to.have.lengthOf(2)
    for (const plan of plans)
      expect(plan).to.include('Bitmap Index Scan on post_search_words').and.not.to.include('Seq Scan')
  })
})
