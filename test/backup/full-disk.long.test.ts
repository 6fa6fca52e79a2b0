import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMAND, pentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { createBackupSite, writeFiles } from './backup-site.ts'

/** Runs the command where no file can grow beyond two mebibytes: a disk that is full, which needs no rights to make. */
function pentadWithoutRoom(siteDir: string, args: readonly string[]): Promise<{ code: unknown; errors: string }> {
  const limited = ['-c', 'ulimit -f 2048; exec "$@"', '--', process.execPath, COMMAND, '--site', siteDir, ...args]
  return new Promise((resolve) => {
    execFile('bash', limited, (error, _output, errors) => resolve({ code: error?.code ?? 0, errors }))
  })
}

describe('on a disk without room', () => {
  const folder = temporaryFolder()
  const siteDir = join(folder, 'site')
  const archive = join(folder, 'archive.tar.gz')

  before(async () => {
    const site = await createBackupSite()
    await site.write({ 'uploads/large.bin': randomBytes(3_000_000) })
    const { state } = await site.ended(await site.create())
    expect(state).equal('complete')
    await copyFile(join(site.dir, 'backups', (await site.records())[0]?.fileName ?? ''), archive)
    await site.close()
    expect((await pentad(siteDir, ['backup', 'restore', archive])).code).equal(0)
    await writeFiles(siteDir, { 'uploads/large.bin': randomBytes(3_000_000), 'uploads/later.txt': 'later' })
  })

  it('a restore says so and leaves the site as it is', async () => {
    const before = [await readFile(join(siteDir, 'uploads/large.bin')), await readFile(join(siteDir, 'site.db'))]
    const { code, errors } = await pentadWithoutRoom(siteDir, ['backup', 'restore', archive])
    expect(code, errors).equal(1)
    expect(errors).match(/no space left|maximum file size/i)
    const after = [await readFile(join(siteDir, 'uploads/large.bin')), await readFile(join(siteDir, 'site.db'))]
    expect(after).deep.equal(before)
    expect(await readFile(join(siteDir, 'uploads/later.txt'), 'utf8')).equal('later')
    for (const name of await readdir(join(siteDir, 'tmp'))) {
      expect(await readdir(join(siteDir, 'tmp', name))).not.include.oneOf(['new', 'old', 'archive'])
    }
  })

  it('a backup says so, fails and leaves nothing behind', async () => {
    const { code, errors } = await pentadWithoutRoom(siteDir, ['backup', 'create'])
    expect(code, errors).equal(1)
    expect(errors).match(/no space left|maximum file size/i)
    expect((await readdir(join(siteDir, 'tmp'))).filter((name) => name.startsWith('backup-'))).deep.equal([])
    expect((await readdir(join(siteDir, 'backups'))).filter((name) => name.includes('.tar'))).deep.equal([])
  })
})
