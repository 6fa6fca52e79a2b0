import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { createSite, type Site } from '../../app/create-site.ts'
import { ANONYMOUS, CHEAPEST } from '../../core/auth/index.ts'
import { RestError } from '../../core/errors.ts'
import type { FailedBackup } from '../../plugins/backup/action-items.ts'
import type { LogEntry } from '../../plugins/backup/job-log.ts'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { WXR_END, WXR_HEAD, wxrItem } from '../content/import/wxr-file.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

interface ImportState {
  readonly report: { readonly posts: { readonly post: object } } | null
}

interface Answer {
  readonly code?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Two nodes that drive jobs only when they are asked to, so that each can be the one that has stopped. */
describe('Jobs of a node that has stopped', () => {
  let bucket: TestBucket
  let first: Site
  let second: Site

  before(async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    bucket = await startBucket()
    const databaseUrl = await createPostgresDatabase()
    const open = () =>
      createSite(
        {
          ...{ siteDir: temporaryFolder(), port: 0, logLevel: 'silent', databaseUrl, storageUrl: bucket.storageUrl },
          ...{ nodes: 'many', url: 'http://site.example', secretKey: Buffer.alloc(32, 7).toString('base64url') },
        },
        { passwordCost: CHEAPEST },
      )
    first = await open()
    second = await open()
  })
  after(async () => {
    await second?.close()
    await first?.close()
    await bucket?.stop()
  })

  // The list is ordered by seconds, so a test could take the job of the one before for its own.
  beforeEach(() => first.database.db.deleteFrom('jobs').where('state', '!=', 'running').execute())

  async function send(site: Site, method: 'GET' | 'POST', route: string, body: Readonly<Record<string, unknown>> = {}) {
    const { items } = await site.auth.users.query({ roles: ['administrator'], limit: 1 })
    return site.rest.dispatch({ method, route, body, identity: { ...ANONYMOUS, user: items[0] ?? null } })
  }

  async function call<Data>(...request: Parameters<typeof send>): Promise<Data> {
    const answer = await send(...request)
    const json: Answer & { data: Data } = JSON.parse(JSON.stringify(answer.body))
    expect(answer.status, json.code).to.be.within(200, 299)
    return json.data
  }

  /** The jobs look as if no node had worked on them for so long. */
  async function age(seconds: number): Promise<void> {
    const time = new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const times = { run_after_gmt: time, updated_gmt: time }
    await first.database.db.updateTable('jobs').set(times).where('state', '=', 'running').execute()
  }

  const jobOf = async (type: string) => {
    const [job] = await first.jobs.list({ type })
    if (!job) throw new Error(`There is no job ${type}.`)
    return job
  }

  const createBackup = async () => (await call<{ jobId: string }>(first, 'POST', '/backup/v1/backup/create')).jobId

  async function drive(site: Site, type: string, ends: (percent: number) => boolean = () => false): Promise<void> {
    for (let job = await jobOf(type); job.state === 'running' && !ends(job.percent); job = await jobOf(type))
      await site.jobs.advance(job.id)
  }

  /** The other node takes the job over, and retries it. */
  async function failOnSecond(type: string): Promise<void> {
    for (let tries = 0; tries < 4; tries++) {
      expect((await jobOf(type)).state).to.equal('running')
      await age(400)
      await second.jobs.runDue()
    }
    expect((await jobOf(type)).state).to.equal('failed')
  }

  const listed = async (id: string) => {
    const { items } = await call<{ items: BackupRecord[] }>(second, 'GET', '/backup/v1/backup/fetch')
    const record = items.find((item) => item.id === id)
    if (!record) throw new Error('The backup is not listed.')
    return record
  }
  const logOf = async (id: string) => {
    const { entries } = await call<{ entries: LogEntry[] }>(second, 'GET', `/backup/v1/backup/logs?jobId=${id}`)
    return entries.map(({ message }) => message).join('\n')
  }

  const lastFailure = async () =>
    (await call<{ lastFailure: FailedBackup | null }>(second, 'GET', '/backup/v1/backup/overview')).lastFailure

  const archives = () => bucket.keys().filter((key) => /^backups\/[^/]+\.tar\./.test(key))
  /** Checksum of the archive in the bucket. */
  const checksumOf = ({ fileName }: BackupRecord) =>
    createHash('sha256')
      .update(bucket.get(`backups/${fileName}`))
      .digest('hex')

  it('leave states in the bucket, which any node removes after 30 days', async () => {
    for (const [name, days] of [
      ['old', 31],
      ['recent', 29],
    ] as const)
      await bucket.put(`backups/jobs/${name}.state.json`, '{}', new Date(Date.now() - days * 24 * 3_600_000))
    const lastRun = { name: 'schedule:backup:tidy', holder: '', expires: Date.now() - 2 * 3_600_000 }
    await first.database.db.deleteFrom('leases').where('name', '=', lastRun.name).execute()
    await first.database.db.insertInto('leases').values(lastRun).execute()
    await second.jobs.runDue()
    expect(bucket.keys()).to.include('backups/jobs/recent.state.json')
    expect(bucket.keys()).to.not.include('backups/jobs/old.state.json')
  })

  it('have one outcome, even if another node cancels a backup while its node is storing the outcome', async () => {
    const id = await createBackup()
    await drive(first, 'backup', (percent) => percent === 99)
    const { arrived, release } = bucket.hold(`backups/jobs/${id}.outcome.json`)
    const completed = first.jobs.advance(id)
    await arrived
    let hasAnswered = false
    const cancelled = send(second, 'POST', '/backup/v1/backup/cancel', { jobId: id }).finally(() => {
      hasAnswered = true
    })
    const isWaiting = async () => {
      const waiting = sql`select 1 from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`
      return (await waiting.execute(first.database.db)).rows.length > 0
    }
    await until(async () => hasAnswered || (await isWaiting()))
    release()
    expect((await cancelled).status).to.equal(409)
    expect(await completed).to.include({ state: 'complete' })
  })

  const current = () => call<ImportState>(second, 'GET', '/host/v1/import')
  /** A complete upload in the bucket. */
  async function putUpload(id: string, item: number): Promise<void> {
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const upload = { fileName: 'export.xml', size: null, sha256: null, userId: null, expires, total: 1 }
    const put = (name: string, content: string) => bucket.put(`tmp/import-upload-${id}/${name}`, content, new Date())
    await put('session.json', JSON.stringify({ ...upload, isComplete: true }))
    await put('chunks/0', exportOf(item))
  }
  const exportOf = (item: number) => `${WXR_HEAD}${wxrItem({ id: item, slug: `post-${item}` })}${WXR_END}`

  it('are continued by another node, if it is an import', async () => {
    await putUpload('upload', 5000)
    await call(first, 'POST', '/host/v1/import', { files: ['upload'] })
    await age(20)
    await second.jobs.runDue()
    expect(await current()).to.include({ state: 'running', percent: 0 })
    await age(60)
    await second.jobs.runDue()
    await drive(second, 'wordpress-import')
    expect(await current()).to.include({ state: 'complete' })
    expect((await current()).report?.posts.post).to.deep.equal({ added: 1, existing: 0 })
    expect(bucket.keys().filter((key) => key.startsWith('tmp/import-upload'))).to.deep.equal([])
  })

  for (const [item, start] of [
    [5002, 'HEAD tmp/last-import.json'],
    [5003, 'GET tmp/import-upload-'],
  ] as const) {
    it(`wait for the bucket, if it is an import: ${start}`, async () => {
      const id = `waits-${item}`
      await putUpload(id, item)
      await call(first, 'POST', '/host/v1/import', { files: [id] })
      bucket.fail(true, start)
      for (let tries = 0; tries < 6; tries++) {
        await age(5)
        await first.jobs.runDue()
      }
      bucket.fail(false)
      expect(await jobOf('wordpress-import')).to.include({ state: 'running', message: 'waiting for the file storage' })
      await age(5)
      await drive(first, 'wordpress-import')
      expect(await current()).to.include({ state: 'complete' })
      expect((await current()).report?.posts.post).to.deep.equal({ added: 1, existing: 0 })
    })
  }

  it('are continued by the node that has the files of an import, if an earlier version had begun it without the bucket', async () => {
    const folder = join(first.config.siteDir, 'tmp')
    await putUpload('earlier', 5001)
    await call(first, 'POST', '/host/v1/import', { files: ['earlier'] })
    await writeFile(join(folder, 'import-upload-earlier/file'), exportOf(5001))
    for (const name of ['last-import.json', 'import-upload-earlier/session.json', 'import-upload-earlier/chunks/0'])
      await bucket.remove(`tmp/${name}`)
    const { id } = await jobOf('wordpress-import')
    const table = () => first.database.db
    const { data } = await table().selectFrom('jobs').select('data').where('id', '=', id).executeTakeFirstOrThrow()
    const { node: _, ...former } = JSON.parse(data)
    await table()
      .updateTable('jobs')
      .set({ data: JSON.stringify(former) })
      .where('id', '=', id)
      .execute()
    await age(10)
    await second.jobs.runDue()
    await age(10)
    await first.jobs.runDue()
    await drive(first, 'wordpress-import')
    expect(await current()).to.include({ state: 'complete' })
  })

  it('only clean up a backup that is listed already', async () => {
    let isCut = false
    const undo = first.hooks.addAction('backup_completed', () => {
      isCut = true
      bucket.fail(true)
    })
    const id = await createBackup()
    await drive(first, 'backup', () => isCut)
    undo()
    bucket.fail(false)
    const record = await listed(id)
    await age(60)
    await drive(second, 'backup')
    expect(await jobOf('backup')).to.include({ id, state: 'complete' })
    expect(await listed(id)).to.deep.equal(record)
    expect(await checksumOf(record)).to.equal(record.sha256)
    expect(await logOf(id)).to.not.include('another node')
  })

  it('create a backup again, whose record describes the new archive even if the node listed the former one', async () => {
    const id = await createBackup()
    const isStored = (percent: number) => percent === 99
    await drive(first, 'backup', isStored)
    await age(60)
    await second.jobs.runDue()
    await drive(second, 'backup', isStored)
    // The node was only paused, and an administrator has already seen what it lists.
    const former = {
      id,
      title: 'Before the update',
      contents: ['database'],
      size: 1,
      sha256: 'former',
      fileName: 'a.tar',
    }
    const more = {
      location: 'local',
      date: new Date().toISOString(),
      kind: 'manual',
      createdBy: null,
      keepForever: true,
    }
    await bucket.put(`backups/records/${id}.json`, JSON.stringify({ ...former, ...more }), new Date())
    await drive(second, 'backup')
    const record = await listed(id)
    expect(record).to.include({ title: 'Before the update', keepForever: true, signed: true })
    expect(record.sha256).to.equal(await checksumOf(record))
    expect(await logOf(id)).to.include('another node')
  })

  it('fail a backup that is complete but not listed, if it cannot be created again', async () => {
    const before = archives()
    const id = await createBackup()
    await drive(first, 'backup', (percent) => percent === 99)
    await bucket.put(`backups/jobs/${id}.outcome.json`, JSON.stringify({ state: 'complete', error: null }), new Date())
    const failed: string[] = []
    const undo = [
      second.hooks.addFilter('backup_exclude_path', () => {
        throw new RestError('broken', 'The files cannot be listed.', { status: 500 })
      }),
      second.hooks.addAction('backup_failed', ({ jobId }) => void failed.push(jobId)),
    ]
    await age(60)
    await second.jobs.runDue()
    await drive(second, 'backup')
    for (const remove of undo) remove()
    expect(await jobOf('backup')).to.include({ id, state: 'failed' })
    expect(failed).to.deep.equal([id])
    expect(await logOf(id)).to.include('The files cannot be listed.')
    expect(await call(first, 'GET', `/backup/v1/backup/progress?jobId=${id}`)).to.deep.include({
      ...{ state: 'failed', error: { code: 'broken', message: 'The files cannot be listed.' } },
    })
    expect(await lastFailure()).to.include({ jobId: id, code: 'broken', message: 'The files cannot be listed.' })
    expect(archives()).to.deep.equal(before)
  })

  /** Retries the backup while requests fail, which takes about a day. @returns the number of attempts */
  async function retryWhile(start: string): Promise<number> {
    bucket.fail(true, start)
    let attempts = 0
    for (; (await jobOf('backup')).state === 'running' && attempts < 100; attempts++) {
      await age(60)
      await first.jobs.runDue()
    }
    bucket.fail(false)
    return attempts
  }

  it('end a backup that cannot be listed for a day', async () => {
    const id = await createBackup()
    await drive(first, 'backup', (percent) => percent === 99)
    expect(await retryWhile('')).to.equal(30)
    expect(await jobOf('backup')).to.include({ id, state: 'failed' })
    expect(await lastFailure()).to.include({ jobId: id, code: 'backup_failed' })
  })

  it('remove the archive of a backup that could not be listed for a day', async () => {
    const before = archives()
    const id = await createBackup()
    await drive(first, 'backup', (percent) => percent === 99)
    expect(archives()).to.have.length(before.length + 1)
    expect(await retryWhile('PUT backups/records/')).to.equal(30)
    expect(await jobOf('backup')).to.include({ id, state: 'failed' })
    expect(archives()).to.deep.equal(before)
  })

  it('complete a backup that is listed, even if it cannot be cleaned up for a day', async () => {
    const id = await createBackup()
    await drive(first, 'backup', (percent) => percent === 99)
    expect(await retryWhile('PUT backups/logs/')).to.equal(30)
    expect(await jobOf('backup')).to.include({ id, state: 'complete' })
    const record = await listed(id)
    expect(await checksumOf(record)).to.equal(record.sha256)
  })

  it('keep a restore for it, and fail if it does not return', async () => {
    const backupId = await createBackup()
    await drive(first, 'backup')
    const { jobId } = await call<{ jobId: string }>(first, 'POST', '/backup/v1/restore/start', { backupId })
    await age(60)
    await second.jobs.runDue()
    expect(await jobOf('restore')).to.include({ state: 'running', error: null })
    await first.jobs.runDue()
    expect(await call(first, 'GET', `/backup/v1/backup/progress?jobId=${jobId}`)).to.include({ state: 'running' })
    await failOnSecond('restore')
    expect(await jobOf('restore')).to.include({ error: 'The restore was interrupted. Start it again.' })
  })
})
