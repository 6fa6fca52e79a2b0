import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite, type Site } from '../../app/create-site.ts'
import { createUploadSessions } from '../../cms/chunked-upload/sessions.ts'
import type { ImportState } from '../../cms/content/import/import-job.ts'
import { openBucket } from '../../cms/content/media/bucket.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { toGmt } from '../../core/database/gmt.ts'
import { createLog } from '../../core/log.ts'
import type { LogEntry } from '../../plugins/backup/job-log.ts'
import type { BackupRecord } from '../../plugins/backup/types.ts'
import { WXR_END, WXR_HEAD, wxrItem } from '../content/import/wxr-file.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'

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

  async function call<Data>(site: Site, method: 'GET' | 'POST', route: string, body = {}): Promise<Data> {
    const { items } = await site.auth.users.query({ roles: ['administrator'], limit: 1 })
    const via = { via: 'nobody', session: null, applicationPassword: null, freshNonce: null } as const
    const answer = await site.rest.dispatch({ method, route, body, identity: { user: items[0] ?? null, ...via } })
    const json: Answer & { data: Data } = JSON.parse(JSON.stringify(answer.body))
    expect(answer.status, json.code).to.be.within(200, 299)
    return json.data
  }

  /** The jobs look as if no node had worked on them for so long. */
  async function age(seconds: number): Promise<void> {
    const time = toGmt(Date.now() - seconds * 1000)
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

  /** Checksum of the archive in the bucket. */
  async function checksumOf({ fileName }: BackupRecord): Promise<string> {
    const log = createLog('silent')
    const place = { siteDir: temporaryFolder(), name: 'backups', database: first.database, log } as const
    const files = await openBucket(bucket.storageUrl, place)
    await files.pull(fileName)
    files.close()
    return createHash('sha256')
      .update(readFileSync(join(files.folder, fileName)))
      .digest('hex')
  }

  it('keep an import for it, and fail if it does not return', async () => {
    const start = async (slug: string) => {
      const sessions = createUploadSessions(first.config.siteDir, 'import-upload')
      const expires = new Date(Date.now() + 3_600_000).toISOString()
      const upload = { fileName: 'export.xml', size: null, sha256: null, userId: null, expires, total: 1 }
      await sessions.put(slug, { ...upload, isComplete: true })
      writeFileSync(sessions.assembledPath(slug), `${WXR_HEAD}${wxrItem({ id: 5000, slug })}${WXR_END}`)
      await call(first, 'POST', '/host/v1/import', { files: [slug] })
    }
    const current = () => call<ImportState>(first, 'GET', '/host/v1/import')
    await start('returns')
    await age(60)
    await second.jobs.runDue()
    expect(await current()).to.include({ state: 'running', error: null })
    await drive(first, 'wordpress-import')
    expect(await current()).to.include({ state: 'complete' })
    expect((await current()).report?.posts.post).to.deep.equal({ added: 1, existing: 0 })

    await start('lost')
    await failOnSecond('wordpress-import')
    expect(await current()).to.include({ state: 'failed', error: 'The import was interrupted. Start it again.' })
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
    const log = createLog('silent')
    const place = { siteDir: temporaryFolder(), name: 'backups', database: first.database, log } as const
    const files = await openBucket(bucket.storageUrl, place)
    await files.push(Buffer.from(JSON.stringify({ ...former, ...more })), `records/${id}.json`)
    files.close()
    await drive(second, 'backup')
    const record = await listed(id)
    expect(record).to.include({ title: 'Before the update', keepForever: true, signed: true })
    expect(record.sha256).to.equal(await checksumOf(record))
    expect(await logOf(id)).to.include('another node')
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
