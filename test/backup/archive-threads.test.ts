import { readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createThreads, type Threads } from '../../plugins/backup/archive/threads.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from './archive-files.ts'

/** How many threads this process has. */
const threadsNow = async () => (await readdir('/proc/self/task')).length

describe('The threads of archives', () => {
  const small = (threads: Threads) => threads.run('sum', { path: import.meta.filename })

  it('serve one archive after the other', async () => {
    const open = createThreads()
    await small(open)
    const before = await threadsNow()
    for (let archives = 0; archives < 5; archives++) {
      const threads = createThreads()
      await small(threads)
      await threads.close()
      expect(await threadsNow()).to.be.at.most(before)
    }
  })

  it('end at once with the archive that is closed, whatever they do, and do the work of another one', async () => {
    await using folder = await temporaryFolder()
    const [endless, large] = [join(folder.path, 'endless'), join(folder.path, 'large')]
    await writeFile(endless, '')
    await writeFile(large, '')
    // Takes no room on the disk, and half an hour to read.
    await truncate(endless, 1e12)
    await truncate(large, 100e6)
    const [closed, other] = [createThreads(), createThreads()]
    // From now on there are three of them.
    await Promise.all([small(closed), small(closed), small(other)])
    const ended = closed.run('sum', { path: endless }).catch(() => 'ended')
    const others = other.run('sum', { path: large })
    await small(closed)
    const before = await threadsNow()
    await closed.close()
    expect(await threadsNow()).to.be.lessThan(before)
    expect(await ended).to.equal('ended')
    expect((await others).bytes).to.equal(100e6)
    expect((await small(closed)).bytes, 'what comes later is done').to.be.greaterThan(0)
  })

  it('go when there is no work', async () => {
    await Promise.all([1, 2, 3, 4].map(() => small(createThreads())))
    const most = await threadsNow()
    await until(async () => (await threadsNow()) <= most - 4, { seconds: 30 })
  })
})
