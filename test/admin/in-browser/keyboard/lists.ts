import { expect } from 'chai'
import { sql } from 'kysely'
import { until } from '../../../support/until.ts'
import type { Walk } from './keys.ts'

/** Comments, the trash, and orders. */
export function lists(walk: () => Walk): void {
  it('moderates comments, one by one and several at once', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const { comments, posts } = admin.site.host.content
    const [post] = (await posts.query({ types: ['post'], limit: 1 })).items
    for (const author of ['Ann', 'Ben', 'Cid', 'Dan']) {
      await comments.insert({
        ...{ postId: post?.id ?? 0, parentId: 0, userId: 0, authorName: author, authorEmail: '', authorUrl: '' },
        ...{ authorAddress: '10.0.0.7', userAgent: '', status: 'hold', type: 'comment', content: `By ${author}` },
        ...{ date: '2026-11-07T08:00:00', dateGmt: '2026-11-07T08:00:00' },
      })
    }
    await keys.open('/wp-admin/comments?status=hold')
    await page.getByText('By Ann').waitFor()
    await keys.press('Actions for the comment by Cid')
    await page.getByRole('menu').waitFor()
    await keys.look()
    await keys.to('Approve', 'ArrowDown')
    await keys.keys('Enter')
    await page.getByText('By Cid').waitFor({ state: 'detached' })
    await keys.arriveAt(/^Ben/)
    await keys.press('Select “Ben”', 'Space')
    await keys.press('Select “Ann”', 'Space')
    await keys.to('Approve', 'Shift+Tab')
    await keys.keys('Enter')
    await page.getByText('By Ann').waitFor({ state: 'detached' })
    await keys.arriveAt('Comments')
    await keys.press('Actions for the comment by Dan')
    await keys.to('Reply', 'ArrowDown')
    await keys.keys('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.look()
    await keys.keys('Escape')
    await keys.arriveAt('Actions for the comment by Dan')
  })

  it('restores posts from the trash, and deletes them permanently', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const { posts } = admin.site.host.content
    const ids: number[] = []
    for (const title of ['Salt', 'Bread', 'Butter']) ids.push((await posts.insert({ title, status: 'draft' })).id)
    await keys.open('/wp-admin/posts?status=draft')
    await page.getByRole('link', { name: 'Butter', exact: true }).waitFor()
    for (const [title, next] of [
      ['Butter', /^Bread/],
      ['Bread', /^Salt/],
    ] as const) {
      await keys.press(`Move “${title}” to the trash`)
      await page.getByRole('link', { name: title, exact: true }).waitFor({ state: 'detached' })
      await keys.arriveAt(next)
    }
    await keys.open('/wp-admin/posts?status=trash')
    await keys.press('Restore “Bread”')
    await page.getByText('“Bread” restored as a draft.').waitFor()
    await keys.arriveAt(/^Butter/)
    await keys.press('Delete “Butter” permanently')
    await page.getByRole('dialog').waitFor()
    await keys.look()
    await keys.press('Delete')
    await page.getByText('“Butter” deleted permanently.').waitFor()
    await keys.arriveAt('Posts')
    expect((await posts.get(ids[1] ?? 0))?.status).to.equal('draft')
    expect(await posts.get(ids[2] ?? 0)).to.equal(undefined)
  })

  it('cancels an order, and adds a note to it', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const details = {
      lines: [{ itemId: 1, name: 'Mug', sku: '', quantity: 2, price: 1290 }],
      total: 2580,
      currency: 'EUR',
    }
    await sql`insert into store_orders (placed_gmt, details, name, email, message)
      values ('2026-01-05 08:00:00', ${JSON.stringify(details)}, 'Ada', 'ada@example.org', '1 Analytical Way')`.execute(
      admin.site.host.database.db,
    )
    await keys.open('/wp-admin/extension/store/orders')
    await page.getByRole('row', { name: /Open Ada/ }).waitFor()
    await keys.press('Cancel order')
    await page.getByRole('dialog').waitFor()
    await keys.look()
    await keys.press('Cancel order')
    await page.getByRole('row', { name: /Canceled Ada/ }).waitFor()
    await until(async () => page.evaluate('document.activeElement !== document.body'))
    await keys.press(/^\d+$/)
    await page.getByRole('heading', { level: 1, name: /^Order \d+$/ }).waitFor()
    await keys.type('Note', 'Called.')
    await keys.press('Add note')
    await page.getByRole('row', { name: /Note .* Called\./ }).waitFor()
    await keys.arriveAt('Add note')
    await keys.to('Back to the list', 'Shift+Tab')
    await keys.keys('Enter')
    await page.getByRole('row', { name: /Canceled Ada/ }).waitFor()
  })
}
