import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { createThemes } from '../../cms/site/theme/theme.ts'

describe('The theme in the settings of the host', () => {
  let site: TestHost
  const choose = (theme: unknown, as = 'administrator') =>
    site.request('/wp-json/host/v1/settings/host', { method: 'PUT', as, body: { settings: { theme } } })
  const front = async () => (await site.get('/')).text()

  before(async () => {
    site = await createTestHost()
    const folder = join(site.host.config.siteDir, 'themes/mine')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'home.eta'), 'This is mine')
  })
  after(() => site.close())

  it('is one of those that GET /host/v1/themes lists for administrators', async () => {
    mkdirSync(join(site.host.config.siteDir, 'themes/empty'))
    const list = async (as: string) => site.request('/wp-json/host/v1/themes', { as })
    expect(await (await list('administrator')).json()).to.deep.equal({
      status: 'success',
      data: {
        items: [
          { name: 'default', active: true, from: 'product', isUntrusted: false, isForeign: false, isRemovable: false },
          { name: 'mine', active: false, from: 'site', isUntrusted: false, isForeign: false, isRemovable: true },
        ],
      },
    })
    expect((await list('editor')).status).to.equal(403)
  })

  it('is listed and shown even if its style sheet and menus are named pipes', async () => {
    const folder = join(site.host.config.siteDir, 'themes/piped')
    mkdirSync(folder)
    execFileSync('mkfifo', [join(folder, 'style.css'), join(folder, 'menus.json'), join(folder, 'single.eta')])
    writeFileSync(join(folder, 'home.eta'), 'This is piped')
    const answer = await site.request('/wp-json/wp/v2/themes/piped', { as: 'administrator' })
    expect(await answer.json()).to.include({ stylesheet: 'piped', version: '' })
    await choose('piped')
    expect(await front()).to.equal('This is piped')
    await choose('default')
    rmSync(folder, { recursive: true })
  })

  it('has the places for menus that its menus.json names', async () => {
    const folder = join(site.host.config.siteDir, 'themes/shop')
    mkdirSync(folder)
    writeFileSync(join(folder, 'menus.json'), '{ "aisle": "Aisles" }')
    writeFileSync(
      join(folder, 'home.eta'),
      '<% for (const { title, url } of it.menus.aisle) { %><%= title %> <%= url %><% } %>',
    )
    await choose('shop')
    const { menus, terms } = site.host.content
    expect(await menus.places()).to.deep.equal({ aisle: 'Aisles' })
    const { id } = await terms.insert('nav_menu', { name: 'Goods' })
    await menus.addItem(id, { title: 'Tea & cake', url: '/tea/' })
    await menus.place(id, ['aisle'])
    expect(await front()).to.equal('Tea &amp; cake /tea/')
    await choose('default')
    expect(await menus.places()).to.have.all.keys('primary', 'footer')
  })

  it('is shown without menu locations of its own if its menus.json is invalid, with a warning that names the file', async () => {
    const folder = join(site.host.config.siteDir, 'themes/broken-menus')
    mkdirSync(folder)
    const file = join(folder, 'menus.json')
    writeFileSync(file, '{ "primary": ')
    writeFileSync(join(folder, 'home.eta'), 'Still here')
    const warnings: unknown[] = []
    const themes = createThemes(site.host.config.siteDir, {
      watch: false,
      log: { warn: (details: object) => warnings.push(details) },
    })
    expect((await themes.open('broken-menus'))?.menus).to.have.all.keys('primary', 'footer')
    expect(warnings).to.deep.equal([
      {
        file,
        problems: ['It must be JSON that defines menu locations, such as { "primary": "Primary menu" }.'],
      },
    ])
    await choose('broken-menus')
    expect(await front()).to.equal('Still here')
    await choose('default')
    rmSync(folder, { recursive: true })
  })

  it('is the default one until another is chosen, and at once that one', async () => {
    expect(await front()).to.contain('class="site-header"')
    expect(await (await choose('mine')).json()).to.deep.equal({
      status: 'success',
      data: { updated: ['theme'], unknown: [] },
    })
    expect(await front()).to.equal('This is mine')
    expect((await choose('default')).status).to.equal(200)
    expect(await front()).to.contain('class="site-header"')
  })

  it('must be a name, and only those who manage the site choose it', async () => {
    for (const theme of ['../mine', '', 'a/b', '..', 7]) {
      const answer = await choose(theme)
      expect(answer.status, String(theme)).to.equal(400)
      expect(await answer.json()).to.include({ code: 'rest_invalid_param' })
    }
    expect((await choose('mine', 'editor')).status).to.equal(403)
    expect(await front()).to.contain('class="site-header"')
  })

  it('may be one that is put there later', async () => {
    expect((await choose('later')).status).to.equal(200)
    expect(await front()).to.contain('class="site-header"')
    const folder = join(site.host.config.siteDir, 'themes/later')
    mkdirSync(folder)
    writeFileSync(join(folder, 'home.eta'), 'Here at last')
    expect(await front()).to.equal('Here at last')
  })
})
