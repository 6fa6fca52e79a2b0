import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ZipArchive } from 'archiver'
import { expect } from 'chai'
import type { SessionHeaders } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { toObject } from '../wp-v2/gazette.ts'
import { type OwnSite, openOwnSite } from '../wp-v2/own-site.ts'
import { bytesOf, zipOf } from './zip.ts'

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

  describe('POST /host/v1/themes/upload', () => {
    async function upload(
      archive: Buffer,
      {
        name = 'theme.zip',
        replace = false,
        as = admin,
      }: { name?: string; replace?: boolean; as?: Record<string, string> | SessionHeaders } = {},
    ): Promise<{ readonly outcome: string; readonly item: Readonly<Record<string, unknown>> }> {
      const body = new FormData()
      body.append('file', new Blob([new Uint8Array(archive)]), name)
      body.append('replace', String(replace))
      const response = await fetch(`${site.url}/wp-json/host/v1/themes/upload`, { method: 'POST', headers: as, body })
      const item = toObject(await response.json())
      return { outcome: response.ok ? '200' : `${response.status} ${item.code}`, item }
    }
    /** What is in the folder of themes, besides marks. */
    const installed = () => readdirSync(folder('')).filter((name) => name !== '.foreign')

    it('installs the folder of a ZIP archive under its name', async () => {
      const archive = await zipOf({
        'fresh/home.eta': 'Fresh',
        'fresh/style.css': 'p{}',
        '__MACOSX/fresh/._home.eta': '',
      })
      const { outcome, item } = await upload(archive)
      expect([outcome, item.data]).to.deep.equal(['200', { name: 'fresh', replaced: false }])
      await activate('fresh')
      expect(await front()).to.equal('Fresh')
      const { items } = await site.host.auth.securityLog.query({ limit: 2, offset: 0 })
      expect(items.map(({ event }) => event)).to.deep.equal(['theme_switched', 'theme_installed'])
      expect((await upload(await zipOf({ 'home.eta': 'Flat' }), { name: 'flat.zip' })).item.data).to.deep.equal({
        ...{ name: 'flat', replaced: false },
      })
    })

    it('replaces an installed theme only after a confirmation, in production without a restart, and purges pages', async () => {
      const archive = await zipOf({ 'fresh/home.eta': 'Fresher' })
      const refused = await upload(archive)
      expect(refused.outcome).to.equal('409 theme_exists')
      expect(refused.item.data).to.include({ name: 'fresh' })
      expect(await front()).to.equal('Fresh')
      const before = await site.host.changes.newest()
      expect((await upload(archive, { replace: true })).item.data).to.deep.equal({ name: 'fresh', replaced: true })
      expect(await front()).to.equal('Fresher')
      expect(existsSync(join(folder('fresh'), 'style.css'))).to.equal(false)
      expect(await site.host.changes.read(before, 10)).to.have.lengthOf(1)
      expect((await upload(await zipOf({ 'default/home.eta': 'x' }))).outcome).to.equal('409 theme_exists')
      await activate('default')
    })

    it('rejects what is not a theme, or hostile, and changes nothing', async () => {
      const before = installed()
      const link = new ZipArchive()
      link.append('x', { name: 'evil/home.eta' })
      link.symlink('evil/passwd', '/etc/passwd')
      // The library that creates archives removes such names.
      const named = (await zipOf({ 'ab/evil/home.eta': 'x' })).toString('latin1')
      const outside = Buffer.from(named.replaceAll('ab/evil', '../evil'), 'latin1')
      const bomb = { 'evil/home.eta': 'x', 'evil/style.css': ' '.repeat(101 * 1024 * 1024) }
      for (const [what, archive, message] of [
        ['path', outside, 'unsafe name'],
        ['link', await bytesOf(link), 'contains a link'],
        ['bomb', await zipOf(bomb), 'is damaged'],
        ['name', await zipOf({ '.foreign/home.eta': 'x' }), 'Rename the folder'],
        [
          'PHP',
          await zipOf({ 'evil/style.css': '/* Theme Name: Evil */', 'evil/index.php': '<?php' }),
          'PHP templates',
        ],
        ['no theme', await zipOf({ 'evil/readme.txt': 'x' }), 'contains no theme'],
        ['no archive', Buffer.from('x'), 'not an archive'],
      ] as const) {
        const { outcome, item } = await upload(archive)
        expect(outcome, what).to.equal('400 package_invalid')
        expect(item.message, what).to.include(message)
        expect(installed(), what).to.deep.equal(before)
      }
      symlinkSync(folder('fresh'), folder('linked'))
      const linked = await upload(await zipOf({ 'linked/home.eta': 'x' }), { replace: true })
      expect(linked.outcome).to.equal('409 theme_exists')
      expect(linked.item.message).to.include('is not a folder')
    })

    it('requires the password and the capability', async () => {
      const archive = await zipOf({ 'secret/home.eta': 'x' })
      for (const [user, role, code] of [
        ['admin', 'administrator', 'application_password_forbidden'],
        ['editor', 'editor', 'rest_forbidden'],
      ] as const) {
        const as = { authorization: await site.signIn(user, role) }
        expect((await upload(archive, { as })).outcome).to.equal(`403 ${code}`)
      }
      expect(existsSync(folder('secret'))).to.equal(false)
    })
  })

  it('are restored at the start if the process ended while one was replaced', async () => {
    const siteDir = temporaryFolder()
    const themes = join(siteDir, 'themes')
    for (const name of ['.old-mine', '.new-1']) mkdirSync(join(themes, name), { recursive: true })
    writeFileSync(join(themes, '.old-mine/home.eta'), 'Mine')
    const own = await openOwnSite(undefined, { siteDir })
    try {
      expect(readdirSync(themes)).to.deep.equal(['mine'])
    } finally {
      await own.close()
    }
  })

  it('are not changed with PENTAD_DISALLOW_FILE_MODS', async () => {
    const locked = await openOwnSite(undefined, { disallowFileMods: true })
    try {
      const browser = await locked.browser('admin', 'admin-password')
      for (const route of ['DELETE /host/v1/themes/x', 'POST /host/v1/themes/upload'])
        expect(await locked.outcome(route, undefined, browser), route).to.equal('403 rest_forbidden')
    } finally {
      await locked.close()
    }
  })
})
