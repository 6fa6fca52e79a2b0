import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'
import { createBackupSite, unpack } from './backup-site.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/backups.md')

describe('The scripts of the guide', () => {
  it('make a backup, wait for it and download it, in five lines; and upload it', async () => {
    const guide = await readFile(GUIDE, 'utf8')
    const [script = '', upload = ''] = Array.from(guide.matchAll(/```sh\n(api=[\s\S]+?)```/g), ([, code]) => code)
    expect(script.trim().split('\n').length).equal(5)
    const site = await createBackupSite()
    await site.write({ 'uploads/a.txt': 'a' })
    const user = await site.host.auth.users.create({ login: 'ci', email: 'ci@example.org', roles: ['administrator'] })
    const { password } = await site.host.auth.applicationPasswords.create(user.id, 'deploy')
    const folder = temporaryFolder()
    const env = { PATH: process.env.PATH, SITE: site.url, ACCOUNT: `ci:${password}` }
    await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })
    const [record] = await site.records()
    expect((await stat(join(folder, 'backup.tar.gz'))).size).equal(record?.size)
    expect(await unpack(join(folder, 'backup.tar.gz'), join(folder, 'out'))).include('files/uploads/a.txt')

    await promisify(execFile)('sh', ['-ec', upload], { cwd: folder, env })
    const uploaded = (await site.records()).find(({ kind }) => kind === 'uploaded')
    expect(uploaded?.sha256, 'what the other script uploads').equal(record?.sha256)
    await site.close()
  })
})
