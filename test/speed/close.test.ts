import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('A site with the performance service that closes', () => {
  it('waits for a rendering whose client has disconnected, and writes nothing afterwards', async () => {
    const siteDir = join(temporaryFolder(), 'site')
    const site = await createTestHost({ services: true, config: { siteDir } })
    const begun = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    site.host.hooks.addFilter('page_html', async (html) => {
      begun.resolve()
      await rest.promise
      return html
    })
    const leaving = new AbortController()
    const visit = fetch(`${site.url}/hello-world/`, { signal: leaving.signal }).catch(() => undefined)
    await begun.promise
    leaving.abort()
    await visit
    setTimeout(() => rest.resolve(), 300)
    await site.close()
    await rm(siteDir, { recursive: true })
    await wait(600)
    expect(existsSync(siteDir)).to.equal(false)
  })

  it('leaves no half of an asset', async () => {
    const siteDir = join(temporaryFolder(), 'site')
    const site = await createTestHost({ services: true, config: { siteDir } })
    await Promise.all(['/', '/hello-world/', '/sample-page/'].map((path) => site.get(path)))
    await site.close()
    await rm(siteDir, { recursive: true })
    await wait(300)
    expect(existsSync(siteDir)).to.equal(false)
  })
})
