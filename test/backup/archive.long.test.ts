import { execFileSync, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { SEGMENT_BYTES } from '../../plugins/backup/archive/format.ts'
import { openArchive } from '../../plugins/backup/archive/open.ts'
import { createArchiveWriter } from '../../plugins/backup/archive/writer.ts'
import type { Compression, SourceEntry } from '../../plugins/backup/types.ts'
import {
  archiveOf,
  complete,
  describeTree,
  extractAll,
  facts,
  finishArchive,
  scan,
  temporaryFolder,
  tool,
  verifyAll,
  withArchive,
  writeList,
  writeTree,
} from './archive-files.ts'

const COMPRESSIONS: readonly Compression[] = ['gzip', 'zstd']
const large = SEGMENT_BYTES * 2 + 12_345

for (const compression of COMPRESSIONS) {
  describe(`An archive in ${compression}`, () => {
    it('is one that standard tools list, test, unpack and sum up', async () => {
      await using folder = await temporaryFolder()
      const tree = join(folder.path, 'tree')
      await writeTree(tree, {
        'uploads/a.txt': 'hello',
        'uploads/movie.mp4': randomBytes(large),
        'uploads/log.txt': Buffer.alloc(large, 'line\n'),
        'uploads/new\nline\\.txt': 'odd',
        'uploads/zero': '',
        'themes/empty': null,
      })
      const { path, sha256, size } = await archiveOf(folder.path, tree, compression)
      const out = join(folder.path, 'out')
      await mkdir(out)
      expect(
        tool(compression === 'gzip' ? 'gzip' : 'zstd', ['-t', ...(compression === 'zstd' ? ['-q'] : []), path]),
      ).equal('')
      expect(tool('tar', ['-tf', path]).split('\n')).include('files/uploads/movie.mp4')
      expect(tool('tar', ['-xf', path, '-C', out])).equal('')
      expect(tool('sha256sum', ['--quiet', '-c', 'checksums.sha256'], out)).equal('')
      expect(tool('sha256sum', [path])).match(new RegExp(`^${sha256} `))
      expect((await readFile(path)).length).equal(size)
      expect(await describeTree(join(out, 'files'))).deep.equal(await describeTree(tree))
      const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))
      expect(manifest).include({ formatVersion: 1, siteUrl: 'https://example.org', compression })
      expect(manifest.counts).deep.equal({ files: 5, directories: 3, links: 0, bytes: 2 * large + 8 })
      expect(manifest.files).lengthOf(5)
      for (const { name, size, sha256 } of manifest.files) {
        const content = await readFile(join(out, name))
        expect({ name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }).deep.equal({
          name,
          size,
          sha256,
        })
      }
    })

    it('comes back as it was, names and all', async () => {
      await using folder = await temporaryFolder()
      const tree = join(folder.path, 'tree')
      const deep = Array.from({ length: 15 }, () => 'd'.repeat(200)).join('/')
      await writeTree(tree, {
        'e\u0301moji-😀.txt': 'NFD',
        '\u00e9moji-😀.txt': 'NFC',
        [`${'n'.repeat(251)}.txt`]: '255 bytes',
        [`${'folder'.repeat(20)}/${'name'.repeat(30)}`]: 'over 100',
        [deep]: null,
        [`${deep}/leaf`]: 'deep',
        'back\\slash': 'b',
        'ends\\': 'b',
        'new\nline': 'n',
        'trailing ': 't',
        'dot.': 'd',
        CON: 'c',
        'C:': 'c',
        'C:drive': 'drive',
        '-rf': 'f',
        'sub/real.txt': 'real',
        none: null,
      })
      await symlink('sub/real.txt', join(tree, 'link'))
      await symlink('real.txt', join(tree, 'sub/a\\b'))
      await symlink('nowhere', join(tree, 'dangling'))
      await symlink('loop', join(tree, 'loop'))
      await link(join(tree, 'sub/real.txt'), join(tree, 'sub/hard.txt'))
      await (await open(join(tree, 'sparse'), 'w')).close()
      await truncate(join(tree, 'sparse'), 3_000_000)
      const { path, warnings } = await archiveOf(folder.path, tree, compression)
      expect(warnings).deep.equal([])
      await withArchive(path, join(folder.path, 'read'), async (archive) => {
        await verifyAll(archive)
        await extractAll(archive, join(folder.path, 'out'))
      })
      expect(await describeTree(join(folder.path, 'out/files'))).deep.equal(await describeTree(tree))
    })

    it('that standard tools packed again is read without its index', async () => {
      await using folder = await temporaryFolder()
      const tree = join(folder.path, 'tree')
      await writeTree(tree, { 'uploads/a': 'a', 'uploads/big': randomBytes(large), 'back\\slash\n': 'b', none: null })
      await symlink('a', join(tree, 'uploads/link'))
      const { path } = await archiveOf(folder.path, tree, compression)
      const again = join(folder.path, 'again')
      await mkdir(again)
      tool('tar', ['-xf', path, '-C', again])
      for (const what of [['.'], await readdir(again)]) {
        const packed = join(folder.path, `again-${what.length}.tar`)
        tool('tar', [compression === 'gzip' ? '-z' : '--zstd', '-cf', packed, '-C', again, ...what])
        await withArchive(packed, join(folder.path, `read-${what.length}`), async (archive) => {
          expect(archive.indexed).equal(false)
          await verifyAll(archive)
          const out = join(folder.path, `out-${what.length}`)
          await extractAll(archive, out)
          expect(await describeTree(join(out, 'files'))).deep.equal(await describeTree(tree))
          expect((await readdir(out)).sort()).deep.equal(['files'])
        })
      }
    })
  })
}

