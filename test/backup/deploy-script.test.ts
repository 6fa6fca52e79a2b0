import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'
import { createBackupSite, unpack } from './backup-site.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/back-up-and-restore.md')

describe('The deploy script of the guide', () => {
  it('makes a backup, waits for it and downloads it, in five lines', async function () {
    this.timeout(60_000)
    const script = /```sh\n(api=[\s\S]+?)```/.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? ''
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
    await site.close()
  })
})
