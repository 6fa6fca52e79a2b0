import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createThreadPool } from '../../cms/threads/thread-pool.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('A pool of threads', () => {
  it('fails the tasks that wait for a thread that cannot start, and does the next ones', async () => {
    const file = join(temporaryFolder(), 'thread.mjs')
    const pool = createThreadPool(pathToFileURL(file), { maxThreads: 1, idleTimeout: 1000 })
    const outcomes = await Promise.allSettled([1, 2, 3].map((task) => pool.run(task)))
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    await writeFile(file, 'export default (task) => task * 2')
    expect(await Promise.all([1, 2, 3].map((task) => pool.run(task)))).to.deep.equal([2, 4, 6])
    await pool.close()
  })
})
