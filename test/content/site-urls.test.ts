import { join } from 'node:path'
import { expect } from 'chai'
import { createCurrentAddresses, noteSiteUrl } from '../../cms/content/site-urls.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, openRecordFile } from '../../core/options/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('the URLs that a site had', () => {
  const TRIED = 'http://127.0.0.1:8080'
  const NOW = 'https://example.org'
  let options: Awaited<ReturnType<typeof createOptions>>

  beforeEach(async () => {
    const storage = await openRecordFile(join(temporaryFolder(), 'options.json'))
    options = await createOptions({ storage, hooks: createHooks(), log: createLog('silent') })
  })
  afterEach(() => options.close())

  it('are found in content and brought to the one it has now', async () => {
    const current = createCurrentAddresses(options, NOW)
    await noteSiteUrl(options, TRIED)
    await noteSiteUrl(options, NOW)
    expect(current(`<img src="${TRIED}/wp-content/uploads/a.png"> ${TRIED} ${NOW}/b/`)).to.equal(
      `<img src="${NOW}/wp-content/uploads/a.png"> ${NOW} ${NOW}/b/`,
    )
  })

  it('leave the addresses of others alone', async () => {
    await noteSiteUrl(options, TRIED)
    const current = createCurrentAddresses(options, NOW)
    for (const other of ['http://127.0.0.1:80801/', 'http://127.0.0.1/', 'https://a.org/?u=127.0.0.1:8080']) {
      expect(current(other)).to.equal(other)
    }
  })

  it('are remembered once each, and not without end', async () => {
    for (let port = 1; port <= 30; port++) await noteSiteUrl(options, `http://127.0.0.1:${port}`)
    await noteSiteUrl(options, 'http://127.0.0.1:30')
    expect(options.get('site_urls')).to.have.length(20)
  })
})
