import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { temporaryFolder } from '../support/site-folder.ts'
import { startCachedSite } from './cached-site.ts'

describe('The service worker of a site that is being closed', () => {
  it('is not written any more', async () => {
    const config = { siteDir: temporaryFolder() }
    const site = await startCachedSite({ config })
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    site.host.hooks.addFilter('speed_serviceworker', async (source) => {
      begun.resolve()
      await held.promise
      return source
    })
    const answer = site.request('/wp-json/speed/v1/preload-cache', { method: 'POST', as: 'administrator' })
    await Promise.all([answer, begun.promise])
    await closeOutOfPatience(site)
    rmSync(join(config.siteDir, 'uploads'), { recursive: true, force: true })
    held.resolve()
    await wait(200)
    expect(existsSync(join(config.siteDir, 'uploads'))).to.equal(false)
  })
})

/** Closes a site whose work does not end; what the host waits for it passes at once. */
async function closeOutOfPatience(site: Pick<TestHost, 'close'>): Promise<void> {
  const { now } = performance
  const { clearTimeout } = globalThis
  let passed = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  const { clearTimeout: clearFake } = globalThis
  // The site stops timers that it has started in real time.
  globalThis.clearTimeout = (timer) => {
    clearFake(timer)
    clearTimeout(timer)
  }
  // What is left of the time comes from this clock.
  performance.now = () => now.call(performance) + passed
  try {
    let isClosed = false
    const closing = site.close().finally(() => {
      isClosed = true
    })
    while (!isClosed) {
      passed += 10
      mock.timers.tick(10)
      await turn()
    }
    await closing
  } finally {
    mock.timers.reset()
    performance.now = now
  }
}
