import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'

describe('rate limits with PostgreSQL', () => {
  let site: TestHost
  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    site = await createTestHost({
      extensions: [join(import.meta.dirname, '../../extensions/store')],
      config: { databaseUrl: await createPostgresDatabase() },
    })
  })
  after(() => site?.close())

  it('count orders, changes of carts, and emails sent again for all nodes', async () => {
    const send = (path: string, body: object) => site.request(`/wp-json/store/v1${path}`, { method: 'POST', body })
    await send('/cart/add', { id: 1 })
    await send('/orders', { name: 'Ada', email: 'ada@example.org', message: 'Street 1', total: 1 })
    await site.request('/wp-json/host/v1/mail/log/1/resend', { method: 'POST', as: 'administrator' })
    const counts = await site.host.database.db.selectFrom('rate_limits').select('key').execute()
    expect(counts.map(({ key }) => key.split(':')[0])).to.include.members([
      'store-carts',
      'store-orders',
      'mail-resend',
    ])
  })
})
