import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { createSessions, type Sessions } from '../../plugins/backup/pipeline/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { scan, writeList } from './archive-files.ts'

const ANOTHER = JSON.stringify({ driver: 'another process' })

describe('A tick of a backup that another process has gone on with', () => {
  let host: TestHost
  let sessions: Sessions

  before(async () => {
    host = await createTestHost()
    const { database, jobs, config } = host.host
    const site = { dir: config.siteDir }
    sessions = createSessions({ host: { database, jobs, site }, states: { outcome: async () => undefined } })
  })
  after(async () => {
    await sessions.endAll(new Error('The test has ended.'))
    await host.close()
  })

  it('waits no longer than it may take for what this process has begun', async () => {
    const files = temporaryFolder()
    await writeFile(join(files, 'large'), '')
    // Takes no room on the disk, and long to pack.
    await truncate(join(files, 'large'), 4e9)
    const patient = new AbortController().signal
    const session = sessions.of('job', { compression: 'gzip' })
    const driver = () => readFile(join(session.folder, 'driver.json'), 'utf8')
    expect(await session.begin(patient), 'nothing to wait for').equal(true)
    await writeList(session.folder, scan(files))
    const threads = (await readdir('/proc/self/task')).length
    const packing = session.writer().makeSegments(patient)
    const packed = packing.then(
      () => 'packed',
      () => 'ended',
    )
    await until(async () => (await readdir('/proc/self/task')).length > threads)

    await writeFile(join(session.folder, 'driver.json'), ANOTHER)
    expect(await session.begin(AbortSignal.abort()), 'its time is over').equal(false)
    expect(await driver()).equal(ANOTHER)
    expect(await session.begin(patient)).equal(true)
    expect(await driver()).not.equal(ANOTHER)
    expect(await packed).equal('ended')
  })
})