describe('A file of the site', () => {
  it('that grew, shrank, vanished, became another or cannot be read is a warning, and the archive is sound', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    const names = ['grew', 'shrank', 'gone', 'replaced', 'pipe', 'link', 'grew-large', 'shrank-large', 'gone-large']
    await writeTree(
      tree,
      Object.fromEntries(names.map((name) => [name, name.endsWith('large') ? randomBytes(large) : 'as it was'])),
    )
    const work = join(folder.path, 'work')
    await writeList(work, scan(tree))
    const at = (name: string) => join(tree, name)
    await appendFile(at('grew'), ' and more')
    await truncate(at('shrank'), 3)
    await rm(at('gone'))
    await writeFile(at('new'), 'another')
    await rename(at('new'), at('replaced'))
    await rm(at('pipe'))
    execFileSync('mkfifo', [at('pipe')])
    await rm(at('link'))
    await symlink('/etc/passwd', at('link'))
    await appendFile(at('grew-large'), 'more')
    await truncate(at('shrank-large'), SEGMENT_BYTES + 7)
    await rm(at('gone-large'))
    const writer = createArchiveWriter({ folder: work, compression: 'gzip' })
    const path = join(folder.path, 'archive.tar.gz')
    await complete(writer, path)
    const warnings = await Array.fromAsync(writer.warnings())
    await writer.close()
    expect(warnings.map(({ name }) => name).sort()).deep.equal([
      'files/gone',
      'files/gone-large',
      'files/grew-large',
      'files/link',
      'files/pipe',
    ])
    const out = join(folder.path, 'out')
    await withArchive(path, join(folder.path, 'read'), (archive) => extractAll(archive, out))
    expect((await readdir(join(out, 'files'))).sort()).deep.equal([
      'grew',
      'grew-large',
      'replaced',
      'shrank',
      'shrank-large',
    ])
    expect(await readFile(join(out, 'files/shrank'), 'utf8')).equal('as ')
    expect((await readFile(join(out, 'files/grew-large'))).length).equal(large)
    expect((await readFile(join(out, 'files/shrank-large'))).length).equal(SEGMENT_BYTES + 7)
  })

  it('that is cut between two of its segments keeps its size and is named', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { movie: Buffer.alloc(large, 'x') })
    const work = join(folder.path, 'work')
    await writeList(work, scan(tree))
    const path = join(folder.path, 'archive.tar.gz')
    const writer = createArchiveWriter({ folder: work, compression: 'gzip', threads: 1 })
    const stop = new AbortController()
    const first = writer.makeSegments(stop.signal)
    stop.abort()
    await first
    await writer.makeSegments(AbortSignal.timeout(2000))
    // The first segment stays; the others are made again from what is left of the file.
    for (const name of (await readdir(join(work, 'segments'))).filter((file) => !file.startsWith('0000000'))) {
      await rm(join(work, 'segments', name))
    }
    await writer.close()
    await truncate(join(tree, 'movie'), SEGMENT_BYTES + 5)
    const second = createArchiveWriter({ folder: work, compression: 'gzip' })
    await complete(second, path)
    const warnings = await Array.fromAsync(second.warnings())
    await second.close()
    expect(new Set(warnings.map(({ name }) => name))).deep.equal(new Set(['files/movie']))
    const out = join(folder.path, 'out')
    await withArchive(path, join(folder.path, 'read'), (archive) => extractAll(archive, out))
    const content = await readFile(join(out, 'files/movie'))
    expect(content.length).equal(large)
    expect(content.subarray(0, SEGMENT_BYTES + 5).equals(Buffer.alloc(SEGMENT_BYTES + 5, 'x'))).equal(true)
    expect(content.subarray(SEGMENT_BYTES + 5).every((byte) => byte === 0)).equal(true)
  })

  it('may be a link that points outside its folder: it is skipped with a warning, never followed', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { 'uploads/a': 'a', secret: 's' })
    await symlink('/etc/passwd', join(tree, 'uploads/absolute'))
    await symlink('../secret', join(tree, 'uploads/up'))
    await symlink('a', join(tree, 'uploads/stays'))
    const { path, warnings } = await archiveOf(folder.path, tree)
    expect(warnings.map(({ name }) => name).sort()).deep.equal(['files/uploads/absolute', 'files/uploads/up'])
    expect(tool('tar', ['-tf', path]))
      .include('files/uploads/stays')
      .not.include('absolute')
  })

  it('may be a socket, which is left out', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { a: 'a' })
    const server = createServer().listen(join(tree, 'socket'))
    await once(server, 'listening')
    const { warnings } = await archiveOf(folder.path, tree)
    server.close()
    expect(warnings.map(({ name }) => name)).deep.equal(['files/socket'])
  })

  it('of more than 8 GiB has a header that tar understands', async () => {
    const { packHeader } = await import('../../plugins/backup/archive/tar.ts')
    await using folder = await temporaryFolder()
    const header = await packHeader({ name: 'files/huge', type: 'file', mode: 0o644, mtimeMs: 0 }, 9 * 1024 ** 3)
    const path = join(folder.path, 'huge.tar')
    await writeFile(path, header)
    await truncate(path, header.length + 9 * 1024 ** 3 + 1024)
    expect(tool('tar', ['-tvf', path])).include(` ${9 * 1024 ** 3} `)
  })
})

