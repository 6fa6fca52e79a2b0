import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { RestError } from 'pentad'
import { createRestoreStates } from '../../plugins/backup/restore/state.ts'
import type { BackupLocation, LocationDefinition, UploadedFile, UploadProgress } from '../../plugins/backup/types.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

/** A location as an extension brings it: a folder, to which `send` uploads. */
function folderLocation(
  folder: string,
  send: (file: UploadedFile, progress: UploadProgress) => Promise<void>,
  discarded: unknown[] = [],
): LocationDefinition {
  const location: BackupLocation = {
    id: 'elsewhere',
    title: 'Elsewhere',
    test: async () => {},
    async upload(file, progress) {
      await send(file, progress)
      await writeFile(join(folder, file.name), await readFile(file.path))
      return file.name
    },
    discard: async (_file, state) => {
      discarded.push(state)
    },
    async download(name, range) {
      const bytes = await readFile(join(folder, name))
      return (async function* () {
        yield range ? bytes.subarray(range.start, range.end + 1) : bytes
      })()
    },
    remove: async () => {},
    list: async () => [],
    close: async () => {},
  }
  return { id: 'elsewhere', title: 'Elsewhere', isConfigured: () => true, open: async () => location }
}

describe('A backup at another location', () => {
  let site: BackupSite

  before(async () => {
    site = await createBackupSite()
    await site.write({ 'uploads/a.txt': 'a'.repeat(1000) })
  })
  after(() => site.close())

  const body = { location: 'elsewhere', exclusions: ['database', 'others'] }
  const provide = (definition: LocationDefinition) =>
    site.host.hooks.addFilter('backup_locations', (locations) => [...locations, definition])

  it('is uploaded across ticks, however long that takes, and can be downloaded from the location', async () => {
    const folder = temporaryFolder()
    const undo = provide(
      folderLocation(folder, async ({ size }, { sent }) => {
        for (let part = 1; part <= 6; part++) {
          await new Promise((resolve) => setTimeout(resolve, 500))
          sent((size * part) / 6)
        }
      }),
    )
    const jobId = await site.create(body)
    const seen: number[] = []
    let state = 'running'
    while (state === 'running') {
      const { data } = await site.call('GET', `/backup/progress?jobId=${jobId}`)
      state = String(data.state)
      seen.push(Number(data.percent))
      await wait(20)
    }
    expect(state).equal('complete')
    expect(seen).deep.equal([...seen].sort((one, other) => one - other))
    const [record] = await site.records()
    expect(record).deep.include({ id: jobId, location: 'elsewhere' })
    const answer = await site.get(`/wp-json/backup/v1/backup/download?backupId=${jobId}`, {
      as: 'administrator',
      headers: { Range: 'bytes=3-12' },
    })
    expect(answer.status).equal(206)
    const whole = await readFile(join(folder, record?.fileName ?? ''))
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(3, 13))).equal(true)
    expect((await site.call('POST', '/backup/verify', { backupId: jobId })).status).equal(200)
    expect(existsSync(join(site.dir, 'backups', record?.fileName ?? ''))).equal(false)
    undo()
  })

  it('that is canceled during the upload is removed from the location', async () => {
    const discarded: unknown[] = []
    const { promise: sending, resolve } = Promise.withResolvers<void>()
    const undo = provide(
      folderLocation(
        temporaryFolder(),
        async (_file, { keep, signal }) => {
          await keep({ part: 1 })
          resolve()
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
        discarded,
      ),
    )
    const jobId = await site.create(body)
    await sending
    expect((await site.call('POST', '/backup/cancel', { jobId })).status).equal(200)
    while (existsSync(join(site.dir, 'tmp', `backup-${jobId}`))) await new Promise((later) => setTimeout(later, 50))
    expect(discarded).deep.equal([{ part: 1 }])
    expect((await site.ended(jobId)).state).equal('cancelled')
    undo()
  })

  it('resumes an upload, and falls back to local storage with the reason', async () => {
    await site.call('PUT', '/settings', { settings: { notifications: 'always' } })
    const states: unknown[] = []
    const undo = provide(
      folderLocation(temporaryFolder(), async (_file, { keep, state }) => {
        states.push(state)
        await keep({ part: 2 })
        if (states.length === 1) throw new Error('a bug of the extension')
        throw new RestError('backup_location_failed', 'Elsewhere: The quota is used up.', { status: 502 })
      }),
    )
    const jobId = await site.create(body)
    const progress = await site.ended(jobId)
    expect(progress.state).equal('complete')
    expect(states).deep.equal([undefined, { part: 2 }])
    const record = (await site.records()).find(({ id }) => id === jobId)
    expect(record?.location).equal('local')
    const warnings = (await site.log(jobId)).filter(({ level }) => level === 'warning').map(({ message }) => message)
    const reason = 'Elsewhere: The quota is used up. The archive was stored on this server instead.'
    expect(warnings.at(-1)).equal(reason)
    expect(progress.warnings).deep.equal([reason])
    expect(site.mails.at(-1)?.text).include(reason)
    undo()
  })

  it('is restored from a slow location, and no other process takes over meanwhile', async () => {
    const slow = Promise.withResolvers<void>()
    const { open, ...definition } = folderLocation(temporaryFolder(), async () => {})
    const undo = provide({
      ...definition,
      async open() {
        const location = await open()
        return {
          ...location,
          async download(...range) {
            await slow.promise
            return location.download(...range)
          },
        }
      },
    })
    const backupId = await site.create(body)
    expect((await site.ended(backupId)).state).equal('complete')
    const { data } = await site.call<{ jobId: string }>('POST', '/restore/start', { backupId, parts: ['uploads'] })
    const progress = site.call('GET', `/backup/progress?jobId=${data.jobId}`)
    const signs = new Set<number>()
    while (signs.size < 3) {
      const state = await createRestoreStates(site.dir).read(data.jobId)
      if (state?.worker) signs.add(state.worker.at)
      await wait(100)
    }
    slow.resolve()
    await progress
    expect((await site.call('POST', '/backup/cancel', { jobId: data.jobId })).status).equal(200)
    undo()
  })
})
