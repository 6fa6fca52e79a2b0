import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect } from 'chai'
import { type Header, pack } from 'tar-stream'
import { checksumLine } from '../../plugins/backup/archive/checksum-line.ts'
import { encodeTrailer, trailerBytes } from '../../plugins/backup/archive/trailer.ts'
import {
  archiveOf,
  extractAll,
  facts,
  temporaryFolder,
  tool,
  verifyAll,
  withArchive,
  writeTree,
} from './archive-files.ts'

type Item = Partial<Header> & { name: string; content?: string | Buffer }

const sum = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const good: Item = { name: 'files/uploads/a', content: 'a' }

async function tarOf(items: readonly Item[]): Promise<Buffer> {
  const tar = pack()
  for (const { content = '', ...header } of items) {
    if (header.type === undefined || header.type === 'file') tar.entry({ mtime: new Date(0), ...header }, content)
    else tar.entry({ mtime: new Date(0), ...header })
  }
  tar.finalize()
  return buffer(tar)
}

/** As the service writes it, with each file in a line of its own. */
function manifestText(head: object, files: readonly object[]): string {
  const lines = files.map((file) => `\n    ${JSON.stringify(file)}`).join(',')
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [${lines}\n  ]\n}\n`
}

/** The lists of an archive that holds these things, all sums right: what only an attacker would write. */
function lists(items: readonly Item[], changes: object = {}, index = ''): Item[] {
  const count = (type: string) => items.filter((item) => (item.type ?? 'file') === type).length
  const files = items.filter(({ type }) => (type ?? 'file') === 'file')
  const checksums = files.map(({ name, content = '' }) => checksumLine(name, sum(content))).join('')
  const bytes = files.reduce((total, { content = '' }) => total + Buffer.byteLength(content), 0)
  const manifest = {
    format: 'pentad-backup',
    formatVersion: 1,
    ...facts,
    compression: 'gzip',
    counts: { files: count('file'), directories: count('directory'), links: count('symlink'), bytes },
    checksums: { file: 'checksums.sha256', sha256: sum(checksums) },
    index: { file: 'index.ndjson', sha256: sum(index) },
    ...changes,
  }
  const listed = files.map(({ name, content = '' }) => ({
    name,
    size: Buffer.byteLength(content),
    sha256: sum(content),
  }))
  return [
    { name: 'manifest.json', content: manifestText(manifest, listed) },
    { name: 'checksums.sha256', content: checksums },
    { name: 'index.ndjson', content: index },
  ]
}

/** As standard tools would pack it: no index. */
async function plainArchive(items: readonly Item[], changes: object = {}): Promise<Buffer> {
  return gzipSync(await tarOf([...items, ...lists(items, changes)]))
}

/** With an index that says this about its one member. */
async function indexedArchive(
  items: readonly Item[],
  entries: readonly object[],
  member: object = {},
  tail: object = {},
): Promise<Buffer> {
  const tar = (await tarOf(items)).subarray(0, -1024)
  const body = gzipSync(tar)
  const about = { at: 0, bytes: body.length, tarBytes: tar.length, sha256: sum(body), continues: false, ...member }
  const index = [about, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')
  const end = gzipSync(await tarOf(lists(items, {}, index)))
  const trailer = encodeTrailer('gzip', { at: body.length, bytes: end.length, sha256: sum(end), ...tail })
  return Buffer.concat([body, end, trailer])
}

const about = (item: Item, changes: object = {}) => ({
  name: item.name,
  type: item.type ?? 'file',
  size: Buffer.byteLength(item.content ?? ''),
  mode: 0o644,
  mtimeMs: 0,
  ...((item.type ?? 'file') === 'file' && { sha256: sum(item.content ?? '') }),
  ...(item.linkname && { linkTarget: item.linkname }),
  offset: 0,
  ...changes,
})

/** Opens, verifies and unpacks; resolves to what was refused, after looking that nothing was written anywhere else. */
async function refusal(bytes: Buffer): Promise<{ code: string; message: string } | undefined> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'uploaded.tar.gz')
  await writeFile(path, bytes)
  await mkdir(join(folder.path, 'work'))
  try {
    await withArchive(path, join(folder.path, 'work/read'), async (archive) => {
      await verifyAll(archive)
      await extractAll(archive, join(folder.path, 'work/out'))
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    expect(error.message).not.include(folder.path)
    return { code: String(error.code), message: error.message }
  } finally {
    expect((await readdir(folder.path)).sort()).deep.equal(['uploaded.tar.gz', 'work'])
  }
}

describe('A hostile archive', () => {
  it('is distinguished from one that was repacked by another tool', async () => {
    expect(await refusal(await plainArchive([good]))).equal(undefined)
    expect(await refusal(await indexedArchive([good], [about(good)]))).equal(undefined)
  })

  const names: Record<string, Item[]> = {
    'climbs out': [{ name: '../x', content: 'x' }],
    'climbs out in the middle': [{ name: 'files/a/../../../x', content: 'x' }],
    'climbs out behind a dot': [{ name: './../x', content: 'x' }],
    'climbs out with backslashes': [{ name: 'files\\..\\..\\x', content: 'x' }],
    'is absolute': [{ name: '/tmp/x', content: 'x' }],
    'has a drive': [{ name: 'C:\\x', content: 'x' }],
    'has a drive and a slash': [{ name: 'C:/x', content: 'x' }],
    'is a share': [{ name: '\\\\server\\share', content: 'x' }],
    'holds a NUL': [{ name: 'files/ok', content: 'x', pax: { path: 'files/a\0b' } }],
    'climbs out by a pax record': [{ name: 'files/ok', content: 'x', pax: { path: '../../x' } }],
    'has an empty part': [{ name: 'files//x', content: 'x' }],
    'comes twice': [good, good],
    'comes twice in two forms': [good, { ...good, name: './files/uploads/a' }],
    'lies below a link': [
      { name: 'files/uploads/l', type: 'symlink', linkname: 'a' },
      { name: 'files/uploads/l/x', content: 'x' },
    ],
    'lies below a link that comes later': [
      { name: 'files/uploads/l/deep/x', content: 'x' },
      { name: 'files/uploads/l', type: 'symlink', linkname: 'a' },
    ],
    'lies below a file': [good, { name: 'files/uploads/a/x', content: 'x' }],
    'is a link to an absolute path': [{ name: 'files/uploads/l', type: 'symlink', linkname: '/etc/passwd' }],
    'is a link out of the archive': [{ name: 'files/uploads/l', type: 'symlink', linkname: '../../../x' }],
    'is a link out of its own folder': [{ name: 'files/uploads/l', type: 'symlink', linkname: '../secret.key' }],
    'is a link that climbs behind another': [{ name: 'files/uploads/l', type: 'symlink', linkname: 'm/../../x' }],
    'is a link that climbs by a pax record': [
      { name: 'files/uploads/l', type: 'symlink', linkname: 'ok', pax: { linkpath: '/etc/passwd' } },
    ],
    'is a link for the folder of uploads': [{ name: 'files/uploads', type: 'symlink', linkname: 'backups' }],
    'is a link from the folder of themes to the site': [{ name: 'files/themes', type: 'symlink', linkname: '.' }],
    'is a link for the folder of the site': [{ name: 'files', type: 'symlink', linkname: 'other' }],
    'is a link for the tables': [{ name: 'database', type: 'symlink', linkname: 'files/uploads' }],
    'is a hard link': [good, { name: 'files/uploads/h', type: 'link', linkname: '/etc/passwd' }],
    'is a device': [{ name: 'files/uploads/null', type: 'character-device', devmajor: 1, devminor: 3 }],
    'is a pipe': [{ name: 'files/uploads/pipe', type: 'fifo' }],
  }
  for (const [what, items] of Object.entries(names)) {
    it(`is refused when an entry ${what}`, async () => {
      expect(await refusal(await plainArchive(items))).include({ code: 'archive_unsafe' })
    })
  }

  const indexed: Record<string, Item[]> = {
    'a name that climbs out': [{ name: 'files/../../x', content: 'x' }],
    'a link that leads out': [{ name: 'files/uploads/l', type: 'symlink', linkname: '../../../x' }],
  }
  for (const [what, items] of Object.entries(indexed)) {
    it(`is refused when its index holds ${what}, before its content is read`, async () => {
      const entries = items.map((item) => about(item))
      expect(await refusal(await indexedArchive(items, entries, { sha256: sum('') }))).include({
        code: 'archive_unsafe',
      })
    })
  }

  const lies: Record<string, () => Promise<Buffer>> = {
    'another name than the tar': () => indexedArchive([good], [about(good, { name: 'files/uploads/b' })]),
    'another size than the tar': () => indexedArchive([good], [about(good, { size: 2 })]),
    'a sum that is wrong': () => indexedArchive([good], [about(good, { sha256: sum('b') })]),
    'fewer entries than the tar': () => indexedArchive([good], []),
    'an entry outside its member': () => indexedArchive([good], [about(good, { offset: 5_000_000 })]),
    'a member that unpacks to more': () => indexedArchive([good], [about(good)], { tarBytes: 512 }),
    'a member that unpacks to less': () => indexedArchive([good], [about(good)], { tarBytes: 2048 }),
    'an enormous member': () => indexedArchive([good], [about(good)], { tarBytes: 2 ** 40 }),
    'a gap before the first member': () => indexedArchive([good], [about(good)], { at: 1 }),
    'members that overlap the tail': () => indexedArchive([good], [about(good)], { bytes: 5000 }),
    'an end that points nowhere': () => indexedArchive([good], [about(good)], {}, { at: 2 ** 40 }),
    'another sum of itself': () => indexedArchive([good], [about(good)], {}, { sha256: sum('') }),
  }
  for (const [what, make] of Object.entries(lies)) {
    it(`is refused when its index has ${what}`, async () => {
      expect(await refusal(await make())).include({ code: 'archive_corrupt' })
    })
  }

  it('is refused when its totals are not those of its content', async () => {
    const counts = { files: 1, directories: 0, links: 0, bytes: 1000 }
    expect(await refusal(await plainArchive([good], { counts }))).include({ code: 'archive_corrupt' })
  })

  it('is rejected if a size in a header is wrong', async () => {
    const tar = await tarOf([good, ...lists([good])])
    const lying = Buffer.from(tar)
    lying.write('77777777777', 124)
    let sumOfHeader = 8 * 32
    for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sumOfHeader += lying[at] ?? 0
    lying.write(`${sumOfHeader.toString(8).padStart(6, '0')}\0 `, 148)
    expect(await refusal(gzipSync(lying))).include({ code: 'archive_corrupt' })
  })

  it('is refused without a manifest, with one that is broken, and with one of another format', async () => {
    expect(await refusal(gzipSync(await tarOf([good])))).include({ code: 'archive_corrupt' })
    const broken = [good, { name: 'manifest.json', content: '{' }]
    expect(await refusal(gzipSync(await tarOf(broken)))).include({ code: 'archive_corrupt' })
    const newer = await refusal(await plainArchive([good], { formatVersion: 2 }))
    expect(newer).include({ code: 'archive_unsupported' })
    expect(newer?.message).match(/format 2.*reads format 1/)
  })

  it('is refused when it is no archive at all', async () => {
    const nothing = [
      Buffer.alloc(0),
      Buffer.from('no'),
      Buffer.from('PK\x03\x04 42.zip'),
      gzipSync('text'),
      gzipSync(''),
      zstdCompressSync('x'),
    ]
    for (const bytes of nothing) expect(await refusal(bytes)).include({ code: 'archive_corrupt' })
  })

  it('is refused when it unpacks to far more than its size allows', async () => {
    const zeros = zstdCompressSync(Buffer.alloc(256 * 1024 * 1024))
    expect(await refusal(Buffer.concat(Array.from({ length: 8 }, () => zeros)))).include({ code: 'archive_too_large' })
    const header = (await tarOf([{ name: 'files/bomb', content: Buffer.alloc(512) }])).subarray(0, 512)
    const bomb = Buffer.from(header)
    bomb.write(`${(8 * 1024 ** 3 - 512).toString(8).padStart(11, '0')} `, 124)
    let total = 8 * 32
    for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) total += bomb[at] ?? 0
    bomb.write(`${total.toString(8).padStart(6, '0')}\0 `, 148)
    const packed = Buffer.concat([zstdCompressSync(bomb), ...Array.from({ length: 8 }, () => zeros)])
    expect(await refusal(packed)).include({ code: 'archive_too_large' })
  })

  it('is refused when its lists fill the disk, before they do', async () => {
    const long = 'n'.repeat(250)
    const name = (number: number) => `files/${Array.from({ length: 14 }, () => long).join('/')}/${number}`
    const lines = Array.from({ length: 60_000 }, (_, number) => about({ name: name(number) }, { offset: number }))
    const bomb = await indexedArchive([good], lines, { tarBytes: 64 * 1024 ** 2 })
    expect(bomb.length).lessThan(2.5 * 1024 ** 2)
    expect(await refusal(bomb)).include({ code: 'archive_too_large' })
  })
})

describe('A damaged archive', () => {
  it('is refused wherever a byte is altered, and wherever it is cut off or followed by something', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { 'uploads/a': 'a'.repeat(3000), 'uploads/b/c': 'c', none: null })
    await symlink('a', join(tree, 'uploads/link'))
    for (const compression of ['gzip', 'zstd'] as const) {
      const { path } = await archiveOf(folder.path, tree, compression)
      const bytes = await readFile(path)
      for (let step = 0; step < 20; step++) {
        const at = 4 + Math.floor(((bytes.length - trailerBytes(compression) - 5) * step) / 19)
        const altered = Buffer.from(bytes)
        altered[at] = (altered[at] ?? 0) ^ 0x55
        expect(await refusal(altered), `${compression}, byte ${at} of ${bytes.length}`).include({
          code: 'archive_corrupt',
        })
      }
      for (const length of [10, 200, bytes.length - 300, bytes.length - 1]) {
        const cut = await refusal(bytes.subarray(0, length))
        expect(cut, `${compression}, ${length} of ${bytes.length}`).include({ code: 'archive_corrupt' })
      }
      for (const more of ['garbage', '\0\0garbage', bytes]) {
        const followed = await refusal(Buffer.concat([bytes, Buffer.from(more)]))
        expect(followed?.code).oneOf(['archive_corrupt', 'archive_unsafe'])
      }
    }
  })

  it('is refused when a file was changed and packed again', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { 'uploads/a': 'a' })
    const { path } = await archiveOf(folder.path, tree)
    const again = join(folder.path, 'again')
    await mkdir(again)
    tool('tar', ['-xf', path, '-C', again])
    await writeFile(join(again, 'files/uploads/a'), 'b')
    tool('tar', ['-czf', path, '-C', again, '.'])
    const answer = await refusal(await readFile(path))
    expect(answer).include({ code: 'archive_corrupt' })
    expect(answer?.message).include('files/uploads/a')
  })
})
