import { expect } from 'chai'
import { sql } from 'kysely'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

describe('The change log has a purge of all pages if the database fails while the affected pages are determined', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await createTestHost()
  })
  afterEach(() => site.close())

  const rename = (from: string, to: string) =>
    sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(site.host.database.db).then(() => {})
  const away = () => rename('terms', 'terms_away')
  const back = () => rename('terms_away', 'terms')

  async function newest(): Promise<string | undefined> {
    await site.host.hooks.doActionAsync('shutdown')
    return site.host.changes.newest()
  }

  async function expectPurgeAfter(before: string | undefined): Promise<void> {
    const { changes, hooks } = site.host
    await hooks.doActionAsync('shutdown')
    await until(async () => (await changes.read(before, 10))?.length !== 0)
    expect((await changes.read(before, 10))?.[0]).to.include({ scope: 'pages' })
  }

  it('after the change', async () => {
    const { hooks, content } = site.host
    const { id } = await content.posts.insert({ title: 'A trip', status: 'publish' })
    const before = await newest()
    hooks.addAction('wp_after_insert_post', away, 1)
    await content.posts.update(id, { title: 'Another trip' })
    await back()
    await expectPurgeAfter(before)
  })

  // A page that is requested between the purge and the change would be cached as it was.
  it('before a post is deleted: after its deletion', async () => {
    const { hooks, content } = site.host
    const { id } = await content.posts.insert({ title: 'A trip', status: 'publish' })
    let before: string | undefined
    hooks.addAction('delete_post', away, 1)
    hooks.addAction('delete_post', back, 20)
    const look = async () => {
      before = await newest()
    }
    hooks.addAction('deleted_post', look, 1)
    await content.posts.delete(id)
    await expectPurgeAfter(before)
  })

  it('before a term is changed or deleted: after that', async () => {
    const { hooks, content } = site.host
    const { id } = await content.terms.insert('category', { name: 'Trips' })
    let before: string | undefined
    for (const name of ['edit_terms', 'pre_delete_term'] as const) {
      hooks.addAction(name, away, 1)
      hooks.addAction(name, back, 20)
    }
    const look = async () => {
      before = await newest()
    }
    for (const name of ['edited_term', 'delete_term'] as const) hooks.addAction(name, look, 1)
    await content.terms.update(id, { name: 'Journeys' })
    await expectPurgeAfter(before)
    await content.terms.delete(id)
    await expectPurgeAfter(before)
  })
})