describe('Making an archive in ticks', () => {
  it('leaves nothing in the folder that the process was started in', async () => {
    await using folder = await temporaryFolder()
    const [tree, started] = [join(folder.path, 'tree'), join(folder.path, 'started')]
    await mkdir(started)
    await writeTree(tree, { 'uploads/a.txt': 'hello' })
    await writeList(join(folder.path, 'work'), scan(tree))
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    const args = [join(folder.path, 'work'), join(folder.path, 'archive'), 'gzip']
    const [code] = await once(fork(new URL('./archive-child.ts', import.meta.url), args, { cwd: started, env }), 'exit')
    expect([code, await readdir(started)]).deep.equal([0, []])
  })

  it('continues after the end of a tick and of a process, and publishes by renaming', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    const files = Array.from({ length: 12 }, (_, index) => [`${index}`, randomBytes(SEGMENT_BYTES - 5000)])
    await writeTree(tree, Object.fromEntries(files))
    const work = join(folder.path, 'work')
    await writeList(work, scan(tree))
    const path = join(folder.path, 'archive.tar.gz')
    const made: number[] = []
    for (let done = false; !done; ) {
      const writer = createArchiveWriter({ folder: work, compression: 'gzip', threads: 1 })
      const stop = new AbortController()
      const tick = writer.makeSegments(stop.signal)
      while (
        (await readdir(join(work, 'segments')).catch(() => [])).filter((name) => name.endsWith('ndjson')).length <=
        (made.at(-1) ?? 0)
      ) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if ((made.at(-1) ?? 0) >= files.length) break
      }
      stop.abort()
      const progress = await tick
      made.push(progress.segments.made)
      done = progress.done
      expect(progress.segments.total).equal(files.length)
      await writer.close()
    }
    expect(made.length).greaterThan(2)
    const first = createArchiveWriter({ folder: work, compression: 'gzip' })
    await first.makeSegments(AbortSignal.timeout(2000))
    expect(await first.finish({ path, facts }, AbortSignal.abort())).include({ done: false })
    await first.close()
    expect(await readdir(folder.path)).not.include('archive.tar.gz')
    const second = createArchiveWriter({ folder: work, compression: 'gzip' })
    const finished = await finishArchive(second, path, 50)
    expect(await finishArchive(second, path)).deep.equal(finished)
    await second.close()
    expect(await readdir(folder.path))
      .include('archive.tar.gz')
      .not.include('archive.tar.gz.part')
    await withArchive(path, join(folder.path, 'read'), verifyAll)
  })

  it('publishes nothing when the disk did not keep what was written', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { a: randomBytes(100_000) })
    const work = join(folder.path, 'work')
    await writeList(work, scan(tree))
    const writer = createArchiveWriter({ folder: work, compression: 'gzip' })
    await writer.makeSegments(AbortSignal.timeout(2000))
    const segment = join(
      work,
      'segments',
      (await readdir(join(work, 'segments'))).find((name) => name.endsWith('.tar')) ?? '',
    )
    const file = await open(segment, 'r+')
    await file.write(Buffer.from('?'), 0, 1, 5000)
    await file.close()
    const path = join(folder.path, 'archive.tar.gz')
    const failure = await finishArchive(writer, path).catch((error) => error)
    await writer.close()
    expect(failure).include({ code: 'archive_corrupt' })
    expect(await readdir(folder.path)).not.include('archive.tar.gz')
  })

  it('makes an archive of nothing, whatever another job left at its place', async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 'tree'))
    await writeFile(join(folder.path, 'archive.tar.gz.part'), 'left by another job')
    const { path, manifest } = await archiveOf(folder.path, join(folder.path, 'tree'))
    expect(manifest.counts.files).equal(0)
    await withArchive(path, join(folder.path, 'read'), verifyAll)
  })
})

