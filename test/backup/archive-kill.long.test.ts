import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createArchiveWriter } from '../../plugins/backup/archive/writer.ts'
import { noise, randomsOf } from '../support/randoms.ts'
import {
  complete,
  describeTree,
  extractAll,
  scan,
  temporaryFolder,
  verifyAll,
  withArchive,
  writeList,
  writeTree,
} from './archive-files.ts'

describe('An archive whose process is killed', () => {
  it('is finished by the next process and holds exactly the files, whenever it happened', async () => {
    const seed = process.env.PENTAD_TEST_SEED ?? '2026'
    const random = randomsOf(seed)
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    const small = Array.from({ length: 300 }, (_, at) => [`uploads/${at % 7}/${at}`, noise(`${at}`, 40_000)])
    await writeTree(tree, { ...Object.fromEntries(small), 'uploads/movie': noise('movie', 9_000_000), none: null })
    const before = await describeTree(tree)
    for (const compression of ['gzip', 'zstd'] as const) {
      const work = join(folder.path, `work-${compression}`)
      const path = join(folder.path, `archive-${compression}`)
      await writeList(work, scan(tree))
      const seen: number[] = []
      for (let kills = 0; kills < 4; kills++) {
        const child = fork(new URL('./archive-child.ts', import.meta.url), [work, path, compression])
        const gone = once(child, 'exit')
        await Promise.race([once(child, 'message'), gone])
        await Promise.race([new Promise((resolve) => setTimeout(resolve, random() * 1200)), gone])
        child.kill('SIGKILL')
        await gone
        const finished = (await readdir(join(work, 'segments')).catch(() => [])).filter((name) =>
          name.endsWith('.ndjson'),
        )
        seen.push(finished.length)
      }
      expect(seen, 'finished segments stay').deep.equal([...seen].sort((one, other) => one - other))
      const writer = createArchiveWriter({ folder: work, compression })
      const { sha256 } = await complete(writer, path)
      const warnings = await Array.fromAsync(writer.warnings())
      await writer.close()
      expect(warnings).deep.equal([])
      expect(sha256, `seed ${seed}`).match(/^[0-9a-f]{64}$/)
      const out = join(folder.path, `out-${compression}`)
      await withArchive(path, join(folder.path, `read-${compression}`), async (archive) => {
        expect(archive.indexed).equal(true)
        await verifyAll(archive)
        await extractAll(archive, out)
      })
      expect(await describeTree(join(out, 'files')), `seed ${seed}`).deep.equal(before)
    }
  })

  it('makes a segment again that the disk did not keep', async () => {
    await using folder = await temporaryFolder()
    const tree = join(folder.path, 'tree')
    await writeTree(tree, { movie: noise('movie', 5_000_000), small: 'small', none: null })
    const work = join(folder.path, 'work')
    await writeList(work, scan(tree))
    const first = createArchiveWriter({ folder: work, compression: 'gzip' })
    const { segments } = await first.makeSegments(AbortSignal.timeout(60_000))
    await first.close()
    expect(segments.made).equal(segments.total).greaterThan(3)
    const made = (await readdir(join(work, 'segments'))).sort()
    const [torn = '', halfListed = ''] = [made.findLast((name) => name.endsWith('.tar')), made[0]]
    expect(halfListed).match(/ndjson$/)
    for (const name of [torn, halfListed]) {
      const path = join(work, 'segments', name)
      await truncate(path, (await stat(path)).size - 1)
    }
    const second = createArchiveWriter({ folder: work, compression: 'gzip' })
    const path = join(folder.path, 'archive.tar.gz')
    await complete(second, path)
    await second.close()
    const out = join(folder.path, 'out')
    await withArchive(path, join(folder.path, 'read'), (archive) => extractAll(archive, out))
    expect(await describeTree(join(out, 'files'))).deep.equal(await describeTree(tree))
  })
})
