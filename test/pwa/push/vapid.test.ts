import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import webPush from 'web-push'
import { changeSettings, startPushSite } from './push-site.ts'

describe('The key pair that identifies the site', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await startPushSite()
    await changeSettings(site, { pushButton: 'on' })
  })
  afterEach(() => site.close())

  const folder = () => join(site.host.config.siteDir, 'pwa')
  const state = () => site.host.extensions.list().find(({ id }) => id === 'pwa')?.state

  it('is created with the first page, readable only by its owner, and never served', async () => {
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
      expect(await (await site.get(path)).text(), path).not.to.contain(privateKey.$sealed)
  })

  it('is encrypted on disk; an unencrypted one is encrypted at the next start, with the same keys', async () => {
    const file = join(folder(), 'vapid.json')
    const plain = webPush.generateVAPIDKeys()
    await mkdir(folder(), { recursive: true })
    await writeFile(file, JSON.stringify(plain))
    // As a process leaves it that was killed before it renamed the new file.
    await writeFile(`${file}.0123456789abcdef.tmp`, '{"publicKey":')
    await site.reload('pwa')
    const stored = await readFile(file, 'utf8')
    expect(stored).to.contain(plain.publicKey).and.contain('$sealed').and.not.contain(plain.privateKey)
    expect(await (await site.get('/')).text()).to.contain(plain.publicKey)
    await site.reload('pwa')
    expect(await readFile(file, 'utf8'), 'it is written once').to.equal(stored)
  })

  it('of another site, whose key encrypted it, is not used and not replaced', async () => {
    await site.get('/')
    const file = join(folder(), 'vapid.json')
    const other = await startPushSite()
    await other.get('/')
    const foreign = await readFile(join(other.host.config.siteDir, 'pwa/vapid.json'), 'utf8')
    await other.close()
    await writeFile(file, foreign)
    await site.reload('pwa')
    expect(await (await site.get('/')).text()).not.to.contain('"push":')
    expect(await readFile(file, 'utf8')).to.equal(foreign)
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
