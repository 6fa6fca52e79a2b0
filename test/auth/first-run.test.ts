import { expect } from 'chai'
import { createFirstAdministrator } from '../../cms/accounts/index.ts'
import { loadConfig } from '../../core/config.ts'
import { onEachDatabase } from '../support/databases.ts'
import { createTestSite } from './site.ts'

onEachDatabase('the first administrator', (databaseUrl) => {
  it('is created once, even if two nodes start at the same time', async () => {
    const site = await createTestSite(await databaseUrl())
    try {
      const config = loadConfig({ adminUser: 'owner' }, {})
      const create = () => createFirstAdministrator(site.auth, config)
      const created = await Promise.all([create(), create()])
      expect(created.filter((administrator) => administrator !== undefined)).to.have.length(1)
      expect((await site.auth.users.query({})).total).to.equal(1)
    } finally {
      await site.close()
    }
  })
})
