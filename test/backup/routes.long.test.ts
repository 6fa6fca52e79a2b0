import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

describe('The routes of backups', () => {
  let site: BackupSite
  let record: BackupRecord

  before(async () => {
    site = await createBackupSite()
    await site.write({ 'uploads/a.txt': 'a'.repeat(100_000) })
    await site.ended(await site.create({ title: 'First', exclusions: ['database'] }))
    const [first] = await site.records()
    if (!first) throw new Error('There is no backup.')
    record = first
  })
  after(() => site.close())

  const download = (headers: Record<string, string> = {}, method = 'GET') =>
    site.request(`/wp-json/backup/v1/backup/download?backupId=${record.id}`, { method, headers, as: 'administrator' })

  describe('POST /backup/create', () => {
    const refusals: [title: string, body: unknown, code: string][] = [
      [
        'all five, also in other words and twice',
        ['database', 'media', 'themes', 'plugins', 'other', 'other'],
        'nothing_to_backup',
      ],
      [
        'all five, in capitals and any order',
        ['OTHERS', 'Plugins', 'Database', 'MEDIA', 'themes'],
        'nothing_to_backup',
      ],
      ['a category that there is not', ['posts'], 'rest_invalid_param'],
    ]
    for (const [title, exclusions, code] of refusals) {
      it(`refuses ${title}`, async () => {
        const answer = await site.call('POST', '/backup/create', { exclusions })
        expect([answer.status, answer.code]).deep.equal([400, code])
        expect(await site.host.jobs.list({ type: 'backup', state: 'running' })).deep.equal([])
        expect((await readdir(join(site.dir, 'tmp'))).filter((name) => name.startsWith('backup-'))).deep.equal([])
      })
    }

    it('refuses a location that there is not, and leaves no job behind', async () => {
      const { status, code, data } = await site.call('POST', '/backup/create', { location: 'moon' })
      expect([status, code]).deep.equal([400, 'rest_invalid_param'])
      expect(data.params).have.keys('location')
      expect(await site.host.jobs.list({ type: 'backup', state: 'running' })).deep.equal([])
    })
  })

  it('are for administrators only, and reveal nothing about their parameters to others', async () => {
    const routes = [
      ['GET', '/backup/fetch'],
      ['POST', '/backup/create'],
      ['GET', '/backup/progress'],
      ['POST', '/backup/cancel'],
      ['GET', '/backup/logs'],
      ['DELETE', '/backup/remove'],
      ['GET', '/backup/download'],
      ['POST', '/backup/upload/init'],
      ['POST', '/backup/upload/chunk'],
      ['POST', '/backup/verify'],
      ['POST', '/backup/update'],
    ] as const
    for (const [method, path] of routes) {
      const stranger = await site.request(`/wp-json/backup/v1${path}`, { method })
      const editor = await site.request(`/wp-json/backup/v1${path}`, { method, as: 'editor' })
      expect([stranger.status, editor.status], path).deep.equal([401, 403])
      expect(JSON.parse(await stranger.text()).code).equal('rest_forbidden')
    }
  })

  it('PUT /settings refuses what cannot be, and never shows a password', async () => {
    const wrong = {
      defaultLocation: 'moon',
      keepLatestBackupsCount: 'many',
      automaticBackupsTime: '25:00',
      automaticBackupsExclusions: ['database', 'uploads', 'themes', 'extensions', 'others'],
      excludePatterns: 'no list of patterns'.repeat(100),
      notificationEmail: 'nobody',
      compression: 'rar',
    }
    for (const [key, value] of Object.entries(wrong)) {
      const { status, code, data } = await site.call('PUT', '/settings', { settings: { [key]: value } })
      expect([status, code], key).deep.equal([400, 'rest_invalid_param'])
      expect(data.params).have.any.keys(key, `${key}.0`)
    }
    const secret = await site.call('PUT', '/settings', { settings: { s3SecretKey: 'hidden-key', unheardOf: 1 } })
    expect(secret.data).deep.equal({ updated: ['s3SecretKey'], unknown: ['unheardOf'] })
    expect(await readFile(join(site.dir, 'options.json'), 'utf8')).not.include('hidden-key')
  })

  it('say which parameter is missing, and that there is no such thing', async () => {
    const missing: [string, string][] = [
      ['GET', '/backup/progress'],
      ['POST', '/backup/cancel'],
      ['GET', '/backup/logs'],
      ['DELETE', '/backup/remove'],
      ['GET', '/backup/download'],
    ]
    for (const [method, path] of missing) {
      expect((await site.call(method, path)).code, path).equal('rest_missing_callback_param')
    }
    const unknown: [string, string, string][] = [
      ['GET', '/backup/progress?jobId=nobody', 'job_not_found'],
      ['POST', '/backup/cancel?jobId=nobody', 'job_not_found'],
      ['GET', '/backup/logs?jobId=nobody', 'job_not_found'],
      ['GET', '/backup/logs?backupId=nobody', 'backup_not_found'],
      ['DELETE', '/backup/remove?backupId=nobody', 'backup_not_found'],
      ['GET', '/backup/download?backupId=nobody', 'backup_not_found'],
      ['POST', '/backup/verify?backupId=nobody', 'backup_not_found'],
    ]
    for (const [method, path, code] of unknown) {
      const answer = await site.call(method, path)
      expect([answer.status, answer.code], path).deep.equal([404, code])
    }
    expect((await site.call('GET', '/backup/logs?backupId=..%2F..%2Foptions')).code).equal('rest_invalid_param')
  })

  it('no public URL serves an archive, and its name cannot be guessed', async () => {
    expect(record.fileName).match(/-[0-9a-f]{32}\.tar\.gz$/)
    for (const folder of [
      'backups',
      'uploads/../backups',
      'uploads/..%2fbackups',
      'wp-content/backups',
      'site/backups',
    ]) {
      expect((await site.get(`/${folder}/${record.fileName}`)).status, folder).equal(404)
    }
  })

  it('GET /backup/fetch filters and pages', async () => {
    const total = async (query: string) => (await site.call('GET', `/backup/fetch?${query}`)).data.total
    expect(await total('kind=uploaded')).equal(0)
    expect(await total('location=local&kind=manual')).greaterThan(0)
    expect([await total('search=FIRS'), await total('search=second')]).deep.equal([1, 0])
    expect([await total(`backupId=${record.id}`), await total('backupId=nobody')]).deep.equal([1, 0])
    expect((await site.call('GET', '/backup/fetch?location=moon')).code).equal('rest_invalid_param')
    expect((await site.call('GET', '/backup/fetch?page=99')).data.items).deep.equal([])
  })

  describe('GET /backup/download', () => {
    it('answers the archive whose sum is its ETag', async () => {
      const answer = await download()
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.status).equal(200)
      expect(createHash('sha256').update(bytes).digest('hex')).equal(record.sha256)
      expect(answer.headers.get('etag')).equal(`"${record.sha256}"`)
      expect(answer.headers.get('accept-ranges')).equal('bytes')
      expect(answer.headers.get('content-length')).equal(String(record.size))
      expect(answer.headers.get('content-disposition')).match(/^attachment; filename=".+\.tar\.gz"/)
      expect(answer.headers.get('cache-control')).equal('no-store')
    })

    it('answers parts, so that a download can go on', async () => {
      const whole = Buffer.from(await (await download()).arrayBuffer())
      const { size } = record
      const cases: [range: string, start: number, end: number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=10-19', 10, 20],
        [`bytes=${size - 5}-`, size - 5, size],
        ['bytes=-7', size - 7, size],
        [`bytes=5-${size * 2}`, 5, size],
        [`bytes=-${size * 2}`, 0, size],
        [`bytes=5-${'9'.repeat(30)}`, 5, size],
        [`bytes=-${'9'.repeat(30)}`, 0, size],
      ]
      for (const [range, start, end] of cases) {
        const answer = await download({ Range: range })
        expect(answer.status, range).equal(206)
        expect(answer.headers.get('content-range')).equal(`bytes ${start}-${end - 1}/${size}`)
        expect(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(start, end)), range).equal(true)
      }
    })

    it('responds with 416 to unsatisfiable ranges, and with the whole archive to malformed ones', async () => {
      for (const range of [
        `bytes=${record.size}-`,
        `bytes=${'9'.repeat(30)}-`,
        'bytes=9-3',
        'bytes=-0',
        'bytes=-',
        'bytes=a-b',
      ]) {
        const answer = await download({ Range: range })
        expect(answer.status, range).equal(416)
        expect(answer.headers.get('content-range')).equal(`bytes */${record.size}`)
        await answer.arrayBuffer()
      }
      for (const headers of [
        { Range: 'lines=1-2' },
        { Range: 'bytes=0-1,5-6' },
        { Range: 'bytes=0-1', 'If-Range': '"another"' },
        { Range: 'bytes=0-1', 'If-Range': `W/"${record.sha256}"` },
      ]) {
        const answer = await download(headers)
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).deep.equal([200, record.size])
      }
      expect((await download({ Range: 'bytes=0-1', 'If-Range': `"${record.sha256}"` })).status).equal(206)
      expect((await download({ 'If-None-Match': `"${record.sha256}"` })).status).equal(304)
    })

    it('answers HEAD without the archive, and without ranges, which only GET has', async () => {
      const answer = await download({ Range: 'bytes=0-1' }, 'HEAD')
      expect([answer.status, answer.headers.get('content-length')]).deep.equal([200, String(record.size)])
    })
  })

  it('POST /backup/verify reads everything and finds what was altered', async () => {
    const { data } = await site.call('POST', '/backup/verify', { backupId: record.id })
    expect(data).deep.include({ backupId: record.id, sha256: record.sha256 })
    expect(data.files).greaterThan(0)
    const path = join(site.dir, 'backups', record.fileName)
    const bytes = await readFile(path)
    await writeFile(path, bytes.with(40, (bytes[40] ?? 0) ^ 1))
    const altered = await site.call('POST', '/backup/verify', { backupId: record.id })
    expect([altered.status, altered.code]).deep.equal([400, 'archive_corrupt'])
    await writeFile(path, bytes)
  })

  it('POST /backup/verify and POST /backup/update refuse what is no backup and no change', async () => {
    const { id } = record
    const before = (await site.records()).find((one) => one.id === id)
    const refusals: [path: string, body: object, status: number, code: string][] = [
      ['verify', {}, 400, 'rest_missing_callback_param'],
      ['verify', { backupId: ['a'] }, 400, 'rest_invalid_param'],
      ['verify', { backupId: '../options' }, 400, 'rest_invalid_param'],
      ['verify', { backupId: 'a'.repeat(65) }, 400, 'rest_invalid_param'],
      ['update', { title: 'No id' }, 400, 'rest_missing_callback_param'],
      ['update', { backupId: 'nobody', title: 'Nobody' }, 404, 'backup_not_found'],
      ['update', { backupId: id, title: ' ' }, 400, 'rest_invalid_param'],
      ['update', { backupId: id, title: 'x'.repeat(201) }, 400, 'rest_invalid_param'],
      ['update', { backupId: id, title: 'a\0b' }, 400, 'rest_invalid_param'],
      ['update', { backupId: id, keepForever: 'maybe' }, 400, 'rest_invalid_param'],
    ]
    for (const [path, body, status, code] of refusals) {
      const answer = await site.call('POST', `/backup/${path}`, body)
      expect([answer.status, answer.code], JSON.stringify(body)).deep.equal([status, code])
    }
    const others = { fileName: '../options.json', location: 'moon', kind: 'uploaded', sha256: '', size: 0 }
    const { data } = await site.call('POST', '/backup/update', { backupId: id, ...others })
    expect(data).deep.equal(before)
  })

  it('POST /backup/update changes title and “keep forever”', async () => {
    const { data } = await site.call('POST', '/backup/update', {
      backupId: record.id,
      title: 'Kept',
      keepForever: true,
    })
    expect(data).deep.include({ id: record.id, title: 'Kept', keepForever: true })
    expect((await site.call('POST', '/backup/update', { backupId: record.id, title: '' })).code).equal(
      'rest_invalid_param',
    )
  })

  describe('Retention and DELETE /backup/remove', () => {
    it('retains as many as the settings say, and never deletes those marked “keep forever”', async () => {
      const removed: string[] = []
      const undo = site.host.hooks.addAction('backup_removed', ({ id }) => {
        removed.push(id)
      })
      expect((await site.call('PUT', '/settings', { settings: { keepLatestBackupsCount: '-1' } })).code).equal(
        'rest_invalid_param',
      )
      await site.call('PUT', '/settings', { settings: { keepLatestBackupsCount: 1 } })
      for (const title of ['Second', 'Third']) {
        await site.ended(await site.create({ title, exclusions: ['database', 'themes', 'extensions', 'others'] }))
      }
      undo()
      expect((await site.records()).map(({ title }) => title)).deep.equal(['Third', 'Kept'])
      expect(removed).length.greaterThan(0)
    })

    it('takes archive, record and log', async () => {
      const path = join(site.dir, 'backups', record.fileName)
      expect(existsSync(path)).equal(true)
      expect((await site.call('DELETE', '/backup/remove', { backupId: record.id })).data).deep.equal({
        backupId: record.id,
      })
      expect(existsSync(path)).equal(false)
      expect((await site.call('GET', `/backup/logs?backupId=${record.id}`)).code).equal('backup_not_found')
    })

    it('keeps the record of an archive that cannot be removed now', async () => {
      const [kept] = await site.records()
      if (!kept) throw new Error('There is no backup.')
      const file = join(site.dir, 'backups', 'records', `${kept.id}.json`)
      const text = await readFile(file, 'utf8')
      await writeFile(file, JSON.stringify({ ...JSON.parse(text), location: 'webdav' }))
      const answer = await site.call('DELETE', '/backup/remove', { backupId: kept.id })
      expect([answer.status, answer.code]).deep.equal([502, 'backup_location_failed'])
      expect((await site.records()).map(({ id }) => id)).include(kept.id)
      await writeFile(file, text)
    })
  })

  it('leave nothing behind when the service is switched off', async () => {
    const own = await createBackupSite()
    await own.ended(await own.create())
    await own.expectNoLeaks('backup')
    await own.close()
  })

  it('lists a backup that was created before a restore as such', async () => {
    const beforeRestoring = record.id
    const jobId = await site.create({ exclusions: ['database', 'uploads', 'themes', 'others'], beforeRestoring })
    await site.ended(jobId)
    const fetch = async (filter: string) => {
      const { data } = await site.call<{ items: BackupRecord[] }>('GET', `/backup/fetch?kind=manual&${filter}`)
      return data.items.map(({ id, beforeRestore }) => [id, beforeRestore])
    }
    expect(await fetch('beforeRestore=true')).deep.equal([[jobId, true]])
    expect(await fetch('beforeRestore=false'))
      .deep.include([record.id, false])
      .and.not.deep.include([jobId, true])
  })
})
