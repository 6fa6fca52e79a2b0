import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { RestError } from 'pentad'
import { createLeftovers } from '../../plugins/backup/pipeline/leftovers.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { type BackupSite, createBackupSite, tableLines, unpack, vaultOf } from './backup-site.ts'

onEachDatabase('A backup', (databaseUrl) => {
  let site: BackupSite

  before(async () => {
    site = await createBackupSite({ config: { databaseUrl: await databaseUrl() } })
    await site.write({
      'uploads/2026/map 😀.png': 'map',
      'uploads/left-out.psd': 'large',
      'themes/mine/style.css': 'body {}',
      'extensions/own/index.js': 'export default 1',
      'notes/read me.txt': 'other',
      'tmp/scratch': 'no',
      'cache/page': 'no',
      'mail/1.eml': 'no',
      'config.json': '{}',
    })
    await symlink('map 😀.png', join(site.dir, 'uploads/2026/inside'))
    await symlink('/etc/passwd', join(site.dir, 'uploads/2026/outside'))
  })
  after(() => site.close())

  it('holds the site and nothing else, as tar and sha256sum see it', async () => {
    const { db, kind } = site.host.database
    const bytes = kind === 'sqlite' ? 'blob' : 'bytea'
    await sql`create table odd_values (id integer primary key, text text, bytes ${sql.raw(bytes)}, big bigint, real double precision)`.execute(
      db,
    )
    const big = 2n ** 62n + 1n
    // SQLite itself keeps no negative zero.
    const [zero, storedZero] = kind === 'sqlite' ? ['0.0', '0'] : ["'-0'", '-0']
    const largest = 'x'.repeat(5_000_000)
    await sql`insert into odd_values values
      (1, ${`"';--\\ 😀\n`}, ${Buffer.from([0, 255, 10])}, ${sql.raw(String(big))}, ${sql.raw(zero)}),
      (2, null, null, null, 1.5), (3, '', ${Buffer.alloc(0)}, -1, 2.0), (4, ${largest}, null, 0, null)`.execute(db)
    await site.call('PUT', '/settings', { settings: { excludePatterns: ['*.psd'] } })

    const jobId = await site.create({ title: 'Everything' })
    const progress = await site.ended(jobId)
    expect(progress).deep.include({ state: 'complete', stage: 'cleanup', percent: 100, backupId: jobId, error: null })
    expect(progress.warnings).deep.equal([
      '"uploads/2026/outside": The file was skipped: it is a link that points outside the site.',
    ])

    expect(progress.processed.files).equal(progress.total.files).greaterThan(0)

    const [record] = await site.records()
    expect(record).deep.include({
      id: jobId,
      title: 'Everything',
      contents: ['database', 'uploads', 'themes', 'extensions', 'others'],
      location: 'local',
      kind: 'manual',
      keepForever: false,
      signed: true,
    })
    const out = temporaryFolder()
    const names = await unpack(join(site.dir, 'backups', record?.fileName ?? ''), out)
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))
    expect(progress.total.files, 'the database is among what is to be done').equal(manifest.counts.files)
    for (const name of ['files/uploads/left-out.psd', 'files/uploads/2026/outside']) expect(names).not.include(name)
    expect(names.filter((name) => /^files\/(?:tmp|cache|mail|backups|secret|config|site\.db)/.test(name))).deep.equal(
      [],
    )
    expect(await readFile(join(out, 'files/uploads/2026/map 😀.png'), 'utf8')).equal('map')
    expect(await readFile(join(out, 'files/uploads/2026/inside'), 'utf8')).equal('map')
    expect(await readFile(join(out, 'files/notes/read me.txt'), 'utf8')).equal('other')

    const [head, ...rows] = await tableLines(out, 'odd_values')
    expect(head).deep.include({ table: 'odd_values', columns: ['id', 'text', 'bytes', 'big', 'real'] })
    expect(rows).deep.equal([
      [1, `"';--\\ 😀\n`, { $blob: 'AP8K' }, { $int: String(big) }, { $real: storedZero }],
      [2, null, null, null, 1.5],
      [3, '', { $blob: '' }, -1, { $real: '2' }],
      [4, largest, null, 0, null],
    ])
    const tables = await readdir(join(out, 'database'))
    expect(tables).include.members(['posts.ndjson', 'users.ndjson', 'migrations_core.ndjson'])
    const omitted = ['sessions', 'oauth_clients', 'oauth_grants', 'oauth_tokens', 'jobs', 'leases', 'post_search']
    for (const table of omitted) expect(tables).not.include(`${table}.ndjson`)
    expect(await readdir(join(site.dir, 'tmp'))).deep.equal(['scratch'])
    await sql`drop table odd_values`.execute(db)
  })

  it('names what of the database it does not hold', async () => {
    const { db, kind } = site.host.database
    await sql`create table "odd-name" (id integer primary key, day text)`.execute(db)
    await sql`insert into "odd-name" values (1, '0000-00-00')`.execute(db)
    await sql`create view days as select day from "odd-name"`.execute(db)
    if (kind === 'postgres') {
      await sql`create function nothing() returns trigger language plpgsql as 'begin return new; end'`.execute(db)
    }
    const action = kind === 'sqlite' ? 'begin select 1; end' : 'for each row execute function nothing()'
    await sql.raw(`create trigger watch after insert on "odd-name" ${action}`).execute(db)
    const jobId = await site.create({ exclusions: ['uploads', 'themes', 'extensions', 'others'] })
    const { state, warnings } = await site.ended(jobId)
    expect([state, ...warnings]).deep.equal([
      'complete',
      'The view "days" was skipped: only ordinary tables are backed up.',
      'The trigger "watch" was skipped: only ordinary tables are backed up.',
    ])
    const out = temporaryFolder()
    await unpack(join(site.dir, 'backups', (await site.records())[0]?.fileName ?? ''), out)
    expect((await tableLines(out, 'odd-name')).slice(1)).deep.equal([[1, '0000-00-00']])
    await sql`drop view days`.execute(db)
    await sql`drop table "odd-name"`.execute(db)
  })

  it('holds the database of one moment, however much is written meanwhile', async () => {
    const { db } = site.host.database
    await sql`create table pairs (id integer primary key, value integer)`.execute(db)
    await sql`insert into pairs values (1, 0), (2, 0)`.execute(db)
    let writing = true
    const writer = (async () => {
      for (let value = 1; writing; value++) {
        await db.transaction().execute(async (transaction) => {
          await sql`update pairs set value = ${value} where id = 1`.execute(transaction)
          await sql`update pairs set value = ${value} where id = 2`.execute(transaction)
        })
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    const jobId = await site.create({ exclusions: ['media', 'themes', 'plugins', 'other'] })
    await site.ended(jobId)
    writing = false
    await writer
    const out = temporaryFolder()
    const [record] = await site.records()
    expect(record?.contents).deep.equal(['database'])
    await unpack(join(site.dir, 'backups', record?.fileName ?? ''), out)
    const rows = (await tableLines(out, 'pairs')).slice(1)
    expect(rows[0]?.[1]).equal(rows[1]?.[1])
    expect(existsSync(join(out, 'files'))).equal(false)
    await sql`drop table pairs`.execute(db)
  })

  it('is named after the time of the site', async () => {
    const as = 'administrator'
    await site.request('/wp-json/wp/v2/settings', { method: 'POST', body: { timezone: 'Asia/Kathmandu' }, as })
    // Five hours and 45 minutes ahead of UTC.
    const now = () => new Date(Date.now() + 345 * 60_000).toISOString().slice(0, 16).replace('T', ' ')
    const before = now()
    const jobId = await site.create({ exclusions: ['database'] })
    const titles = [before, now()].map((time) => `Backup of ${time}`)
    await site.ended(jobId)
    expect((await site.records()).find(({ id }) => id === jobId)?.title).to.be.oneOf(titles)
  })

  it('is one at a time', async () => {
    // The first one must not have ended when the last one is asked for.
    const { promise: answered, resolve: go } = Promise.withResolvers<void>()
    const undo = site.host.hooks.addAction('backup_started', () => answered)
    const answers = await Promise.all([1, 2, 3].map(() => site.call('POST', '/backup/create', {})))
    undo()
    go()
    const begun = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status === 409)
    expect([begun.length, refused.length]).deep.equal([1, 2])
    for (const { code, data } of refused) {
      expect(code).equal('job_running')
      expect(data.jobId).equal(begun[0]?.data.jobId)
    }
    expect((await site.ended(String(begun[0]?.data.jobId))).state).equal('complete')
  })

  it('ends immediately when it is canceled, without an email, and fires one action', async () => {
    await site.call('PUT', '/settings', { settings: { notifications: 'always' } })
    const told: string[] = []
    const remove = site.host.hooks.addAction('backup_cancelled', (job) => {
      told.push(job.jobId)
    })
    const mails = site.mails.length
    const jobId = await site.create()
    const poll = site.call('GET', `/backup/progress?jobId=${jobId}`)
    expect((await site.call('POST', '/backup/cancel', { jobId })).data).deep.equal({ jobId, state: 'cancelled' })
    await poll
    expect((await site.call('POST', '/backup/cancel', { jobId })).code).equal('job_not_running')
    expect((await site.ended(jobId)).state).equal('cancelled')
    while (existsSync(join(site.dir, 'tmp', `backup-${jobId}`)) || told.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    remove()
    expect(told).deep.equal([jobId])
    expect(site.mails.length).equal(mails)
    expect((await site.records()).map(({ id }) => id)).not.include(jobId)
  })

  it('reports the outcome by email, once', async () => {
    await site.call('PUT', '/settings', { settings: { notifications: 'always', notificationEmail: 'ops@example.org' } })
    const mails = site.mails.length
    const jobId = await site.create({ title: 'Told' })
    await site.ended(jobId)
    const sent = site.mails.slice(mails)
    expect(sent.length).equal(1)
    expect(sent[0]?.to).equal('ops@example.org')
    expect(sent[0]?.subject).match(/Backup complete: Told$/)
    expect(sent[0]?.text)
      .match(/Size: [\d.]+ [kM]?B/)
      .and.match(/Duration: /)
      .and.match(/Warnings \(1\):/)
    await site.call('PUT', '/settings', { settings: { notifications: 'failure', notificationEmail: '' } })
  })

  it('is kept here if its location is away; log, progress and a mail say why', async () => {
    await site.call('PUT', '/settings', { settings: { webdavUrl: 'http://127.0.0.1:9/' } })
    await mkdir(join(site.dir, 'backups'), { recursive: true })
    const away = {
      id: 'away',
      title: 'Away',
      isConfigured: () => false,
      open: async () => {
        throw new Error('never')
      },
    }
    const undo = site.host.hooks.addFilter('backup_locations', (locations) => [...locations, away])
    const mails = site.mails.length
    const jobId = await site.create({ location: 'away' })
    const { state, warnings } = await site.ended(jobId)
    expect(state).equal('complete')
    undo()
    const why = 'Away: This storage location is not configured. The archive was stored on this server instead.'
    const entries = await site.log(jobId)
    expect(
      entries.filter(({ stage, level }) => stage === 'upload' && level === 'warning').map((e) => e.message),
    ).deep.equal([why])
    expect(warnings.at(-1)).equal(why)
    // The settings want mail about failures only; that the archive is not where it should be is one.
    const sent = site.mails.slice(mails)
    expect(sent.length).equal(1)
    expect(sent[0]?.text).include(why)
  })

  it('has the name that a filter gives it, unless no file can have it or another archive has it', async () => {
    const { host, dir } = site
    const fileNameOf = async (wanted: string) => {
      const undo = host.hooks.addFilter('backup_file_name', () => wanted)
      const jobId = await site.create({ exclusions: ['database', 'others'] })
      undo()
      expect((await site.ended(jobId)).state).equal('complete')
      return (await site.records()).find(({ id }) => id === jobId)?.fileName
    }
    const own = /^127\.0\.0\.1-\d{4}-\d\d-\d\d-\d{4}-[0-9a-f]{32}\.tar\.gz$/
    expect(await fileNameOf('nightly.tar.gz')).equal('nightly.tar.gz')
    for (const refused of ['nightly.tar.gz', '../a.tar.gz']) expect(await fileNameOf(refused)).match(own)
    // Half of it may still lie at a location that is away; with it a whole one of its name would be taken away.
    const away = async () => Promise.reject(new Error('It is away.'))
    const file = { path: '', name: 'half.tar.gz', size: 1, sha256: '0'.repeat(64) }
    const leftovers = createLeftovers(join(dir, 'backups'), { locations: { open: away }, vault: vaultOf(dir) })
    await leftovers.remove({ location: 'webdav', name: file.name, file }, new AbortController().signal)
    expect(await fileNameOf(file.name)).match(own)
  })

  it('that fails permanently leaves nothing behind, and reports the reason by email and hook, once', async () => {
    const full = {
      id: 'local',
      title: 'Local',
      isConfigured: () => true,
      open: async () => {
        throw new RestError('backup_location_failed', 'Local: There is no room left.', { status: 502 })
      },
    }
    const told: string[] = []
    const undo = [
      site.host.hooks.addFilter('backup_locations', () => [full]),
      site.host.hooks.addAction('backup_failed', (_job, { code }) => {
        told.push(code)
      }),
    ]
    const mails = site.mails.length
    const jobId = await site.create({ title: 'Doomed', exclusions: ['database'] })
    const progress = await site.ended(jobId)
    while (site.mails.length === mails) await new Promise((resolve) => setTimeout(resolve, 50))
    for (const remove of undo) remove()
    const error = { code: 'backup_location_failed', message: 'Local: There is no room left.' }
    expect(progress).deep.include({ state: 'failed', backupId: null, error })
    expect(told).deep.equal([error.code])
    const sent = site.mails.slice(mails)
    expect(sent.map(({ subject }) => /Backup failed: Doomed$/.test(subject))).deep.equal([true])
    expect(sent[0]?.text).include(error.message)
    expect(existsSync(join(site.dir, 'tmp', `backup-${jobId}`))).equal(false)
    expect((await site.records()).map(({ id }) => id)).not.include(jobId)
    expect((await site.call('POST', '/backup/cancel', { jobId })).code).equal('job_not_running')
  })
})
