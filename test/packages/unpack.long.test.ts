import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { ZipArchive } from 'archiver'
import { expect } from 'chai'
import { type Header, pack } from 'tar-stream'
import { unpackPackage } from '../../app/packages/unpack.ts'
import { temporaryFolder } from '../support/site-folder.ts'

type Entry = Partial<Header> & { readonly name: string; readonly text?: string }

async function tarFile(entries: readonly Entry[], compress: (content: Buffer) => Buffer = gzipSync): Promise<string> {
  const archive = pack()
  for (const { text = '', ...header } of entries) archive.entry(header, text)
  archive.finalize()
  const path = join(temporaryFolder(), 'package.tgz')
  writeFileSync(path, compress(await buffer(archive)))
  return path
}

async function zipFile(files: Readonly<Record<string, string>>): Promise<string> {
  const archive = new ZipArchive()
  for (const [name, text] of Object.entries(files)) archive.append(text, { name })
  const [content] = await Promise.all([buffer(archive), archive.finalize()])
  const path = join(temporaryFolder(), 'package.zip')
  writeFileSync(path, content)
  return path
}

describe('unpacking a package', () => {
  let folder: string

  beforeEach(() => {
    folder = join(temporaryFolder(), 'unpacked')
  })

  const rejected = async (path: string): Promise<string> => {
    const error = await unpackPackage(path, folder).catch((thrown: unknown) => thrown)
    expect(error).to.be.an('error')
    return error instanceof Error ? error.message : ''
  }

  it('returns the only folder of an archive', async () => {
    const path = await tarFile([
      { name: 'package/index.js', text: 'one' },
      { name: 'package/lib/two.js', text: 'two' },
    ])
    const root = await unpackPackage(path, folder)
    expect(root).to.equal(join(folder, 'package'))
    expect(readFileSync(join(root, 'lib/two.js'), 'utf8')).to.equal('two')
  })

  it('returns everything if there is no such folder, for tar, zip, and folders', async () => {
    const files = { 'index.js': 'one', 'lib/two.js': 'two' }
    const tar = await tarFile(
      Object.entries(files).map(([name, text]) => ({ name: `./${name}`, text })),
      (content) => content,
    )
    const source = join(temporaryFolder(), 'source')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(source, name)), { recursive: true })
      writeFileSync(join(source, name), text)
    }
    for (const path of [tar, await zipFile(files), source]) {
      const target = join(temporaryFolder(), 'target')
      expect(await unpackPackage(path, target)).to.equal(target)
      expect(readdirSync(target).sort()).to.deep.equal(['index.js', 'lib'])
      expect(readFileSync(join(target, 'lib/two.js'), 'utf8')).to.equal('two')
    }
  })

  for (const name of [
    '../outside.js',
    'package/../../outside.js',
    '/outside.js',
    'a\\..\\outside.js',
    'C:/outside.js',
    'a//b.js',
    'a/\u0001.js',
    'nul /a.js',
  ]) {
    it(`rejects the name ${JSON.stringify(name)}`, async () => {
      expect(await rejected(await tarFile([{ name, text: 'x' }]))).to.match(/a file with an unsafe name/)
      expect(existsSync(join(dirname(folder), 'outside.js'))).to.equal(false)
    })
  }

  for (const type of ['symlink', 'link', 'character-device', 'fifo'] as const) {
    it(`rejects a ${type}`, async () => {
      const path = await tarFile([{ name: 'package/passwd', type, linkname: '/etc/passwd' }])
      expect(await rejected(path)).to.match(/contains a link or device/)
    })
  }

  it('rejects a file below a link that comes before it', async () => {
    const link = { name: 'package/lib', type: 'symlink', linkname: '/tmp' } as const
    expect(await rejected(await tarFile([link, { name: 'package/lib/a.js', text: 'x' }]))).to.match(/link or device/)
  })

  it('rejects a link in a folder', async () => {
    const source = temporaryFolder()
    symlinkSync('/etc/passwd', join(source, 'index.js'))
    expect(await rejected(source)).to.match(/contains a link or device/)
  })

  it('rejects a name that occurs twice', async () => {
    const twice = [
      { name: 'package/a.js', text: '1' },
      { name: 'package/a.js', text: '2' },
    ]
    expect(await rejected(await tarFile(twice))).to.match(/two files with the same name/)
  })

  it('rejects too many files', async () => {
    const many = Array.from({ length: 5_001 }, (_, number) => ({ name: `package/${number}.js` }))
    expect(await rejected(await tarFile(many))).to.match(/contains more than 5000 files/)
  })

  it('rejects more than 100 MB, before it is on disk', async () => {
    const text = 'x'.repeat(101 * 1024 * 1024)
    expect(await rejected(await tarFile([{ name: 'package/a.js', text }]))).to.match(/larger than 100 MB unpacked/)
    expect(await rejected(await zipFile({ 'a.js': text }))).to.match(/larger than 100 MB unpacked|damaged/)
  })

  it('rejects a truncated archive, an empty one, and one that does not exist', async () => {
    const path = await tarFile([{ name: 'package/a.js', text: 'x'.repeat(10_000) }])
    writeFileSync(path, readFileSync(path).subarray(0, 60))
    expect(await rejected(path)).to.match(/The file is damaged/)
    expect(await rejected(await tarFile([]))).to.match(/contains no files/)
    expect(await rejected('/no/such/file')).to.match(/does not exist/)
  })
})
