import { mock } from 'node:test'
import { expect } from 'chai'
import { RestError } from 'pentad'
import type { ActionItem, FailedBackup } from '../../plugins/backup/action-items.ts'
import type { BackupRecord, Progress } from '../../plugins/backup/types.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

interface Overview {
  running: Progress | null
  latest: BackupRecord[]
  total: number
  size: number
  next: string | null
  lastFailure: FailedBackup | null
  actionItems: ActionItem[]
}

interface Location {
  id: string
  title: string
  configured: boolean
  isDefault: boolean
  settings: string[]
  backups: number
  size: number
  lastTest: { date: string; error: string | null } | null
}

const SMALL = ['database', 'others', 'themes', 'extensions']

describe('GET /backup/overview', () => {
  let site: BackupSite

  beforeEach(async () => {
    site = await createBackupSite()
    await site.write({ 'uploads/a.txt': 'a' })
  })
  afterEach(() => site.close())

  const overview = async () => (await site.call<Overview>('GET', '/backup/overview')).data
  const ids = ({ actionItems }: Overview) => actionItems.map(({ id }) => id)

  it('is an administrator’s', async () => {
    for (const path of ['overview', 'locations', 'upload/fetch']) {
      expect((await site.get(`/wp-json/backup/v1/backup/${path}`)).status).equal(401)
      expect((await site.get(`/wp-json/backup/v1/backup/${path}`, { as: 'editor' })).status).equal(403)
    }
  })

  it('says of a site without backups what to do first', async () => {
    const empty = await overview()
    expect(empty).deep.include({ running: null, latest: [], total: 0, size: 0, next: null, lastFailure: null })
    expect(ids(empty)).deep.equal(['first-backup', 'automatic', 'elsewhere'])
    for (const item of empty.actionItems) expect(item).include.keys('title', 'description', 'impact')
  })

  it('contains the job in progress, whichever user started it, and the backup after it ended', async () => {
    const jobId = await site.create({ title: 'First', exclusions: SMALL })
    // Asking advances the job, so it may have ended at the first answer.
    const { running } = await overview()
    if (running) expect(running).include({ jobId, kind: 'backup', state: 'running' })
    expect((await site.ended(jobId)).state).equal('complete')
    const after = await overview()
    expect(after).include({ running: null, total: 1 })
    expect(after.latest[0]).include({ id: jobId, title: 'First' })
    expect(after.size).equal(after.latest[0]?.size)
    expect(ids(after)).not.include('first-backup')
  })

  it('has a restore under way too', async () => {
    const backupId = await site.create({ exclusions: SMALL })
    await site.ended(backupId)
    const { data } = await site.call('POST', '/restore/start', { backupId })
    expect((await overview()).running).deep.include({ jobId: data.jobId, kind: 'restore', backupId })
    await site.call('POST', '/backup/cancel', { jobId: data.jobId })
    expect((await overview()).running).equal(null)
  })

  it('says when the next automatic backup is made, in the time zone of the site', async () => {
    const as = 'administrator'
    await site.request('/wp-json/wp/v2/settings', { method: 'POST', body: { timezone: 'Europe/Berlin' }, as })
    const settings = { automaticBackups: 'on', automaticBackupsTime: '03:05', automaticBackupsExclusions: ['database'] }
    await site.call('PUT', '/settings', { settings })
    mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-01T10:00:00Z') })
    const on = await overview()
    mock.timers.reset()
    expect(on.next).equal('2026-03-02T02:05:00.000Z')
    expect(ids(on)).include('database').not.include('automatic')
  })

  it('shows a failed backup until the next one', async () => {
    const undo = site.host.hooks.addAction('backup_started', () => {
      throw new RestError('not_now', 'Not while we move.', { status: 409 })
    })
    const failed = await site.ended(await site.create({ exclusions: SMALL }))
    undo()
    expect(failed.state).equal('failed')
    const told = await overview()
    expect(ids(told)).include('last-failed')
    expect(told.lastFailure).include({ jobId: failed.jobId, code: 'not_now', message: 'Not while we move.' })
    await site.ended(await site.create({ exclusions: SMALL }))
    expect((await overview()).lastFailure).equal(null)
  })
})

describe('GET /backup/locations', () => {
  let site: BackupSite

  before(async () => {
    site = await createBackupSite()
  })
  after(() => site.close())

  const answer = async () =>
    (await site.call<{ items: Location[]; usesBucket: boolean }>('GET', '/backup/locations')).data
  const locations = async () => (await answer()).items

  it('lists each with the settings of its form and its backups', async () => {
    const found = new Map((await locations()).map((location) => [location.id, location]))
    expect([...found.keys()]).deep.equal(['local', 'googleDrive', 'webdav', 's3', 'sftp'])
    expect(found.get('local')).deep.equal({
      ...{ id: 'local', title: 'Local', configured: true, isDefault: true, settings: [], backups: 0, size: 0 },
      lastTest: null,
    })
    expect(found.get('webdav')).deep.include({
      configured: false,
      settings: ['webdavUrl', 'webdavUser', 'webdavPassword'],
    })
    await site.call('PUT', '/settings', { settings: { webdavUrl: 'https://nas.example.org/backups' } })
    expect((await locations()).find(({ id }) => id === 'webdav')?.configured).equal(true)
    await site.ended(await site.create({ exclusions: SMALL }))
    const { items, usesBucket } = await answer()
    expect(usesBucket).equal(false)
    const [local] = items
    expect(local?.backups).equal(1)
    expect(local?.size).greaterThan(0)
  })

  it('tells how the latest test went, until the settings of the location change', async () => {
    const lastTest = async (id: string) => (await locations()).find((location) => location.id === id)?.lastTest
    const test = (location: string) => site.call('POST', '/backup/test', { location })
    await site.call('PUT', '/settings', { settings: { webdavUrl: 'http://127.0.0.1:9/backups' } })
    expect((await test('webdav')).status).equal(502)
    expect((await lastTest('webdav'))?.error).match(/^WebDAV: /)
    await site.call('PUT', '/settings', { settings: { keepLatestBackupsCount: 7 } })
    expect(await lastTest('webdav')).not.equal(null)
    await test('local')
    await site.call('PUT', '/settings', { settings: { webdavPassword: 'another' } })
    expect(await lastTest('webdav')).equal(null)
    expect(await lastTest('local')).include({ error: null })
  })

  it('lists those of extensions, which need not say what they read', async () => {
    const undo = site.host.hooks.addFilter('backup_locations', (all) => [
      ...all,
      { id: 'vault', title: 'Vault', isConfigured: () => false, open: () => Promise.reject(new Error('closed')) },
    ])
    expect((await locations()).at(-1)).deep.include({ id: 'vault', configured: false, settings: [] })
    undo()
  })
})
