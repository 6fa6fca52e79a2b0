import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { SessionHeaders } from '../support/session.ts'
import { toObject } from '../wp-v2/gazette.ts'
import { type OwnSite, openOwnSite } from '../wp-v2/own-site.ts'

describe('The files of themes', () => {
  let site: OwnSite
  let admin: SessionHeaders
  const folder = (name: string) => join(site.host.config.siteDir, 'themes', name)
  function write(name: string, files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder(name), file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
  const activate = (theme: string) => site.ask('PUT /host/v1/settings/host', { settings: { theme } }, admin)
  const front = async () => (await fetch(`${site.url}/`)).text()

  before(async () => {
    site = await openOwnSite(undefined, { environment: 'production' })
    admin = await site.browser('admin', 'admin-password')
  })
  after(() => site.close())

  describe('DELETE /host/v1/themes/{name}', () => {
    const remove = (name: string, as: Parameters<OwnSite['ask']>[2] = admin) =>
      site.outcome(`DELETE /host/v1/themes/${name}`, undefined, as)

    it('deletes a theme that is not in use, and records it', async () => {
      write('old', { 'home.eta': 'Old', 'images/logo.svg': '<svg/>' })
      mkdirSync(folder('.foreign'), { recursive: true })
      writeFileSync(join(folder('.foreign'), 'old'), '')
      expect(await remove('old')).to.equal('200')
      expect(readdirSync(folder(''))).to.deep.equal(['.foreign'])
      expect(readdirSync(folder('.foreign'))).to.deep.equal([])
      const { items } = await site.host.auth.securityLog.query({ limit: 1, offset: 0 })
      expect(items[0]).to.deep.include({ event: 'theme_removed', detail: { theme: 'old' } })
      expect(await remove('old')).to.equal('404 rest_theme_not_found')
    })

    it('is rejected for the active theme, its parent, and bundled themes', async () => {
      write('parent', { 'home.eta': 'Of the parent' })
      write('child', { 'style.css': '/* Template: parent */' })
      expect(await remove('default')).to.equal('409 theme_bundled')
      write('default', { 'notes.eta': 'A copy of the default theme' })
      await activate('child')
      for (const name of ['child', 'parent', 'default']) expect(await remove(name), name).to.equal('409 theme_in_use')
      expect(await front()).to.equal('Of the parent')
      await activate('default')
      expect(await remove('child')).to.equal('200')
      expect(await remove('parent')).to.equal('200')
      expect(await remove('default')).to.equal('409 theme_in_use')
      expect(existsSync(folder('default'))).to.equal(true)
    })

    it('requires the password and the capability, and deletes nothing outside of the folder', async () => {
      write('kept', { 'home.eta': 'Kept' })
      expect(await remove('kept', await site.signIn('admin', 'administrator'))).to.equal(
        '403 application_password_forbidden',
      )
      expect(await remove('kept', await site.signIn('editor', 'editor'))).to.equal('403 rest_forbidden')
      for (const name of ['..%2Fuploads', '%2E%2E', '.foreign', 'kept%2Fhome.eta'])
        expect(await remove(name), name).to.match(/^404 /)
      expect(existsSync(join(folder('kept'), 'home.eta'))).to.equal(true)
    })
  })

  describe('POST /host/v1/appearance/preview with a theme', () => {
    const preview = async (theme: string) =>
      site.ask('POST /host/v1/appearance/preview', { settings: {}, theme }, admin)
    const queryOf = async (theme: string) => String(toObject((await preview(theme)).item.data).query)

    it('shows its pages to the same user only, and no cache stores them', async () => {
      write('sketch', { 'home.eta': '<p><%= it.site.title %> as a sketch</p>' })
      const query = await queryOf('sketch')
      const shown = await fetch(`${site.url}/?${query}`, { headers: { Cookie: admin.Cookie } })
      expect(await shown.text()).to.include('as a sketch')
      expect(shown.headers.get('cache-control')).to.include('private').and.include('no-store')
      await site.signIn('other', 'administrator')
      const other = await site.browser('other')
      for (const headers of [{}, { Cookie: other.Cookie }]) {
        expect(await (await fetch(`${site.url}/?${query}`, { headers })).text()).to.not.include('as a sketch')
      }
      expect(await front()).to.not.include('as a sketch')
      const themes = await site.ask('GET /host/v1/themes', undefined, admin)
      expect(toObject(themes.item.data).items).to.deep.include.members([
        { name: 'sketch', active: false, from: 'site', isUntrusted: false, isForeign: false, isRemovable: true },
      ])
    })

    it('explains an error of a template to the administrator', async () => {
      write('faulty', { 'home.eta': '<% it.nothing.here %>' })
      const shown = await fetch(`${site.url}/?${await queryOf('faulty')}`, { headers: { Cookie: admin.Cookie } })
      expect(shown.status).to.equal(500)
      expect(await shown.text()).to.include('themes/faulty/home.eta')
      expect(await front()).to.not.include('Template error')
    })

    it('runs no theme of an unsigned backup, and requires the capability to switch themes', async () => {
      write('foreign', { 'home.eta': 'Foreign' })
      writeFileSync(join(folder('.foreign'), 'foreign'), '')
      expect((await preview('foreign')).item).to.include({ code: 'theme_untrusted' })
      expect((await preview('missing')).item).to.include({ code: 'rest_theme_not_found' })
      expect((await preview('../missing')).item).to.include({ code: 'rest_invalid_param' })
      site.host.auth.addRole('designer', 'Designer', ['read', 'edit_theme_options'])
      const designer = await site.signIn('designer', 'designer')
      const route = 'POST /host/v1/appearance/preview'
      expect(await site.outcome(route, { settings: {}, theme: 'sketch' }, designer)).to.equal('403 rest_forbidden')
      expect(await site.outcome(route, { settings: {} }, designer)).to.equal('200')
    })
  })

  it('are not changed with PENTAD_DISALLOW_FILE_MODS', async () => {
    const locked = await openOwnSite(undefined, { disallowFileMods: true })
    try {
      const browser = await locked.browser('admin', 'admin-password')
      expect(await locked.outcome('DELETE /host/v1/themes/x', undefined, browser)).to.equal('403 rest_forbidden')
    } finally {
      await locked.close()
    }
  })
})
