/** Archives that the site did not sign: what they hold is restored, and none of its code runs. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createArchiveWriter } from '../../plugins/backup/archive/writer.ts'
import type { BackupRecord, Category, Progress, SourceEntry } from '../../plugins/backup/types.ts'
import { commandLine } from '../support/command-line.ts'
import { startPentad } from '../support/pentad.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'
import { scan, writeList } from './archive-files.ts'
import { type BackupSite, createBackupSite, unpack, writeFiles } from './backup-site.ts'

/** Writes down that it runs, in a folder that is in no archive. */
const extension = (id: string, word: string) => `
  import { appendFileSync } from 'node:fs'
  import { defineExtension } from 'pentad'
  export default defineExtension({
    id: '${id}', name: '${id}', version: '1.0.0',
    setup({ hooks, site, jobs }) {
      const note = (what) => appendFileSync(site.dir + '/backups/ran.txt', '${word} ' + what + '\\n')
      note('set up')
      hooks.addAction('init', () => note('init'))
      jobs.schedule('again', '* * * * *', () => note('job'))
    },
  })`

/** A theme whose templates are code: the word is put together when the page is rendered. */
const theme = (word: string) => ({
  'layout.eta': `<html><body><p><%= ['theme', '${word}'].join(':') %></p></body></html>`,
})

const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]))

