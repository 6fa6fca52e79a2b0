import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { startPushSite } from './push-site.ts'

describe('The key pair that identifies the site', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await startPushSite()
  })
  afterEach(() => site.close())

  const folder = () => join(site.host.config.siteDir, 'pwa')
  const state = () => site.host.extensions.list().find(({ id }) => id === 'pwa')?.state

  it('is made with the first page, readable by its owner alone, and served to nobody', async () => {
    await site.get('/')
    const { privateKey } = JSON.parse(await readFile(join(folder(), 'vapid.json'), 'utf8'))
    for (const path of [
      '/pwa/vapid.json',
      '/wp-content/pwa/vapid.json',
      '/wp-content/uploads/..%2f..%2fpwa/vapid.json',
      '/wp-content/uploads/%2e%2e/%2e%2e/pwa/vapid.json',
      '/wp-content/uploads/pwa/..%5c..%5c..%5cpwa%5cvapid.json',
      '/',
      '/wp-content/uploads/pwa/scripts/serviceworker.js',
    ])
      expect(await (await site.get(path)).text(), path).not.to.contain(privateKey)
  })

  it('is never replaced once it is damaged, and the site goes on without notifications', async () => {
    const damaged = '{"publicKey":"'
    await mkdir(folder(), { recursive: true })
    await writeFile(join(folder(), 'vapid.json'), damaged)
    await site.reload('pwa')
    for (let visit = 1; visit <= 7; visit++) {
      const page = await (await site.get('/')).text()
      expect(page).to.contain('id="pwa-settings"').and.not.to.contain('"push":')
    }
    // A paused plugin takes its worker along, and with it every subscription of who comes by.
    expect(state()).to.equal('active')
    expect(await readFile(join(folder(), 'vapid.json'), 'utf8')).to.equal(damaged)
  })
})
