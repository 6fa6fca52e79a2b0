import { expect } from 'chai'
import { loadConfig } from '../../core/config.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

describe('PENTAD_DISALLOW_FILE_MODS', () => {
  let site: BackupSite
  let backupId: string
  before(async () => {
    site = await createBackupSite({ config: { disallowFileMods: true } })
    await site.write({ 'extensions/hello/index.ts': '', 'themes/own/style.css': '', 'uploads/a.txt': 'a' })
    backupId = await site.create()
    expect(await site.ended(backupId)).to.include({ state: 'complete' })
  })
  after(() => site.close())

  it('refuses a restore that would replace extensions or themes, and says what to do', async () => {
    for (const parts of [undefined, [], ['extensions'], ['uploads', 'themes'], ['plugins']]) {
      const { status, code } = await site.call('POST', '/restore/start', { backupId, ...(parts && { parts }) })
      expect([status, code], String(parts)).to.deep.equal([403, 'file_mods_disallowed'])
    }
  })

  it('lets the other parts be restored', async () => {
    const { status } = await site.call('POST', '/restore/start', { backupId, parts: ['uploads'] })
    expect(status).to.equal(202)
  })

  it('takes the capabilities to install, edit and delete code from everybody, over REST too', async () => {
    const { auth } = site.host
    const owner = (await auth.users.getByLogin('owner')) ?? null
    for (const capability of ['install_plugins', 'delete_plugins', 'edit_themes', 'update_core', 'install_themes']) {
      expect(await auth.can(owner, capability), capability).to.equal(false)
    }
    for (const capability of ['activate_plugins', 'switch_themes']) {
      expect(await auth.can(owner, capability), capability).to.equal(true)
    }
    const send = (method: string, path: string) =>
      site.request(`/wp-json/wp/v2${path}`, {
        method,
        as: 'administrator',
        ...(method === 'POST' && { body: { slug: 'x' } }),
      })
    expect((await send('POST', '/plugins')).status).to.equal(403)
    expect((await send('DELETE', '/plugins/hello')).status).to.equal(403)
  })

  it('is true, false, 1 or 0 in the environment, and refused where it is neither', () => {
    const readAs = (text: string) => loadConfig({}, { PENTAD_DISALLOW_FILE_MODS: text }).disallowFileMods
    expect([readAs('true'), readAs('1'), readAs('false'), readAs('')]).to.deep.equal([true, true, false, false])
    expect(() => readAs('perhaps')).to.throw('PENTAD_DISALLOW_FILE_MODS')
  })
})

describe('PENTAD_ADMIN_PASSWORD', () => {
  it('leaves the environment with the start, so that no extension and no child process sees it', async () => {
    process.env.PENTAD_ADMIN_PASSWORD = 'correct horse battery staple'
    const site = await createBackupSite()
    try {
      expect(process.env).not.to.have.property('PENTAD_ADMIN_PASSWORD')
      const client = { address: '127.0.0.1', userAgent: '' }
      const { user } = await site.host.auth.signIn({
        login: 'admin',
        password: 'correct horse battery staple',
        ...client,
      })
      expect(user.roles).to.deep.equal(['administrator'])
    } finally {
      await site.close()
    }
  })
})
