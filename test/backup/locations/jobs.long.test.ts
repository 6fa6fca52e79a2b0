/** Whole backups to real servers: what a site's owner sees when all goes well, and when a server goes away. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHooks } from '../../../core/hooks/index.ts'
import { createLocations } from '../../../plugins/backup/locations/index.ts'
import { locationSettings } from '../../../plugins/backup/locations/settings.ts'
import { createLeftovers } from '../../../plugins/backup/pipeline/leftovers.ts'
import { type BackupSite, createBackupSite, vaultOf } from '../backup-site.ts'
import { MEBIBYTE, never } from './archive.ts'
import type { Reached } from './behavior.ts'
import { GOOGLE_SETTINGS, type GoogleDriveServer, startGoogleDrive } from './google-drive-server.ts'
import { openProxy, type TestProxy } from './proxy.ts'
import { foldersIn } from './s3-parts.ts'
import { BUCKET, type LocationServer, startS3, startSftp, startWebdav } from './servers.ts'

/** Half of the archive below is sent by then. */
const CUT = 1.5 * MEBIBYTE

describe('A backup to a real server', () => {
  let site: BackupSite
  let webdav: LocationServer
  let sftp: LocationServer
  let s3: LocationServer
  let drive: GoogleDriveServer
  const proxies = new Map<string, TestProxy>()
  const body = (location: string) => ({ location, exclusions: ['database', 'others'] })

  before(async () => {
    site = await createBackupSite()
    await site.write({ 'uploads/film.mp4': randomBytes(3 * MEBIBYTE) })
    ;[webdav, sftp, s3, drive] = await Promise.all([startWebdav(), startSftp(), startS3(), startGoogleDrive()])
    for (const [id, { port }] of Object.entries({ webdav, sftp, s3, googleDrive: drive })) {
      proxies.set(id, await openProxy(port))
    }
    // As an extension would bring them: the same locations, with Google's servers on this machine and short pauses.
    const locations = Object.keys({ webdav, sftp, s3, googleDrive: drive }).flatMap((id) => {
      const { settings, google } = reach(id)
      const options = { siteDir: site.dir, settings: () => locationSettings.parse(settings), hooks: createHooks() }
      const found = createLocations({ ...options, firstDelayMs: 10, ...(google && { google }) }).find(id)
      return found ? [found] : []
    })
    site.host.hooks.addFilter('backup_locations', (own) => [...own, ...locations])
  })
  after(async () => {
    await site.close()
    for (const proxy of proxies.values()) await proxy.close()
    await Promise.all([webdav, sftp, s3, drive].map((server) => server.stop()))
  })
  afterEach(() => {
    for (const proxy of proxies.values()) {
      proxy.reset()
      proxy.flow()
    }
  })

  const proxyOf = (id: string): TestProxy => {
    const proxy = proxies.get(id)
    if (!proxy) throw new Error(`There is no proxy before ${id}.`)
    return proxy
  }
  const reach = (id: string): Pick<Reached, 'settings' | 'google'> => {
    const { port } = proxyOf(id)
    const api = `http://127.0.0.1:${port}`
    if (id === 'googleDrive') return { settings: GOOGLE_SETTINGS, google: { api, token: `${api}/token` } }
    return { settings: { webdav, sftp, s3 }[id]?.settings(port) ?? {} }
  }
  /** Names of all that a server holds, whole or half. */
  const heldAt = (id: string): string[] => {
    if (id === 'googleDrive') return drive.files.map(({ name }) => name).filter((name) => name.endsWith('.tar.gz'))
    const bucket = join(s3.folder, BUCKET)
    if (id === 's3') return [...foldersIn(join(bucket, '._S3rver_uploads')), ...namesIn(join(bucket, 'my backups'))]
    return namesIn(id === 'webdav' ? join(webdav.folder, 'my backups') : sftp.folder)
  }
  /** What the service does every hour. */
  const tidy = async () => {
    const settings = () => locationSettings.parse({})
    const locations = createLocations({ siteDir: site.dir, settings, hooks: site.host.hooks })
    await createLeftovers(join(site.dir, 'backups'), { locations, vault: vaultOf(site.dir) }).sweep(never())
  }
  const warningsOf = async (id: string) =>
    (await site.log(id)).filter(({ level }) => level === 'warning').map(({ message }) => message)

  for (const id of ['webdav', 'sftp', 's3', 'googleDrive']) {
    describe(id, () => {
      it('goes on after the line was cut, is listed, downloaded in parts, verified and removed', async () => {
        expect((await site.call('POST', '/backup/test', { location: id })).status).equal(200)
        proxyOf(id).cutAfter(CUT)
        const jobId = await site.create(body(id))
        expect(await site.ended(jobId)).include({ state: 'complete', backupId: jobId })
        const [record] = await site.records()
        expect(record).include({ id: jobId, location: id })
        expect(await warningsOf(jobId)).deep.equal([])

        const file = await site.get(`/wp-json/backup/v1/backup/download?backupId=${jobId}`, {
          as: 'administrator',
          headers: { Range: 'bytes=-20' },
        })
        expect([file.status, (await file.arrayBuffer()).byteLength]).deep.equal([206, 20])
        expect((await site.call('POST', '/backup/verify', { backupId: jobId })).status).equal(200)

        expect((await site.call('DELETE', '/backup/remove', { backupId: jobId })).status).equal(200)
        expect([heldAt(id), await site.records()]).deep.equal([[], []])
      })

      it('that fails permanently is stored locally; the log has the reason, and nothing remains at the location', async () => {
        // The line breaks whenever an archive goes over it; it holds for the clearing up.
        // To Google each try gets a little further, and six would be enough.
        if (id !== 'googleDrive') proxyOf(id).cutAfter(CUT, 6)
        else drive.refuse(/^PUT/, { status: 403, reason: 'storageQuotaExceeded' }, 2)
        const jobId = await site.create(body(id))
        expect((await site.ended(jobId)).state).equal('complete')
        const [record] = await site.records()
        expect(record).include({ id: jobId, location: 'local' })
        expect((await warningsOf(jobId)).at(-1)).match(
          /^(?:(?:WebDAV|SFTP|S3): The connection was lost|Google Drive: Google Drive is full)\. The archive was stored on this server instead\.$/,
        )
        await tidy()
        expect(heldAt(id)).deep.equal([])
        expect((await site.call('DELETE', '/backup/remove', { backupId: jobId })).status).equal(200)
      })

      it('that is cancelled in mid-upload leaves nothing there', async () => {
        const reached = proxyOf(id).holdAfter(CUT)
        const jobId = await site.create(body(id))
        let isReached = false
        reached.then(() => {
          isReached = true
        })
        while (!isReached) await site.call('GET', `/backup/progress?jobId=${jobId}`)
        const cancelled = site.call('POST', '/backup/cancel', { jobId })
        await new Promise((resolve) => setTimeout(resolve, 50))
        proxyOf(id).flow()
        expect((await cancelled).status).equal(200)
        while (readdirSync(join(site.dir, 'tmp')).some((name) => name.startsWith('backup-'))) {
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        await tidy()
        expect(heldAt(id)).deep.equal([])
      })
    })
  }

  describe('in the long run', () => {
    it('is removed within the hour if the server was unreachable', async () => {
      const proxy = proxyOf('webdav')
      mkdirSync(join(webdav.folder, 'my backups'), { recursive: true })
      proxy.cutAfter(CUT, 1000, 0)
      const jobId = await site.create(body('webdav'))
      expect((await site.ended(jobId)).state).equal('complete')
      expect(heldAt('webdav')).to.have.length(1)
      proxy.reset()
      await tidy()
      expect([heldAt('webdav'), namesIn(join(site.dir, 'backups', 'leftovers'))]).deep.equal([[], []])
    })

    it('is rotated like those on this machine; uploaded ones and those to keep stay', async () => {
      for (const { id: backupId } of await site.records()) await site.call('DELETE', '/backup/remove', { backupId })
      await site.call('PUT', '/settings', { settings: { keepLatestBackupsCount: 1 } })
      const made: string[] = []
      const make = async (location: string) => {
        const jobId = await site.create(body(location))
        expect((await site.ended(jobId)).state).equal('complete')
        made.push(jobId)
        return jobId
      }
      const kept = await make('webdav')
      await site.call('POST', '/backup/update', { backupId: kept, keepForever: true })
      const [first, second] = [await make('webdav'), await make('local')]
      expect((await site.records()).map(({ id }) => id)).deep.equal([second, kept])
      expect(heldAt('webdav')).to.have.length(1)
      const third = await make('webdav')
      expect((await site.records()).map(({ id }) => id)).deep.equal([third, kept])
      // What cannot be removed now stays in the list, and goes the next time.
      proxyOf('webdav').cutAfter(0, 1000)
      const fourth = await make('local')
      expect((await site.records()).map(({ id }) => id)).deep.equal([fourth, third, kept])
      expect((await warningsOf(fourth)).at(-1)).match(/could not be deleted: WebDAV: The connection was lost\.$/)
      expect((await site.call('DELETE', '/backup/remove', { backupId: third })).code).equal('backup_location_failed')
      proxyOf('webdav').reset()
      const fifth = await make('local')
      expect((await site.records()).map(({ id }) => id)).deep.equal([fifth, kept])
      expect([made.includes(first), heldAt('webdav').length]).deep.equal([true, 1])
    })
  })
})

describe('POST /backup/test', () => {
  let site: BackupSite
  let server: LocationServer

  before(async () => {
    ;[site, server] = await Promise.all([createBackupSite(), startWebdav()])
  })
  after(async () => {
    await site.close()
    await server.stop()
  })

  const test = (location: string) =>
    site.request('/wp-json/backup/v1/backup/test', { method: 'POST', body: { location }, as: 'administrator' })

  it('tests whether the settings work, and reports errors without secrets', async () => {
    expect((await test('local')).status).equal(200)
    const missing = await test('webdav')
    expect([missing.status, JSON.parse(await missing.text()).message]).deep.equal([
      502,
      'WebDAV: This storage location is not configured.',
    ])
    expect((await test('floppy')).status).equal(400)

    const settings = server.settings()
    expect((await site.call('PUT', '/settings', { settings })).status).equal(200)
    expect(JSON.parse(await (await test('webdav')).text())).deep.include({ data: { location: 'webdav' } })

    const webdavPassword = 'the wrong secret'
    await site.call('PUT', '/settings', { settings: { webdavPassword } })
    const refused = await test('webdav')
    const text = await refused.text()
    expect([refused.status, JSON.parse(text).message]).deep.equal([
      502,
      'WebDAV: The username or password is incorrect.',
    ])
    expect(text).not.include(webdavPassword)
    expect(await readFile(join(site.dir, 'options.json'), 'utf8')).not.include(webdavPassword)
  })

  it('is for administrators', async () => {
    const request = { method: 'POST', body: { location: 'local' } }
    const path = '/wp-json/backup/v1/backup/test'
    expect((await site.request(path, request)).status).equal(401)
    expect((await site.request(path, { ...request, as: 'editor' })).status).equal(403)
  })
})

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