describe('An archive that the site did not sign', () => {
  const command = commandLine()
  let folder: string
  let foreign: string
  let site: BackupSite
  const archiveOf = async (from: BackupSite): Promise<string> => {
    const { state } = await from.ended(await from.create())
    expect(state).to.equal('complete')
    return join(from.dir, 'backups', (await from.records())[0]?.fileName ?? '')
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-foreign-'))
    const attacker = await createBackupSite()
    await attacker.write({
      'backups/ran.txt': '',
      'extensions/evil/index.ts': extension('evil', 'foreign'),
      // By the id of one that the other site trusts.
      'extensions/members/index.ts': extension('members', 'foreign'),
      'uploads/a.txt': 'theirs',
      'pwa/vapid.json': '{"publicKey":"theirs","privateKey":{"$sealed":"theirs"}}',
      ...below('themes/own', { ...theme('foreign'), 'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
      ...below('themes/default', theme('foreign')),
    })
    for (const id of ['evil', 'members']) await attacker.host.extensions.activate(id)
    await attacker.host.extensions.activate('announcement-bar')
    await attacker.host.settings.get('host')?.update({ theme: 'own' })
    const webdav = { webdavUrl: 'https://evil.example', webdavPassword: 'theirs' }
    await attacker.call('PUT', '/settings', { settings: webdav })
    await attacker.host.content.posts.insert({ title: 'Theirs', status: 'publish' })
    foreign = join(folder, 'foreign.tar.gz')
    await cp(await archiveOf(attacker), foreign)
    await attacker.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  beforeEach(async () => {
    site = await createBackupSite()
    await site.write({
      'backups/ran.txt': '',
      'extensions/members/index.ts': extension('members', 'own'),
      'uploads/a.txt': 'ours',
      ...below('themes/own', theme('own')),
    })
    await site.host.extensions.activate('members')
    await site.host.settings.get('host')?.update({ theme: 'own' })
    expect(await ran()).to.deep.equal(['own init', 'own set up'])
  })
  afterEach(() => site.close())

  /** What has run since this was asked last. */
  const ran = async (dir = site.dir) => {
    const path = join(dir, 'backups/ran.txt')
    const text = await readFile(path, 'utf8').catch(() => '')
    await rm(path, { force: true })
    return [...new Set(text.split('\n'))].filter((line) => line !== '' && !line.endsWith('job')).sort()
  }
  const shownTheme = async (url = site.url) => /theme:\w+/.exec(await (await fetch(`${url}/`)).text())?.[0]
  const stateOf = (id: string) => site.host.extensions.list().find((one) => one.id === id)
  const titles = async () => (await site.host.content.posts.query({})).items.map(({ title }) => title)

  /** Uploads an archive over REST, with an application password. */
  async function upload(path: string): Promise<string> {
    const bytes = await readFile(path)
    const begun = await site.call('POST', '/backup/upload/init', { fileName: 'backup.tar.gz', size: bytes.length })
    const { data } = await sendChunk(String(begun.data.uploadId), bytes)
    expect(data).to.include({ complete: true })
    return data.backup.id
  }
  async function sendChunk(uploadId: string, bytes: Buffer) {
    const chunk = new FormData()
    chunk.set('uploadId', uploadId)
    chunk.set('index', '0')
    chunk.set('last', 'true')
    chunk.set('chunk', new Blob([Uint8Array.from(bytes)]), 'blob')
    const { auth } = site.host
    const owner = await auth.users.getByLogin('owner')
    const { password } = await auth.applicationPasswords.create(owner?.id ?? 0, `upload ${uploadId}`)
    const headers = { Authorization: `Basic ${btoa(`owner:${password}`)}` }
    const answer = await fetch(`${site.url}/wp-json/backup/v1/backup/upload/chunk`, {
      method: 'POST',
      headers,
      body: chunk,
    })
    return JSON.parse(await answer.text())
  }
  async function restore(path: string, options: { parts?: Category[]; trustCode?: boolean } = {}): Promise<Progress> {
    const begun = await site.call('POST', '/restore/start', { backupId: await upload(path), ...options })
    expect(begun.status, begun.code).to.equal(202)
    for (;;) {
      await wait(20)
      const headers = { 'X-Restore-Token': String(begun.data.progressToken) }
      const answer = await site
        .get(`/wp-json/backup/v1/backup/progress?jobId=${begun.data.jobId}`, { headers })
        .catch(() => undefined)
      if (answer?.status !== 200) continue
      const { data }: { data: Progress } = JSON.parse(await answer.text())
      if (data.state !== 'running') return data
    }
  }

  it('cannot be restored with an application password, nor without the current password', async () => {
    const backupId = await upload(foreign)
    const send = async (path: string, body: object, who: object) => {
      const answer = await site.request(`/wp-json/backup/v1${path}`, { method: 'POST', body, ...who })
      return [answer.status, JSON.parse(await answer.text()).code]
    }
    const start = (who: object) => send('/restore/start', { backupId, trustCode: true }, who)
    /** Otherwise, the owner would be asked for the password only after the backup. */
    const backUpFirst = (who: object) => send('/backup/create', { beforeRestoring: backupId }, who)
    expect(await start({ as: 'administrator' })).to.deep.equal([403, 'application_password_forbidden'])
    const { auth } = site.host
    const owner = await auth.users.getByLogin('owner')
    if (!owner) throw new Error('There is no owner.')
    const headers = await openSession(auth, owner)
    expect(await start({ headers })).to.deep.equal([403, 'password_confirmation_required'])
    expect(await backUpFirst({ headers })).to.deep.equal([403, 'password_confirmation_required'])
    expect(await ran()).to.deep.equal([])
  })

  it('is listed as one that the site did not sign, and the own one as one that it did', async () => {
    await site.ended(await site.create())
    await upload(foreign)
    const { data } = await site.call<{ items: BackupRecord[] }>('GET', '/backup/fetch')
    const signed = data.items.map((record) => [record.kind, record.signed])
    expect(signed).to.have.deep.members([
      ['uploaded', false],
      ['manual', true],
    ])
  })

  it('restores content, and switches off every extension that it brings, whatever its options say', async () => {
    const { state, warnings } = await restore(foreign)
    expect(state).to.equal('complete')
    expect(await titles()).to.include('Theirs')
    expect(await readFile(join(site.dir, 'uploads/a.txt'), 'utf8')).to.equal('theirs')
    for (const id of ['evil', 'members']) {
      expect(stateOf(id)).to.include({ state: 'inactive' })
      expect(stateOf(id)?.reason).to.match(/did not sign/)
    }
    expect(stateOf('announcement-bar'), 'as it was on this site').to.include({ state: 'inactive' })
    expect(stateOf('backup')).to.include({ state: 'active' })
    expect(await ran()).to.deep.equal([])
    expect(warnings.join('\n'))
      .to.match(/is not signed by this site/)
      .and.match(/were deactivated.*evil, members/)
      .and.include('backup_settings › webdavPassword')
    await site.host.extensions.activate('evil')
    expect(await ran(), 'its administrator may activate it').to.deep.equal(['foreign init', 'foreign set up'])
  })

  it('leaves the site its own keys for push messages: those of the archive could not be read', async () => {
    const keys = () => readFile(join(site.dir, 'pwa/vapid.json'), 'utf8')
    await site.write({ 'pwa/vapid.json': '{"publicKey":"ours","privateKey":{"$sealed":"ours"}}' })
    const { state, warnings } = await restore(foreign)
    expect(state).to.equal('complete')
    expect(await keys()).to.contain('ours')
    expect(warnings?.join(' ')).to.contain('they were encrypted with another secret.key: pwa/vapid.json')
  })

  describe('restored', () => {
    let session: SessionHeaders
    beforeEach(async () => {
      // Without the database: its users stay.
      await restore(foreign, { parts: ['extensions', 'themes'] })
      const { auth } = site.host
      const owner = await auth.users.getByLogin('owner')
      if (!owner) throw new Error('There is no owner.')
      session = await openSession(auth, owner)
    })

    type Who = { as: 'administrator' } | { headers: SessionHeaders }
    const ask = async (who: Who, method: string, path: string, body: object = {}): Promise<string> => {
      const answer = await site.request(`/wp-json/${path}`, { method, body, ...who })
      return `${answer.status} ${JSON.parse(await answer.text()).code ?? 'ok'}`
    }
    const confirm = () =>
      ask({ headers: session }, 'POST', 'host/v1/confirm-password', { password: 'correct horse battery' })
    const events = async (...names: string[]) =>
      (await site.host.auth.securityLog.query({ events: names, limit: 9, offset: 0 })).items.map(
        ({ event, actor, detail }) => [event, actor?.login, detail],
      )

    it('has its extensions activated only after the current password, and from then on as usual', async () => {
      const activate = (who: Who, id = 'evil') => ask(who, 'POST', `host/v1/extensions/${id}/activate`)
      const activatePlugin = (who: Who) => ask(who, 'POST', 'wp/v2/plugins/members', { status: 'active' })
      const program: Who = { as: 'administrator' }
      for (const switchOn of [activate, activatePlugin]) {
        expect(await switchOn(program)).to.equal('403 application_password_forbidden')
        expect(await switchOn({ headers: session })).to.equal('403 password_confirmation_required')
      }
      expect(await ask(program, 'POST', 'host/v1/extensions/evil/reload')).to.equal('409 extension_failed')
      expect(stateOf('evil')).to.include({ state: 'inactive', isUntrusted: true })
      expect(await ran()).to.deep.equal([])

      expect(await confirm()).to.equal('200 ok')
      expect(await activate({ headers: session })).to.equal('200 ok')
      expect(stateOf('evil')).to.include({ state: 'active', isUntrusted: false, reason: null })
      expect(stateOf('members'), 'each by itself').to.include({ state: 'inactive', isUntrusted: true })
      expect(await ran()).to.deep.equal(['foreign init', 'foreign set up'])
      expect(await ask(program, 'POST', 'host/v1/extensions/evil/deactivate')).to.equal('200 ok')
      expect(await activate(program)).to.equal('200 ok')
      expect(await activatePlugin(program), 'the other one').to.equal('403 application_password_forbidden')
      expect(await activatePlugin({ headers: session })).to.equal('200 ok')
    })

    it('runs none of them where an older copy of the options says that they are active', async () => {
      const active = { evil: { state: 'active', reason: null } }
      await site.host.options.modify('host_extensions', (states) => Object.assign({}, states, active))
      await restore(await archiveOf(site), { parts: ['others'] })
      expect(stateOf('evil')).to.include({ state: 'inactive', isUntrusted: true })
      expect(await ran()).to.deep.equal([])
    })

    it('has its themes used only after the current password, also by abilities, and serves none of their files', async () => {
      const choose = (who: Who) => ask(who, 'PUT', 'host/v1/settings/host', { settings: { theme: 'own-restored' } })
      const program: Who = { as: 'administrator' }
      expect(await choose(program)).to.equal('403 application_password_forbidden')
      expect(await choose({ headers: session })).to.equal('403 password_confirmation_required')
      const input = { name: 'host', changes: { theme: 'own-restored' } }
      expect(await ask(program, 'POST', 'wp-abilities/v1/abilities/core/change-settings/run', { input })).to.equal(
        '403 application_password_forbidden',
      )
      const file = '/wp-content/themes/own-restored/picture.svg'
      expect((await site.get(file)).status).to.equal(404)
      // As a copy of older options may name it.
      await site.host.options.modify('host_settings', () => ({ theme: 'own-restored' }))
      expect(await shownTheme()).to.equal(undefined)
      await site.host.options.modify('host_settings', () => ({ theme: 'own' }))

      expect(await confirm()).to.equal('200 ok')
      expect(await choose({ headers: session })).to.equal('200 ok')
      expect(await shownTheme()).to.equal('theme:foreign')
      expect((await site.get(file)).status).to.equal(200)
      expect(await ask(program, 'PUT', 'host/v1/settings/host', { settings: { theme: 'own' } })).to.equal('200 ok')
      expect(await choose(program), 'from then on').to.equal('200 ok')
      expect(await events('theme_switched')).to.deep.equal([
        ['theme_switched', 'test-administrator', { from: 'own', to: 'own-restored' }],
        ['theme_switched', 'test-administrator', { from: 'own-restored', to: 'own' }],
        ['theme_switched', 'owner', { from: 'own', to: 'own-restored' }],
        ['theme_switched', undefined, { from: 'default', to: 'own' }],
      ])
    })
  })

  it('keeps the active theme; the themes of the archive are stored under other names', async () => {
    const { warnings } = await restore(foreign)
    expect(await shownTheme()).to.equal('theme:own')
    expect(site.host.settings.get('host')?.get()).to.include({ theme: 'own' })
    const names = ['own', 'own-restored', 'default-restored']
    expect(await readdir(join(site.dir, 'themes'))).to.have.members(['.foreign', ...names])
    expect(warnings.join('\n')).to.include('own-restored').and.include('default-restored')
    await site.host.settings.get('host')?.update({ theme: 'own-restored' })
    expect(await shownTheme()).to.equal('theme:foreign')
  })

  it('does not run if the replacement of an active extension points outside the folder', async () => {
    const attacker = await createBackupSite()
    await attacker.write({
      'uploads/members.ts': extension('members', 'foreign'),
      'extensions/members/package.json': '{ "main": "../../uploads/members.ts" }',
    })
    const path = join(folder, 'main.tar.gz')
    await cp(await archiveOf(attacker), path)
    await attacker.close()
    await restore(path)
    expect(await ran()).to.deep.equal([])
    expect(stateOf('members')).to.include({ state: 'inactive', isUntrusted: true })
  })

  it('does not run under the id of an active extension where only extensions are restored', async () => {
    await restore(foreign, { parts: ['extensions'] })
    expect(stateOf('members')).to.include({ state: 'inactive' })
    expect(await ran()).to.deep.equal([])
    expect(await titles()).not.to.include('Theirs')
  })

  it('restores no code if neither extensions nor themes are restored: those of the site remain', async () => {
    await restore(foreign, { parts: ['database', 'others'] })
    expect(stateOf('members')).to.include({ state: 'active' })
    expect(await ran()).to.deep.equal(['own init', 'own set up'])
    expect(await shownTheme()).to.equal('theme:own')
  })

  it('runs where the owner says so, after the current password', async () => {
    const { warnings } = await restore(foreign, { trustCode: true })
    expect(stateOf('evil')).to.include({ state: 'active' })
    expect(await ran()).to.deep.equal(['foreign init', 'foreign set up'])
    expect(await shownTheme()).to.equal('theme:foreign')
    expect(warnings.join('\n')).to.match(/not signed.*You allowed its extensions and themes to run/)
  })

  describe('of this very site', () => {
    let own: string
    beforeEach(async () => {
      own = join(folder, 'own.tar.gz')
      await cp(await archiveOf(site), own)
    })

    /** Unpacks an archive, changes it and makes one of it whose lists fit, signed as the given manifest. */
    async function rebuilt(change: (tree: string) => Promise<void>, keepSignature: boolean): Promise<string> {
      const tree = await mkdtemp(join(folder, 'tree-'))
      await unpack(own, tree)
      const manifest = JSON.parse(await readFile(join(tree, 'manifest.json'), 'utf8'))
      expect(manifest.signature).to.match(/^[0-9a-f]{64}$/)
      await change(tree)
      async function* entries(): AsyncGenerator<SourceEntry> {
        for (const name of ['database', 'files']) yield* scan(join(tree, name), name)
      }
      const work = await mkdtemp(join(folder, 'work-'))
      await writeList(work, entries())
      const { hostVersion, siteUrl, created, title, contents, signature } = manifest
      const facts = { hostVersion, siteUrl, created, title, contents, ...(keepSignature && { signature }) }
      const path = join(folder, 'rebuilt.tar.gz')
      await rm(path, { force: true })
      const writer = createArchiveWriter({ folder: work, compression: 'gzip' })
      while (!(await writer.makeSegments(AbortSignal.timeout(2000))).done);
      while (!(await writer.finish({ path, facts }, AbortSignal.timeout(2000))).done);
      await writer.close()
      return path
    }

    it('is trusted as it was made: its extensions and its theme go on', async () => {
      const { warnings } = await restore(own)
      expect(warnings).to.deep.equal([])
      expect(stateOf('members')).to.include({ state: 'active' })
      expect(await ran()).to.deep.equal(['own init', 'own set up'])
      expect(await shownTheme()).to.equal('theme:own')
      expect((await readdir(join(site.dir, 'themes'))).sort()).to.deep.equal(['own'])
    })

    it('is foreign without a signature, as an archive of an earlier version is', async () => {
      const { warnings } = await restore(await rebuilt(async () => {}, false))
      expect(stateOf('members')).to.include({ state: 'inactive' })
      expect(await ran()).to.deep.equal([])
      expect(warnings.join('\n')).to.match(/an earlier version/)
    })

    it('is foreign where a file was changed under its signature', async () => {
      const changed = await rebuilt(
        (tree) => writeFile(join(tree, 'files/extensions/members/index.ts'), extension('members', 'foreign')),
        true,
      )
      await restore(changed)
      expect(await readFile(join(site.dir, 'extensions/members/index.ts'), 'utf8')).to.include('foreign')
      expect(stateOf('members')).to.include({ state: 'inactive' })
      expect(await ran()).to.deep.equal([])
    })

    it('is foreign after standard tools have packed it again', async () => {
      const tree = join(folder, 'repacked')
      await unpack(own, tree)
      const path = join(folder, 'repacked.tar.gz')
      execFileSync('tar', ['-czf', path, '-C', tree, 'database', 'files', 'manifest.json', 'checksums.sha256'])
      await restore(path)
      expect(stateOf('members')).to.include({ state: 'inactive' })
      expect(await ran()).to.deep.equal([])
    })
  })

  describe('with code outside of the folders for it', () => {
    /** Reads as much as it can of what others wrote: packages, files beside it, and an extension of its folder. */
    const IMPORTS = `
      import word from 'some-package'
      import beside from '../../lib/beside.ts'
      import { appendFileSync } from 'node:fs'
      import { defineExtension } from 'pentad'
      export default defineExtension({
        id: 'imports', name: 'Imports', version: '1.0.0',
        setup: ({ site }) => appendFileSync(site.dir + '/backups/ran.txt', 'imports ' + word + ' ' + beside + '\\n'),
      })`
    const codeOf = (word: string) => ({
      'node_modules/some-package/package.json': '{ "name": "some-package", "main": "index.js" }',
      'node_modules/some-package/index.js': `module.exports = '${word}'`,
      'lib/beside.ts': `export default '${word}'`,
      'more/further/index.ts': extension('further', word),
      'notes.txt': word,
    })

    it('runs none of it: not from a configured folder, not by imports, not by config.json', async () => {
      const attacker = await createBackupSite()
      await attacker.write({
        ...codeOf('foreign'),
        'config.json': JSON.stringify({ extensionsDir: 'evil', databaseUrl: 'postgres://evil.example/db' }),
        'evil/evil/index.ts': extension('evil', 'foreign'),
      })
      const path = join(folder, 'code.tar.gz')
      await cp(await archiveOf(attacker), path)
      await attacker.close()
      const dir = await mkdtemp(join(folder, 'site-'))
      const settings = JSON.stringify({ extensionsDir: join(dir, 'more') })
      const active = { imports: { state: 'active' }, further: { state: 'active' } }
      const files = {
        ...codeOf('own'),
        'backups/none.txt': '',
        'config.json': settings,
        'extensions/imports/index.ts': IMPORTS,
        'options.json': JSON.stringify({ host_extensions: active }),
      }
      await writeFiles(dir, files)
      const expected = ['imports own own', 'own init', 'own set up']
      const runs = async () => {
        const started = await startPentad(dir)
        expect(await started.end()).to.equal(0)
        return ran(dir)
      }
      expect(await runs()).to.deep.equal(expected)
      const { code, errors } = await command(dir, ['backup', 'restore', path, '--parts', 'database', 'others'])
      expect(code, errors).to.equal(0)
      expect(errors).to.match(/Code outside .*was not restored.*lib\/beside\.ts/)
      expect(await readFile(join(dir, 'notes.txt'), 'utf8')).to.equal('foreign')
      expect(await readFile(join(dir, 'config.json'), 'utf8')).to.equal(settings)
      expect(existsSync(join(dir, 'evil/evil/index.ts'))).to.equal(false)
      expect(await runs()).to.deep.equal(expected)
    })
  })

  describe('on the command line', () => {
    const dirOf = async () => {
      const dir = await mkdtemp(join(folder, 'site-'))
      await mkdir(join(dir, 'backups'))
      return dir
    }
    const runs = async (dir: string) => {
      const started = await startPentad(dir)
      const shown = await shownTheme(started.url)
      expect(await started.end()).to.equal(0)
      return { ran: await ran(dir), shown }
    }

    it('is switched off too, and the command says so, until another command says otherwise', async () => {
      const dir = await dirOf()
      const { code, errors } = await command(dir, ['backup', 'restore', foreign])
      expect(code, errors).to.equal(0)
      expect(errors)
        .to.match(/is not signed by this site/)
        .and.match(/evil, members/)
      expect(existsSync(join(dir, 'extensions/evil/index.ts'))).to.equal(true)
      expect(await runs(dir)).to.deep.equal({ ran: [], shown: undefined })
      expect(await runs(dir), 'at the next start').to.deep.equal({ ran: [], shown: undefined })
      expect(await command(dir, ['extension', 'activate', 'evil'])).to.include({ code: 0 })
      expect((await command(dir, ['theme', 'activate', 'none'])).errors).to.match(/no theme "none"\. Themes: .*own/)
      expect(await command(dir, ['theme', 'activate', 'own'])).to.include({ code: 0 })
      expect(await runs(dir)).to.deep.equal({ ran: ['foreign init', 'foreign set up'], shown: 'theme:foreign' })
    })

    it('runs with --trust-code', async () => {
      const dir = await dirOf()
      const { code, errors } = await command(dir, ['backup', 'restore', foreign, '--trust-code'])
      expect(code, errors).to.equal(0)
      const all = { ran: ['foreign init', 'foreign set up'], shown: 'theme:foreign' }
      expect(await runs(dir)).to.deep.equal(all)
    })

    it('is no foreign one where the key of its site was put into the folder before', async () => {
      const own = await archiveOf(site)
      const dir = await dirOf()
      await cp(join(site.dir, 'secret.key'), join(dir, 'secret.key'))
      const { code, errors } = await command(dir, ['backup', 'restore', own])
      expect(code, errors).to.equal(0)
      expect(errors).not.to.include('warning')
      expect(await runs(dir)).to.deep.equal({ ran: ['own init', 'own set up'], shown: 'theme:own' })
    })
  })
})
