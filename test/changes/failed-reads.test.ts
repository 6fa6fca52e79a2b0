import { expect } from 'chai'
import { sql } from 'kysely'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

describe('The change log', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await createTestHost()
  })
  afterEach(() => site.close())

  it('has a purge of all pages if the database fails while the affected pages are determined', async () => {
    const { hooks, changes, content, database } = site.host
    const { id } = await content.posts.insert({ title: 'A trip', status: 'publish' })
    await hooks.doActionAsync('shutdown')
    const before = await changes.newest()
    // Between the change and the reads about it.
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(database.db).then(() => {})
    hooks.addAction('wp_after_insert_post', () => rename('terms', 'terms_away'), 1)
    await content.posts.update(id, { title: 'Another trip' })
    await rename('terms_away', 'terms')
    await hooks.doActionAsync('shutdown')
    await until(async () => (await changes.read(before, 10))?.length !== 0)
    const [change] = (await changes.read(before, 10)) ?? []
    expect(change).to.include({ scope: 'pages' })
  })
})
