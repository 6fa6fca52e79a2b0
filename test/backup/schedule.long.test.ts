import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { automaticPattern } from '../../plugins/backup/schedule.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

describe('Automatic backups', () => {
  it('are due when the settings say', () => {
    const pattern = (automaticBackupsFrequency: 'hourly' | 'daily' | 'weekly' | 'monthly') =>
      automaticPattern({ automaticBackups: 'on', automaticBackupsFrequency, automaticBackupsTime: '03:05' })
    expect([pattern('hourly'), pattern('daily'), pattern('weekly'), pattern('monthly')]).deep.equal([
      '5 * * * *',
      '5 3 * * *',
      '5 3 * * 1',
      '5 3 1 * *',
    ])
    const off = { automaticBackups: 'off', automaticBackupsFrequency: 'daily', automaticBackupsTime: '03:05' } as const
    expect(automaticPattern(off)).equal(undefined)
  })

  describe('of a site', () => {
    let site: BackupSite

    before(async () => {
      site = await createBackupSite()
      mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-01T10:00:00Z') })
    })
    after(async () => {
      mock.timers.reset()
      await site.close()
    })

    it('begin at their time in the time zone of the site; missed ones are made up for once', async () => {
      await site.request('/wp-json/wp/v2/settings', {
        method: 'POST',
        body: { timezone: 'Europe/Berlin' },
        as: 'administrator',
      })
      const settings = { automaticBackups: 'on', automaticBackupsExclusions: ['database', 'others'] }
      expect((await site.call('PUT', '/settings', { settings })).status).equal(200)
      const runAt = async (moment: string) => {
        mock.timers.setTime(Date.parse(moment))
        await site.host.jobs.runDue()
        for (const { id } of await site.host.jobs.list({ type: 'backup' })) await site.ended(id)
        return (await site.records()).filter(({ kind }) => kind === 'automatic').length
      }
      expect(await runAt('2026-03-02T01:59:00Z')).equal(0)
      expect(await runAt('2026-03-02T02:00:00Z')).equal(1)
      expect(await runAt('2026-03-06T12:00:00Z')).equal(2)
      expect(await runAt('2026-03-06T12:00:30Z')).equal(2)
      const [newest] = await site.records()
      expect(newest).deep.include({ createdBy: null, contents: ['uploads', 'themes', 'extensions'] })
      await site.call('PUT', '/settings', { settings: { automaticBackups: 'off' } })
      expect(await runAt('2026-03-08T12:00:00Z')).equal(2)
    })
  })
})

describe('An archive in the folder for backups that no record names', () => {
  it('is found and listed, and retention never takes it', async () => {
    const origin = await createBackupSite()
    await origin.ended(await origin.create({ title: 'Found', exclusions: ['database'] }))
    const [record] = await origin.records()
    const site = await createBackupSite()
    await mkdir(join(site.dir, 'backups'), { recursive: true })
    const path = join(site.dir, 'backups', 'copied.tar.gz')
    await copyFile(join(origin.dir, 'backups', record?.fileName ?? ''), path)
    await site.host.jobs.runDue()
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 3600_000 })
    await site.host.jobs.runDue()
    mock.timers.reset()
    const [found] = await site.records()
    const { title, sha256, size, contents } = record ?? {}
    expect(found).deep.include({ title, sha256, size, contents, kind: 'uploaded', fileName: 'copied.tar.gz' })
    await origin.close()
    await site.close()
  })
})
