import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLocalLocation } from '../../../plugins/backup/locations/local.ts'
import { otherFileSystem } from '../../support/other-file-system.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { makeArchive, never, part, recordProgress, sumOfDownload } from './archive.ts'
import { reasonOf } from './behavior.ts'

describe('backup location local', () => {
  const open = () => {
    const folder = join(temporaryFolder(), 'backups')
    return { folder, location: createLocalLocation(folder) }
  }

  it('takes an archive, lists it, gives it back and removes it', async () => {
    const { location } = open()
    const file = await makeArchive(3)
    const progress = recordProgress()
    const name = await location.upload(file, progress)
    expect(progress.numbers.at(-1)).to.equal(file.size)
    expect(await location.list(never())).to.deep.equal([{ name, size: file.size }])
    expect(await sumOfDownload(location, name)).to.equal(file.sha256)
    const range = { start: 1_000_000, end: 2_000_001 }
    const got = Buffer.concat(await Array.fromAsync(await location.download(name, range, never())))
    expect(got.equals(await part(file.path, range.start, range.end))).to.equal(true)
    await location.remove(name, never())
    await location.remove(name, never())
    expect(await location.list(never())).to.deep.equal([])
    expect(await reasonOf(location.download(name, undefined, never()))).to.match(/does not exist in/)
  })

  it('keeps the folder and its files from everybody else, also where the folder was there before', async () => {
    const { folder, location } = open()
    mkdirSync(folder, { mode: 0o755 })
    const file = await makeArchive(0)
    chmodSync(file.path, 0o644)
    await location.upload(file, recordProgress())
    expect(statSync(folder).mode & 0o777).to.equal(0o700)
    expect(statSync(join(folder, file.name)).mode & 0o777).to.equal(0o600)
  })

  it('survives that the working file goes', async () => {
    const { location } = open()
    const file = await makeArchive(1)
    await location.upload(file, recordProgress())
    rmSync(file.path)
    expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
  })

  it('copies from another file system, and takes nothing but the archive that was made', async () => {
    const { folder, location } = open()
    const file = await makeArchive(5)
    const path = join(otherFileSystem(), file.name)
    writeFileSync(path, readFileSync(file.path))
    try {
      const progress = recordProgress()
      await location.upload({ ...file, path }, progress)
      expect(await sumOfDownload(location, file.name)).to.equal(file.sha256)
      expect(progress.numbers.length).to.be.above(1)
      const changed = { ...file, path, name: 'changed.tar.gz', sha256: '0'.repeat(64) }
      expect(await reasonOf(location.upload(changed, recordProgress()))).to.match(/checksum does not match/)
      expect(existsSync(join(folder, 'changed.tar.gz'))).to.equal(false)
    } finally {
      rmSync(path)
    }
  })

  it('is harmless to repeat, and replaces what a crash left half done', async () => {
    const { folder, location } = open()
    const file = await makeArchive(1)
    mkdirSync(folder)
    writeFileSync(join(folder, `${file.name}.part`), 'half')
    linkSync(file.path, join(folder, 'elsewhere.tar.gz.part'))
    expect(await location.list(never())).to.deep.equal([])
    await location.upload(file, recordProgress())
    await location.upload(file, recordProgress())
    expect(readdirSync(folder)).to.have.members([file.name, 'elsewhere.tar.gz.part'])
    await location.discard({ ...file, name: 'elsewhere.tar.gz' }, undefined, never())
    expect(readdirSync(folder)).to.deep.equal([file.name])
  })

  it('follows no link out of the folder', async () => {
    const { folder, location } = open()
    mkdirSync(folder)
    const secret = join(temporaryFolder(), 'secret.key')
    writeFileSync(secret, 'secret')
    symlinkSync(secret, join(folder, 'link.tar.gz'))
    expect(await location.list(never())).to.deep.equal([])
    expect(await reasonOf(location.download('link.tar.gz', undefined, never()))).to.match(/does not exist in/)
    for (const name of ['../secret.key', 'a/b', '..', '.hidden', '']) {
      let error: unknown
      await location.download(name, undefined, never()).catch((thrown: unknown) => {
        error = thrown
      })
      expect(error, name).to.be.instanceOf(TypeError)
    }
  })

  it('passes the connection test, and reports a file in the place of the folder', async () => {
    const { folder, location } = open()
    await location.test(never())
    expect(readdirSync(folder)).to.deep.equal([])
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'in the way')
    const file = await makeArchive(0)
    for (const work of [
      () => location.test(never()),
      () => location.upload(file, recordProgress()),
      () => location.remove(file.name, never()),
      () => location.discard(file, undefined, never()),
    ]) {
      expect(await reasonOf(work())).to.match(/path of the backup folder is a file/)
    }
  })

  it('stops when it is aborted', async () => {
    const { location } = open()
    const why = new Error('The tick is over.')
    const file = await makeArchive(0)
    let error: unknown
    await location.upload(file, recordProgress(AbortSignal.abort(why))).catch((thrown: unknown) => {
      error = thrown
    })
    expect(error).to.equal(why)
  })
})
