/**
 * A site with all services and the page cache off, with `POSTS` posts (default 1,000), as many comments, a tenth as many tags and a
 * hundredth as many pages. `SITE_DIR` keeps the site for another run; `DATABASE_URL` uses PostgreSQL.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSite } from '../app/create-site.ts'
import type { Db } from '../cms/content/rows.ts'
import { createSearchIndex } from '../cms/content/search/index.ts'
import { randomsOf } from '../test/support/randoms.ts'

const { POSTS = '1000', SITE_DIR, DATABASE_URL } = process.env
const posts = Number(POSTS)
const CATEGORIES = 30
/** Rows per statement. */
const BATCH = 200
const COMMON = 'anchor bridge candle desert engine forest garden harbor island jungle kernel lantern'.split(' ')

const random = randomsOf('growth')
const pick = <Item>(list: readonly Item[], otherwise: Item): Item =>
  list[Math.floor(random() * list.length)] ?? otherwise

const siteDir = SITE_DIR ?? mkdtempSync(join(tmpdir(), 'pentad-bench-'))
if (SITE_DIR === undefined) process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(0))
const isFilled = existsSync(join(siteDir, 'filled'))

const host = await createSite({
  ...{ siteDir, port: 0, logLevel: 'error', environment: 'production', pageCache: 'off' },
  ...(DATABASE_URL && { databaseUrl: DATABASE_URL }),
})
const { database } = host
const search = createSearchIndex(database)
if (!isFilled) {
  await fillTerms()
  for (let at = 0; at < posts; at += BATCH) await database.db.transaction().execute((db) => fillBatch(db, at))
  if (SITE_DIR !== undefined) writeFileSync(join(siteDir, 'filled'), '')
}
// Services index existing posts in the background for minutes, which would be measured too.
setInterval(async () => {
  for (const { id } of await host.jobs.list()) await host.jobs.cancel(id)
}, 500)
const { password } = await host.auth.applicationPasswords.create(1, `growth ${Date.now()}`)
console.log(JSON.stringify({ url: await host.listen(), authorization: `Basic ${btoa(`admin:${password}`)}` }))

/** Terms 2 to 31 become categories, the following ones tags. */
async function fillTerms(): Promise<void> {
  const rows = Array.from({ length: CATEGORIES + posts / 10 }, (_, at) => {
    const taxonomy = at < CATEGORIES ? 'category' : 'post_tag'
    return { taxonomy, name: `${taxonomy} ${at}`, slug: `term-${at}`, description: '', parent_id: 0, count: 5 }
  })
  for (let at = 0; at < rows.length; at += BATCH)
    await database.db
      .insertInto('terms')
      .values(rows.slice(at, at + BATCH))
      .execute()
}

/** Every hundredth post is a page. Written directly, because saving 100,000 posts takes minutes. */
async function fillBatch(db: Db, from: number): Promise<void> {
  const values = Array.from({ length: Math.min(BATCH, posts - from) }, (_, offset) => postOf(from + offset))
  const rows = await db.insertInto('posts').values(values).returningAll().execute()
  for (const row of rows) await search.put(db, row, await search.entry(row))
  const related = rows.flatMap(({ id }) => {
    const categories = [2 + Math.floor(random() * CATEGORIES)]
    const tags = [0, 1, 2].map(() => 2 + CATEGORIES + Math.floor((random() * posts) / 10))
    return [...new Set([...categories, ...tags])].map((term_id) => ({ post_id: id, term_id, term_order: 0 }))
  })
  await db.insertInto('term_relationships').values(related).execute()
  const comments = rows.map(({ id }, at) => commentOf(id, from + at))
  await db.insertInto('comments').values(comments).execute()
}

function postOf(number: number) {
  const date = momentOf(number)
  const own = COMMON.filter(() => random() < 0.5)
  const words = Array.from({ length: 150 }, () =>
    random() < 0.9 ? pick(own, 'anchor') : `word${Math.floor(random() * posts)}q`,
  )
  const type = number % 100 === 0 ? 'page' : 'post'
  return {
    ...{ type, status: 'publish', author_id: 1, slug: `post-${number}`, path: `/post-${number}/` },
    ...{ title: `Post about the ${pick(own, 'anchor')}`, excerpt: '', password: '', template: '', mime_type: '' },
    ...{ content: `<p>${words.join(' ')} needle${number}q</p>`, parent_id: 0, menu_order: 0, guid: `growth-${number}` },
    ...{ comment_status: 'open', ping_status: 'open', comment_count: 1 },
    ...{ date, date_gmt: date, modified: date, modified_gmt: date },
  }
}

function commentOf(postId: number, number: number) {
  const date = momentOf(number + 1)
  return {
    ...{ post_id: postId, parent_id: 0, user_id: 0, author_name: `Reader ${number % 500}`, author_url: '' },
    ...{ author_email: `reader${number % 500}@example.org`, author_address: `192.0.2.${number % 250}`, user_agent: '' },
    ...{ content: `Comment ${number} about the ${pick(COMMON, 'anchor')}.`, type: 'comment', date, date_gmt: date },
    status: number % 50 === 7 ? 'hold' : number % 50 === 8 ? 'spam' : 'approved',
  }
}

/** An hour apart. */
function momentOf(number: number): string {
  return new Date(Date.UTC(2012, 0, 1) + number * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
