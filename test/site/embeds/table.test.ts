import { expect } from 'chai'
import { type EmbedTableAccess, openEmbedTable } from '../../../cms/site/embeds/table.ts'
import { createDatabase, type Database } from '../../../core/database/index.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

const DAY = 24 * 3600_000

onEachDatabase('The cache of embeds', (databaseUrl) => {
  let database: Database
  let table: EmbedTableAccess
  before(async () => {
    database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: await databaseUrl() })
    table = await openEmbedTable(database)
  })
  after(() => database?.close())

  const embed = (key: string, expires = Date.now()) => ({
    ...{ key, url: 'https://videos.test/1', html: '<b>1</b>', expires: Math.floor(expires / 1000) * 1000 },
    answer: { type: 'rich', title: 'Üben', width: 500, tags: ['a', null] },
  })

  it('answers what was stored, and replaces it', async () => {
    const failed = { ...embed('failed'), answer: null, html: null }
    await table.put(failed)
    await table.put({ ...embed('known'), html: 'before' })
    await table.put(embed('known'))
    const found = await table.get(['known', 'failed', 'unknown'])
    expect(found.get('known')).to.deep.equal(embed('known', found.get('known')?.expires))
    expect(found.get('failed')).to.deep.equal(failed)
    expect(found.size).to.equal(2)
    expect(await table.get([])).to.have.property('size', 0)
  })

  it('stores characters that no database takes without them', async () => {
    await table.put({ ...embed('hostile'), html: 'a\0b\ud800', answer: { title: 'a\0b\ud800' } })
    const found = (await table.get(['hostile'])).get('hostile')
    expect(found?.html).to.equal('ab\ufffd')
    expect(JSON.stringify(found?.answer)).to.match(/^\{"title":"a.*b.*"\}$/)
  })

  it('removes what nothing has shown for 30 days, and failures that expired', async () => {
    await table.put(embed('old', Date.now() - 31 * DAY))
    await table.put(embed('recent', Date.now() - 29 * DAY))
    // It may be asked for again, so nothing is lost with it.
    await table.put({ ...embed('failed before', Date.now() - 60_000), answer: null, html: null })
    await table.put({ ...embed('failing', Date.now() + 60_000), answer: null, html: null })
    await table.prune()
    const left = await table.get(['old', 'recent', 'failed before', 'failing'])
    expect([...left.keys()].sort()).to.deep.equal(['failing', 'recent'])
  })
})