describe('Reading an archive', () => {
  it('fetches only the parts that it needs from a location', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, {
      'database/posts.ndjson': '{}\n',
      'uploads/a/one': randomBytes(large),
      'uploads/a!': 'other',
    })
    const { path, size } = await archiveOf(folder.path, tree)
    const bytes = await readFile(path)
    let fetched = 0
    const source = {
      size,
      async *read(start: number, end: number) {
        fetched += end - start + 1
        yield bytes.subarray(start, end + 1)
      },
    }
    const archive = await openArchive(source, { workFolder: join(folder.path, 'read') })
    const names: string[] = []
    for await (const { name } of archive.list()) names.push(name)
    expect(names.sort()).deep.equal(
      [
        'files/database',
        'files/database/posts.ndjson',
        'files/uploads',
        'files/uploads/a',
        'files/uploads/a!',
        'files/uploads/a/one',
      ].sort(),
    )
    expect(fetched).below(5000)
    await extractAll(archive, join(folder.path, 'out'), ['files/database'])
    expect(fetched).below(10_000)
    expect(await readdir(join(folder.path, 'out/files'))).deep.equal(['database'])
    await extractAll(archive, join(folder.path, 'more'), ['files/uploads/a'])
    expect(await describeTree(join(folder.path, 'more/files/uploads/a'))).deep.equal(
      await describeTree(join(tree, 'uploads/a')),
    )
    expect(await readdir(join(folder.path, 'more/files/uploads'))).deep.equal(['a'])
    await archive.close()
  })

  it('lists more entries than fit into one segment, and keeps their order', async () => {
    await using folder = await temporaryFolder()
    async function* many(): AsyncGenerator<SourceEntry> {
      await writeFile(join(folder.path, 'file'), 'x')
      for (let index = 0; index < 5000; index++) {
        yield {
          name: `files/${index}`,
          path: join(folder.path, 'file'),
          category: 'others',
          type: 'file',
          size: 1,
          mode: 0o644,
          mtimeMs: 0,
        }
      }
    }
    const work = join(folder.path, 'work')
    await writeList(work, many())
    const writer = createArchiveWriter({ folder: work, compression: 'zstd' })
    const path = join(folder.path, 'archive.tar.zst')
    await complete(writer, path)
    await writer.close()
    await withArchive(path, join(folder.path, 'read'), async (archive) => {
      const names = (await Array.fromAsync(archive.list())).map(({ name }) => name)
      expect(names).deep.equal(Array.from({ length: 5000 }, (_, index) => `files/${index}`))
      await verifyAll(archive)
    })
  })
})

describe('The memory for an archive', () => {
  it('does not grow with the number of segments that are assembled', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { 'uploads/empty-disk.img': '' })
    await truncate(join(tree, 'uploads/empty-disk.img'), 200 * SEGMENT_BYTES)
    // Buffers of earlier tests, which would otherwise be freed in the meantime.
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    collect()
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 1)
    await archiveOf(folder.path, tree, 'zstd')
    clearInterval(timer)
    expect(most / 1024 / 1024).to.be.within(0.1, 10)
  })
})
