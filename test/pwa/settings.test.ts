import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { disc } from './assets/icon-images.ts'
import { addImage, openPwaSite, putSettings } from './pwa-site.ts'

describe('PUT /pwa/v1/settings', () => {
  let site: TestHost
  before(async () => {
    site = await openPwaSite()
  })
  after(() => site.close())

  const stored = () => site.host.options.get('pwa_settings')

  async function expectRefused(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const before = stored()
    const answer = await putSettings(site, settings)
    const { code, data } = JSON.parse(await answer.text())
    expect({ status: answer.status, code }, JSON.stringify(settings)).to.deep.equal({
      status: 400,
      code: 'rest_invalid_param',
    })
    expect(Object.keys(data.params)).to.deep.equal(Object.keys(settings))
    expect(stored()).to.deep.equal(before)
  }

  it('is an administrator’s', async () => {
    const body = { settings: { appName: 'Mine' } }
    expect((await site.request('/wp-json/pwa/v1/settings', { method: 'PUT', body })).status).to.equal(401)
    expect((await site.request('/wp-json/pwa/v1/settings', { method: 'PUT', as: 'editor', body })).status).to.equal(403)
  })

  it('keeps what services.md shows: the strategy of the offline cache', async () => {
    expect((await putSettings(site, { offlineCacheStrategy: 'StaleWhileRevalidate' })).status).to.equal(200)
    expect(stored()).to.include({ offlineCacheStrategy: 'StaleWhileRevalidate' })
  })

  it('writes colors as browsers do in the manifest', async () => {
    expect((await putSettings(site, { themeColor: '#AbC', backgroundColor: '#FFEEDD' })).status).to.equal(200)
    expect(stored()).to.include({ themeColor: '#aabbcc', backgroundColor: '#ffeedd' })
  })

  it('encodes paths as browsers do', async () => {
    expect((await putSettings(site, { startPath: '/über uns/?a=ä' })).status).to.equal(200)
    expect(stored()).to.include({ startPath: '/%C3%BCber%20uns/?a=%C3%A4' })
  })

  for (const themeColor of ['red', 'rgb(1,2,3)', '#12345', '#12345678', '"><script>', '', 7])
    it(`refuses the color ${JSON.stringify(themeColor)}`, () => expectRefused({ themeColor }))

  for (const startPath of [
    '',
    'start',
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/a\nb',
    'javascript:alert(1)',
  ])
    it(`refuses the start page ${JSON.stringify(startPath)}`, () => expectRefused({ startPath }))

  for (const [key, value] of [
    ['displayMode', 'window'],
    ['orientation', 'up'],
    ['offlineCacheStrategy', 'networkfirst'],
    ['offlineCacheExpiration', 0],
    ['offlineFallbackPage', 'https://evil.example/'],
    ['installPromptKinds', ['billboard']],
    ['pushBatchSize', 0],
    ['pushBatchSize', 10_001],
    ['pushBatchSize', 'abc'],
    ['pushTimeToLiveSeconds', 2_419_201],
    ['pushSubject', 'mailto: me@example.org'],
    ['pushSubject', 'http://example.org/'],
    ['pushSubject', 'mailto:me@localhost'],
    ['pushSubject', 'https://localhost/'],
    ['shortcuts', [{ name: '', url: '/' }]],
    ['shortcuts', [{ name: 'Away', url: 'https://evil.example/' }]],
    ['protocolHandlers', [{ protocol: 'https', url: '/open/?u=%s' }]],
    ['protocolHandlers', [{ protocol: 'web+recipe', url: '/open/' }]],
    ['fileHandlers', [{ action: '/open/', accept: { 'text/plain': ['txt'] } }]],
    ['fileHandlers', [{ action: '/open/', accept: {} }]],
    ['relatedApplications', [{ platform: 'play' }]],
    ['relatedApplications', [{ platform: 'play', url: 'javascript:alert(1)' }]],
    ['iarcRatingId', 'eighteen'],
    ['countryHeader', 'cf ipcountry'],
    ['appName', 'two\nlines'],
  ] as const)
    it(`refuses ${key}: ${JSON.stringify(value)}`, () => expectRefused({ [key]: value }))

  it('rejects missing images, and attachments that are not images', async () => {
    const file = await addImage(site, Buffer.from('only text'), 'notes.txt')
    for (const id of [4711, file]) {
      await expectRefused({ appIcon: id })
      await expectRefused({ screenshots: [id] })
      await expectRefused({ shortcuts: [{ name: 'New', url: '/new/', icon: id }] })
    }
  })

  it('takes images that are there', async () => {
    const id = await addImage(site, await disc(512).toBuffer())
    const answer = await putSettings(site, { appIcon: id, screenshots: [id, { image: id, label: 'Home' }] })
    expect(answer.status).to.equal(200)
    expect(stored()).to.deep.include({
      appIcon: id,
      screenshots: [
        { image: id, label: '' },
        { image: id, label: 'Home' },
      ],
    })
  })

  it('fires actions before and after', async () => {
    const told: string[] = []
    const undo = [
      site.host.hooks.addAction('pwa_settings_update:before', ({ shortName }) => void told.push(`before ${shortName}`)),
      site.host.hooks.addAction('pwa_settings_update:after', ({ shortName }) => void told.push(`after ${shortName}`)),
    ]
    await putSettings(site, { shortName: 'Mine' })
    for (const remove of undo) remove()
    expect(told).to.deep.equal(['before Mine', 'after Mine'])
  })
})
