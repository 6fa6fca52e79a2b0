import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../../../cms/license/index.ts'
import { scoreOf } from '../../../plugins/pwa/score/score.ts'
import { settingsSchema } from '../../../plugins/pwa/settings.ts'
import { disc } from '../assets/icon-images.ts'
import { addImage, openPwaSite, set } from '../pwa-site.ts'

const { privateKey, publicKey } = generateLicenseKeyPair()

/** Everything off that counts. */
const NOTHING = {
  ...{ appIcon: 0, appName: '', shortName: '', categories: [] },
  ...{ installPrompts: 'off', installPromptKinds: [], offlineCache: 'off', backgroundSync: 'off', periodicSync: 'off' },
  ...{ offlineFallbackPage: '', pushPrompt: 'off', pushButton: 'off' },
}

/** What each of the equal shares of 25 points asks for. */
const SHARES = [
  { installPrompts: 'on' },
  { installPromptKinds: ['snackbar'] },
  { offlineCache: 'on' },
  { backgroundSync: 'on' },
  { periodicSync: 'on' },
  { offlineFallbackPage: '/offline/' },
  { pushButton: 'on' },
]
const shares = (count: number) => Object.assign({}, ...SHARES.slice(0, count))

const NAMES = { appName: 'My app', shortName: 'App', categories: ['news'] }

describe('GET /pwa/v1/pwa-score/fetch', () => {
  let site: TestHost
  const open = async (url: string) => {
    site = await openPwaSite({ config: { licensePublicKey: publicKey, url } })
    await set(site, NOTHING)
  }
  const fetchScore = async () => {
    const answer = await site.get('/wp-json/pwa/v1/pwa-score/fetch', { as: 'administrator' })
    const { status, data } = JSON.parse(await answer.text())
    expect({ http: answer.status, status }).to.deep.equal({ http: 200, status: 'success' })
    return data
  }
  const license = () => site.host.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))

  describe('of a site without https', () => {
    before(() => open('http://example.org'))
    after(() => site.close())
    beforeEach(() => set(site, NOTHING))

    it('is an administrator’s', async () => {
      expect((await site.get('/wp-json/pwa/v1/pwa-score/fetch')).status).to.equal(401)
      expect((await site.get('/wp-json/pwa/v1/pwa-score/fetch', { as: 'editor' })).status).to.equal(403)
    })

    for (const [settings, scorePercent, scoreResult] of [
      [{}, 0, 'Bad'],
      [shares(1), 3, 'Bad'],
      [shares(2), 7, 'Bad'],
      [shares(6), 21, 'Bad'],
      [{ appName: 'My app', ...shares(4) }, 24, 'Bad'],
      [shares(7), 25, 'Average'],
      [{ ...NAMES, ...shares(5) }, 47, 'Average'],
      [{ ...NAMES, ...shares(7) }, 55, 'Good'],
    ] as const)
      it(`has ${scorePercent} percent, ${scoreResult}, with ${Object.keys(settings).join(', ') || 'nothing'}`, async () => {
        await set(site, settings)
        expect(await fetchScore()).to.deep.equal({ scoreResult, scorePercent })
      })

    it('counts push prompt and push button once', async () => {
      await set(site, { pushPrompt: 'on' })
      expect((await fetchScore()).scorePercent).to.equal(3)
      await set(site, { pushButton: 'on' })
      expect((await fetchScore()).scorePercent).to.equal(3)
    })
  })

  for (const [url, isSecure] of [
    ['https://example.org', true],
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080', true],
    ['http://localhost.example.org', false],
    ['http://192.168.0.7', false],
  ] as const)
    it(`takes ${url} for ${isSecure ? 'secure' : 'not secure'}`, () => {
      const situation = { settings: settingsSchema.parse(NOTHING), url, hasAssets: false, hasAppIcon: false }
      expect(scoreOf(situation).scorePercent).to.equal(isSecure ? 25 : 0)
    })

  describe('of a site with https', () => {
    before(() => open('https://example.org'))
    after(() => site.close())

    it('is 49 and Average, then 50 and Good', async () => {
      await set(site, { ...NOTHING, appName: 'My app', ...shares(4) })
      expect(await fetchScore()).to.deep.equal({ scoreResult: 'Average', scorePercent: 49 })
      await set(site, { ...NOTHING, ...shares(7) })
      expect(await fetchScore()).to.deep.equal({ scoreResult: 'Good', scorePercent: 50 })
    })

    it('has no key actionItems without a license, and what is missing with one, at once', async () => {
      await set(site, { ...NOTHING, ...NAMES, ...shares(6) })
      expect(await fetchScore()).to.not.have.property('actionItems')
      await license()
      const { actionItems } = await fetchScore()
      expect(
        actionItems.map(({ id, weight, action }: Record<string, unknown>) => ({ id, weight, action })),
      ).to.deep.equal([
        { id: 'app-icon', weight: 10, action: { type: 'setting', target: 'appIcon' } },
        { id: 'assets', weight: 10, action: { type: 'setting', target: 'appIcon' } },
        { id: 'push', weight: 3.57, action: { type: 'setting', target: 'pushButton' } },
      ])
      for (const { title, description } of actionItems)
        expect(title && description)
          .to.be.a('string')
          .and.not.equal('')
      await site.host.license.remove()
      expect(await fetchScore()).to.not.have.property('actionItems')
    })

    it('is 100 and Excellent with all, and less again when the icon is deleted', async () => {
      const appIcon = await addImage(site, await disc(512).toBuffer())
      await set(site, { ...NAMES, ...shares(7), appIcon })
      expect(await fetchScore()).to.deep.equal({ scoreResult: 'Good', scorePercent: 90 })
      await site.request('/wp-json/pwa/v1/pwa-assets/save', { method: 'POST', as: 'administrator' })
      expect(await fetchScore()).to.deep.equal({ scoreResult: 'Excellent', scorePercent: 100 })
      await license()
      expect((await fetchScore()).actionItems).to.deep.equal([])
      await site.host.content.posts.delete(appIcon)
      expect((await fetchScore()).scorePercent).to.equal(90)
    })
  })
})
