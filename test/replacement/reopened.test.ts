import { expect } from 'chai'
import { beginReplacement } from '../../app/replacement/replacement.ts'
import { serve } from '../../app/serve.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('a site that is reopened after a replacement', () => {
  it('responds as soon as the site no longer listens, while it is still being closed', async () => {
    const siteDir = temporaryFolder()
    const parts = { runServices: false, passwordCost: CHEAPEST }
    const site = await serve({ siteDir, port: 0, logLevel: 'silent' }, parts)
    try {
      const first = site.host
      const responses: { status: number; code: unknown }[] = []
      first.hooks.addAction('shutdown', async () => {
        const response = await fetch(`${site.url}/wp-json/`)
        responses.push({ status: response.status, code: JSON.parse(await response.text()).code })
      })
      beginReplacement(siteDir, { id: 'nothing', moves: [] })
      await until(() => site.host !== first)
      expect(responses).to.deep.equal([{ status: 503, code: 'maintenance_mode' }])
      await until(async () => (await fetch(site.url).catch(() => undefined))?.status === 200)
    } finally {
      await site.close()
    }
  })
})
