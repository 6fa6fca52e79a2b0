import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type BackupSite, createBackupSite } from './backup-site.ts'
import { type LocationServer, startWebdav } from './locations/servers.ts'

describe('A backup stored on a WebDAV server', () => {
  let server: LocationServer
  let site: BackupSite
  before(async () => {
    server = await startWebdav()
    site = await createBackupSite()
  })
  after(async () => {
    await site.close()
    await server.stop()
  })

  it('is verified and restored from there', async () => {
    await site.call('PUT', '/settings', { settings: server.settings() })
    const large = Buffer.alloc(5_000_000, 'large file ')
    await site.write({ 'uploads/large.bin': large, 'uploads/small.txt': 'small' })
    const backupId = await site.create({ location: 'webdav' })
    expect((await site.ended(backupId)).state).equal('complete')
    expect((await site.records())[0]?.location).equal('webdav')
    const verified = await site.call('POST', '/backup/verify', { backupId })
    expect(verified.status, verified.code).equal(200)

    await rm(join(site.dir, 'uploads/large.bin'))
    await site.write({ 'uploads/small.txt': 'changed', 'uploads/later.txt': 'later' })
    await site.host.content.posts.insert({ title: 'Later', status: 'publish' })
    const { data } = await site.call('POST', '/restore/start', { backupId })
    const headers = { 'X-Restore-Token': String(data.progressToken) }
    for (let state = 'running'; state !== 'complete'; ) {
      const answer = await site
        .get(`/wp-json/backup/v1/backup/progress?jobId=${data.jobId}`, { headers })
        .catch(() => undefined)
      if (answer?.status === 200) state = JSON.parse(await answer.text()).data.state
      expect(state).oneOf(['running', 'complete'])
    }
    expect(await readFile(join(site.dir, 'uploads/large.bin'))).deep.equal(large)
    expect((await readdir(join(site.dir, 'uploads'))).sort()).deep.equal(['large.bin', 'small.txt'])
    expect(await readFile(join(site.dir, 'uploads/small.txt'), 'utf8')).equal('small')
    const found = await site.get('/wp-json/wp/v2/search?search=later')
    expect(await found.json()).deep.equal([])
  })
})
