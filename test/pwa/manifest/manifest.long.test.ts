import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type {} from '../../../plugins/pwa/hooks.ts'
import { disc, halves } from '../assets/icon-images.ts'
import { addImage, openPwaSite, set } from '../pwa-site.ts'

describe('The web app manifest', () => {
  let site: TestHost
  before(async () => {
    site = await openPwaSite()
  })
  after(() => site.close())

  const fetchManifest = async () => JSON.parse(await (await site.get('/manifest.webmanifest')).text())
  const titled = (title: string) => site.host.content.updateSiteSettings({ title })

  it('is served with its own type, and again only when it has changed', async () => {
    const first = await site.get('/manifest.webmanifest')
    expect(first.status).to.equal(200)
    expect(first.headers.get('content-type')).to.equal('application/manifest+json')
    const etag = first.headers.get('etag') ?? ''
    const ask = () => site.get('/manifest.webmanifest', { headers: { 'If-None-Match': `"other", W/${etag}` } })
    expect((await ask()).status).to.equal(304)
    await set(site, { description: 'Something else' })
    expect((await ask()).status).to.equal(200)
  })

  it('is the same for visitors and users', async () => {
    const visitor = await (await site.get('/manifest.webmanifest')).text()
    expect(await (await site.get('/manifest.webmanifest', { as: 'administrator' })).text()).to.equal(visitor)
  })

  it('describes a site without settings', async () => {
    const fresh = await openPwaSite()
    const { name, short_name, ...rest } = JSON.parse(await (await fresh.get('/manifest.webmanifest')).text())
    expect(name).to.equal(fresh.host.content.siteSettings().title)
    expect(short_name.length).to.be.within(1, 12)
    expect(rest).to.include({ id: '/', start_url: '/', scope: '/', display: 'standalone', lang: 'en-US', dir: 'ltr' })
    await fresh.close()
  })

  it('has everything that is set', async () => {
    const [icon, wide, narrow] = [
      await addImage(site, await disc(512).toBuffer()),
      await addImage(site, await halves(800, 450).png().toBuffer()),
      await addImage(site, await halves(450, 800).png().toBuffer()),
    ]
    await set(site, {
      ...{ appName: 'My application', shortName: 'App', description: 'Does it', appIcon: icon, appId: '/?app' },
      ...{ themeColor: '#123456', backgroundColor: '#654321', startPath: '/start/?utm_source=app' },
      ...{ displayMode: 'minimal-ui', displayOverride: ['window-controls-overlay'], orientation: 'landscape' },
      ...{ categories: ['News'], screenshots: [wide, { image: narrow, label: 'Narrow' }] },
      shortcuts: [
        { name: 'New', shortName: 'N', description: 'Writes', url: '/new/', icon },
        { name: 'Old', url: '/old/' },
      ],
      ...{ launchMode: 'navigate-existing', handleLinks: 'preferred', shareTargetPath: '/share/' },
      protocolHandlers: [{ protocol: 'web+recipe', url: '/open/?what=%s' }],
      fileHandlers: [{ action: '/file/', accept: { 'text/csv': ['.csv'] } }],
      relatedApplications: [{ platform: 'play', id: 'org.example.app' }],
      preferRelatedApplications: 'on',
      iarcRatingId: 'e84b072d-71b3-4d3e-86ae-31a8ce4e53b7',
      edgeSidePanelWidth: 480,
    })
    const { icons, screenshots, shortcuts, ...rest } = await fetchManifest()
    expect(rest).to.deep.equal({
      ...{ id: '/?app', name: 'My application', short_name: 'App', description: 'Does it', lang: 'en-US', dir: 'ltr' },
      ...{ start_url: '/start/?utm_source=app', scope: '/', display: 'minimal-ui', orientation: 'landscape' },
      ...{ display_override: ['window-controls-overlay'], theme_color: '#123456', background_color: '#654321' },
      ...{ categories: ['news'], launch_handler: { client_mode: 'navigate-existing' }, handle_links: 'preferred' },
      share_target: {
        ...{ action: '/share/', method: 'GET', enctype: 'application/x-www-form-urlencoded' },
        params: { title: 'title', text: 'text', url: 'url' },
      },
      protocol_handlers: [{ protocol: 'web+recipe', url: '/open/?what=%s' }],
      file_handlers: [{ action: '/file/', accept: { 'text/csv': ['.csv'] } }],
      related_applications: [{ platform: 'play', id: 'org.example.app' }],
      ...{ prefer_related_applications: true, iarc_rating_id: 'e84b072d-71b3-4d3e-86ae-31a8ce4e53b7' },
      edge_side_panel: { preferred_width: 480 },
    })
    const image = { sizes: '512x512', type: 'image/png' }
    expect(icons.map(({ src, ...others }: { src: string }) => others)).to.deep.equal([{ ...image, purpose: 'any' }])
    expect(screenshots.map(({ src, ...others }: { src: string }) => others)).to.deep.equal([
      { sizes: '800x450', type: 'image/png', form_factor: 'wide' },
      { sizes: '450x800', type: 'image/png', form_factor: 'narrow', label: 'Narrow' },
    ])
    expect(shortcuts).to.deep.equal([
      { name: 'New', short_name: 'N', description: 'Writes', url: '/new/', icons: [{ src: icons[0].src, ...image }] },
      { name: 'Old', url: '/old/' },
    ])
    for (const { src } of [...icons, ...screenshots]) expect((await site.get(src)).status).to.equal(200)

    await site.host.content.posts.delete(narrow)
    expect((await fetchManifest()).screenshots, 'one was deleted').to.have.length(1)
  })

  describe('names the app', () => {
    before(() => set(site, { appName: '', shortName: '' }))

    for (const [title, name, shortName] of [
      ['My "quoted" & <b>bold</b> site', 'My "quoted" & <b>bold</b> site', 'My "quoted"'],
      ["It's a \\ backslash", "It's a \\ backslash", "It's a \\"],
      ['👩‍👩‍👧‍👦'.repeat(13), '👩‍👩‍👧‍👦'.repeat(13), '👩‍👩‍👧‍👦'.repeat(12)],
      ['موقع الأخبار اليومية', 'موقع الأخبار اليومية', 'موقع الأخبار'],
      ['Supercalifragilistic', 'Supercalifragilistic', 'Supercalifra'],
      ['x'.repeat(500), 'x'.repeat(200), 'x'.repeat(12)],
      ['', '127.0.0.1', '127.0.0.1'],
    ] as const)
      it(`${JSON.stringify(title.slice(0, 40))}`, async () => {
        await titled(title)
        const manifest = await fetchManifest()
        expect({ name: manifest.name, shortName: manifest.short_name }).to.deep.equal({ name, shortName })
      })

    it('from right to left where the site’s language is written so', async () => {
      await site.host.content.updateSiteSettings({ language: 'ar' })
      expect(await fetchManifest()).to.include({ lang: 'ar', dir: 'rtl' })
      await site.host.content.updateSiteSettings({ language: 'en_US' })
    })
  })

  describe('goes through the filter pwa_manifest', () => {
    it('which adds members', async () => {
      const undo = site.host.hooks.addFilter('pwa_manifest', (manifest) => ({ ...manifest, note: 'added' }))
      expect((await fetchManifest()).note).to.equal('added')
      undo()
      expect(await fetchManifest()).to.not.have.property('note')
    })

    it('and stays as it was where a callback throws or answers no manifest', async () => {
      const plain = await fetchManifest()
      const bad: string = 'pwa_manifest'
      const cyclic: Record<string, unknown> = {}
      cyclic.itself = cyclic
      for (const answer of ['text', null, [1], cyclic, { big: 1n }]) {
        const undo = site.host.hooks.addFilter(bad, () => answer)
        expect(await fetchManifest()).to.deep.equal(plain)
        undo()
      }
    })
  })

  describe('is named in the head of every page', () => {
    const head = async (path: string, as?: string) => {
      const html = await (await site.get(path, as === undefined ? {} : { as })).text()
      return html.slice(0, html.indexOf('</head>'))
    }

    it('with the theme color and tags for iOS', async () => {
      await set(site, {
        appName: 'My "app"',
        shortName: '"><script>',
        themeColor: '#123456',
        displayMode: 'standalone',
      })
      for (const path of ['/', '/hello-world/', '/?s=nothing', '/not-there/']) {
        const html = await head(path)
        expect(html, path).to.include('<link rel="manifest" href="/manifest.webmanifest">')
        expect(html).to.include('<meta name="theme-color" content="#123456">')
        expect(html).to.include('<meta name="apple-mobile-web-app-title" content="&quot;&gt;&lt;script&gt;">')
        expect(html).to.include('<meta name="apple-mobile-web-app-capable" content="yes">')
        expect(html).to.not.include('<script>"')
      }
    })

    it('with the same text for visitors and users', async () => {
      const own = (html: string) => html.slice(html.indexOf('<link rel="manifest"'))
      expect(own(await head('/', 'administrator'))).to.equal(own(await head('/')))
    })

    it('with icons and splash screens once they are made', async () => {
      await set(site, { appIcon: await addImage(site, await disc(512).toBuffer()) })
      expect(await head('/')).to.not.include('apple-touch-icon')
      await site.request('/wp-json/pwa/v1/pwa-assets/save', { method: 'POST', as: 'administrator' })
      const html = await head('/')
      const linked = [
        ...html.matchAll(/<link rel="(icon|apple-touch-icon|apple-touch-startup-image)"[^>]* href="([^"]+)"/g),
      ]
      const count = (rel: string) => linked.filter(([, found]) => found === rel).length
      expect([count('apple-touch-icon'), count('apple-touch-startup-image')]).to.deep.equal([1, 40])
      for (const [, , href = ''] of linked) expect((await site.get(href)).status, href).to.equal(200)
    })
  })

  it('goes with the extension', async () => {
    await site.host.extensions.deactivate('pwa')
    expect((await site.get('/manifest.webmanifest')).status).to.equal(404)
    expect(await (await site.get('/')).text()).to.not.include('manifest.webmanifest')
    await site.host.extensions.activate('pwa')
    expect((await site.get('/manifest.webmanifest')).status).to.equal(200)
  })
})

describe('Cached pages', () => {
  it('name the new color and the new icons at once', async () => {
    const site = await openPwaSite({ extensions: [join(import.meta.dirname, '../../../plugins/speed')] })
    const page = async () => {
      const answer = await site.get('/hello-world/')
      return { cache: answer.headers.get('x-cache'), html: await answer.text() }
    }
    await set(site, { appIcon: await addImage(site, await disc(512).toBuffer()) })
    const fill = async () => {
      for (let tries = 0; tries < 50; tries++) if ((await page()).cache === 'HIT') return
      throw new Error('The page is not cached.')
    }
    await fill()
    await set(site, { themeColor: '#abcdef' })
    expect((await page()).html).to.include('#abcdef')
    await fill()
    await site.request('/wp-json/pwa/v1/pwa-assets/save', { method: 'POST', as: 'administrator' })
    expect((await page()).html).to.include('apple-touch-startup-image')
    await site.close()
  })
})
