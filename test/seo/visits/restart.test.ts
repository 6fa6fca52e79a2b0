import { expect } from 'chai'
import { temporaryFolder } from '../../support/site-folder.ts'
import { crawlersOf, GPTBOT, license, missingOn, openVisitedSite, referralsOf, visit } from './visit-site.ts'

describe('What was counted', () => {
  it('is there after a restart, also what was not written yet', async () => {
    const siteDir = temporaryFolder()
    const first = await openVisitedSite({ config: { siteDir } })
    await visit(first, '/gone/')
    await visit(first, '/gone/')
    await visit(first, '/', { as: GPTBOT })
    await visit(first, '/', { Referer: 'https://claude.ai/' })
    await first.host.close()
    const second = await openVisitedSite({ config: { siteDir } })
    try {
      await license(second)
      expect((await missingOn(second)).items[0]).to.include({ url: '/gone/', hits: 2 })
      expect((await crawlersOf(second)).total).to.equal(1)
      expect((await referralsOf(second)).total).to.equal(1)
    } finally {
      await second.close()
    }
  })

  it('is written by itself after a while', async () => {
    const site = await openVisitedSite({ now: '2026-11-20T12:00:00Z' })
    try {
      await visit(site, '/gone/')
      const rows = () =>
        site.host.database.db.withTables<{ seo_404s: object }>().selectFrom('seo_404s').selectAll().execute()
      expect(await rows()).to.have.length(0)
      await site.clock.advance(11_000)
      expect(await rows()).to.have.length(1)
    } finally {
      await site.close()
    }
  })
})
