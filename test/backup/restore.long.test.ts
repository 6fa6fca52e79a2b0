import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Progress } from '../../plugins/backup/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { otherFileSystem } from '../support/other-file-system.ts'
import { describeTree } from './archive-files.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

const run = promisify(execFile)

const TABLES = ['users', 'usermeta', 'posts', 'postmeta', 'terms', 'term_relationships', 'comments', 'book', 'appendix']

/** All of a site that a backup holds, as text that can be compared. */
async function contentOf(site: BackupSite): Promise<{ database: string; files: string[] }> {
  const { db } = site.host.database
  const sum = createHash('sha256')
  for (const table of TABLES) {
    const { rows } = await sql`select * from ${sql.id(table)}`.execute(db)
    sum.update(JSON.stringify(rows.map((row) => JSON.stringify(row)).sort()))
  }
  const files: string[] = []
  for (const name of ['uploads', 'themes', 'extensions', 'generated']) {
    files.push(...(await describeTree(join(site.dir, name)).catch(() => [`${name} is missing`])))
  }
  return { database: sum.digest('hex'), files }
}

/** Something of every kind, with values that are hard to keep. */
async function fill(site: BackupSite): Promise<void> {
  // Makes the user that everything is asked as.
  await site.call('GET', '/backup/fetch')
  const { db, kind } = site.host.database
  await sql`create table book (id integer primary key, isbn ${kind === 'sqlite' ? sql`integer` : sql`bigint`}, cover ${
    kind === 'sqlite' ? sql`blob` : sql`bytea`
  }, price ${kind === 'sqlite' ? sql`real` : sql`double precision`}, title text not null default 'none')`.execute(db)
  await sql`create unique index book_isbn on book (isbn)`.execute(db)
  // By its name it is loaded before the table that it refers to.
  await sql`create table appendix (id integer primary key, book integer references book (id) on delete cascade)`.execute(
    db,
  )
  await sql`insert into book (id, isbn, cover, price, title)
    values (1, 9007199254740900, ${Buffer.from([0, 255, 128])}, 5.0, 'ü😀'), (2, null, null, 0.1, '')`.execute(db)
  await sql`insert into appendix (id, book) values (1, 1)`.execute(db)
  await site.write({
    'uploads/2026/a.txt': 'hello',
    'uploads/2026/b.bin': Buffer.alloc(300_000, 7),
    'themes/own/style.css': 'body{}',
    'generated/map.json': '{}',
  })
  await mkdir(join(site.dir, 'uploads/empty'), { recursive: true })
}

/** What somebody does to a site after the backup. */
async function change(site: BackupSite): Promise<void> {
  const { db } = site.host.database
  await db.updateTable('posts').set({ title: 'Changed' }).execute()
  await sql`delete from book`.execute(db)
  await site.host.content.posts.insert({ title: 'Later', status: 'publish' })
  await site.write({ 'uploads/2026/a.txt': 'changed', 'uploads/later.txt': 'later', 'generated/map.json': '[]' })
}

interface Started {
  readonly jobId: string
  readonly reloginToken: string
  readonly reloginExpires: string
  readonly progressToken: string
}

async function start(site: BackupSite, body: object): Promise<Started> {
  const { status, data, code } = await site.call<Started>('POST', '/restore/start', body)
  if (status !== 202) throw new Error(`start answered ${status} ${code}`)
  return data
}

/** Polls with the progress token, as a page does whose session is gone. */
async function restored(
  site: BackupSite,
  { jobId, progressToken }: Pick<Started, 'jobId' | 'progressToken'>,
): Promise<Progress> {
  for (;;) {
    const answer = await site
      .get(`/wp-json/backup/v1/backup/progress?jobId=${jobId}`, { headers: { 'X-Restore-Token': progressToken } })
      .catch(() => undefined)
    if (answer && answer.status !== 503) {
      const { data } = JSON.parse(await answer.text())
      if (data.state !== 'running') return data
    }
    await wait(20)
  }
}

/** Of a restore that has ended only its state and its tokens stay, which are small files. */
async function expectNothingLeft(site: BackupSite, jobId: string): Promise<void> {
  const left = await readdir(join(site.dir, 'tmp', `restore-${jobId}`), { withFileTypes: true })
  expect(left.filter((entry) => !entry.isFile() || !entry.name.endsWith('.json'))).to.deep.equal([])
}

async function backUp(site: BackupSite, body: object = {}): Promise<string> {
  const jobId = await site.create(body)
  const { state, error } = await site.ended(jobId)
  if (state !== 'complete') throw new Error(`The backup is ${state}: ${error?.message}`)
  return jobId
}

onEachDatabase('POST /restore/start', (databaseUrl) => {
  let site: BackupSite
  beforeEach(async () => {
    const url = await databaseUrl()
    site = await createBackupSite(url === undefined ? {} : { config: { databaseUrl: url } })
    await fill(site)
  })
  afterEach(() => site.close())

  it('brings back exactly the site of the backup', async () => {
    const before = await contentOf(site)
    const backupId = await backUp(site)
    await change(site)
    const { url } = site
    const progress = await restored(site, await start(site, { backupId }))
    expect(progress).to.deep.include({ kind: 'restore', state: 'complete', stage: 'finish', percent: 100, error: null })
    expect(await contentOf(site)).to.deep.equal(before)
    expect(site.url).to.equal(url)
    expect((await site.get('/wp-json/host/v1/health')).status).to.equal(200)
    await expectNothingLeft(site, progress.jobId)
    const found = await site.get('/wp-json/wp/v2/search?search=world')
    expect(await found.json()).to.have.length(1)
    const post = await site.host.content.posts.insert({ title: 'After', status: 'draft' })
    expect(post.id).to.be.greaterThan(0)
    await sql`delete from book where id = 1`.execute(site.host.database.db)
    expect((await sql`select * from appendix`.execute(site.host.database.db)).rows).to.deep.equal([])
    const wrong = await sql`insert into appendix (id, book) values (2, 99)`.execute(site.host.database.db).catch(String)
    expect(wrong).to.match(/foreign key/i)
  })

  it('keeps the security log of the site, and is in it', async () => {
    const { securityLog } = site.host.auth
    await securityLog.record('before_backup')
    const backupId = await backUp(site)
    await securityLog.record('after_backup')
    await restored(site, await start(site, { backupId }))
    const { items } = await site.host.auth.securityLog.query({ limit: 100, offset: 0 })
    const events = items.map(({ event }) => event)
    expect(events).to.include.members(['before_backup', 'after_backup', 'restore_started', 'restore_completed'])
    const entry = items.find(({ event }) => event === 'restore_started')
    expect(entry?.actor?.login).to.be.a('string')
    expect(entry?.detail).to.include({ backup: backupId })
  })

  it('brings back the settings, also without the database', async () => {
    const { host } = site
    await host.options.update('color', 'of the backup')
    const backupId = await backUp(site)
    await host.options.update('color', 'later')
    await host.options.update('size', 3)
    await restored(site, await start(site, { backupId, parts: ['others'] }))
    expect(site.host.options.get('color')).to.equal('of the backup')
    expect(site.host.options.get('size')).to.equal(undefined)
    await site.host.options.update('color', 'later')
    await restored(site, await start(site, { backupId, parts: ['database'] }))
    expect(site.host.options.get('color')).to.equal('later')
    await restored(site, await start(site, { backupId }))
    expect(site.host.options.get('color')).to.equal('of the backup')
  })

  it('restores only what it is asked for', async () => {
    const before = await contentOf(site)
    const backupId = await backUp(site)
    await change(site)
    const changed = await contentOf(site)
    await restored(site, await start(site, { backupId, parts: ['media'] }))
    const files = await contentOf(site)
    expect(files.database).to.equal(changed.database)
    expect(await readFile(join(site.dir, 'uploads/2026/a.txt'), 'utf8')).to.equal('hello')
    expect(await readFile(join(site.dir, 'generated/map.json'), 'utf8')).to.equal('[]')
    await restored(site, await start(site, { backupId, parts: ['database'] }))
    expect((await contentOf(site)).database).to.equal(before.database)
    expect(await readFile(join(site.dir, 'generated/map.json'), 'utf8')).to.equal('[]')
  })
})

describe('POST /restore/start', () => {
  let site: BackupSite
  let backupId: string
  beforeEach(async () => {
    site = await createBackupSite()
    await fill(site)
    backupId = await backUp(site)
  })
  afterEach(() => site.close())

  const archivePath = async () => join(site.dir, 'backups', (await site.records())[0]?.fileName ?? '')

  it('refuses a backup that does not exist, parts that it does not hold, and a second job', async () => {
    expect(await site.call('POST', '/restore/start', { backupId: 'none' })).to.include({
      status: 404,
      code: 'backup_not_found',
    })
    const partial = await backUp(site, { exclusions: ['database'] })
    const refused = await site.call('POST', '/restore/start', { backupId: partial, parts: ['database'] })
    expect(refused).to.include({ status: 400, code: 'rest_invalid_param' })
    for (const parts of ['extensions,', ',', '']) {
      const text = await site.call<{ params: object }>('POST', '/restore/start', { backupId, parts })
      expect(text, parts).to.include({ status: 400, code: 'rest_invalid_param' })
      expect(text.data.params, parts).to.deep.equal({ parts: 'parts is not of type array.' })
    }
    const begun = await start(site, { backupId })
    const second = await site.call('POST', '/restore/start', { backupId })
    expect(second).to.deep.include({ status: 409, code: 'job_running' })
    expect(second.data).to.include({ jobId: begun.jobId })
    expect((await site.call('POST', '/backup/create', {})).code).to.equal('job_running')
    const removal = await site.call('DELETE', '/backup/remove', { backupId })
    expect([removal.status, removal.code, removal.data.jobId]).to.deep.equal([409, 'job_running', begun.jobId])
    expect((await restored(site, begun)).state).to.equal('complete')
  })

  it('gives the site of the last one where one follows the other, and ends all sessions', async () => {
    const first = await contentOf(site)
    await change(site)
    const second = await contentOf(site)
    const later = await backUp(site)
    const user = await site.host.auth.users.getByLogin('test-administrator')
    if (!user) throw new Error('There is no administrator.')
    const { auth } = site.host
    const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
    const headers = {
      Cookie: auth.sessionCookie(session).split(';')[0] ?? '',
      'X-WP-Nonce': auth.createNonce('wp_rest', session),
    }
    const me = async () => (await site.get('/wp-json/wp/v2/users/me', { headers })).status
    expect(await me()).to.equal(200)
    await restored(site, await start(site, { backupId }))
    expect(await contentOf(site)).to.deep.equal(first)
    expect(await me()).to.be.oneOf([401, 403])
    await restored(site, await start(site, { backupId: later }))
    expect(await contentOf(site)).to.deep.equal(second)
  })

  it('restores an archive without a database, and one with nothing else', async () => {
    const [files, database] = [
      await backUp(site, { exclusions: ['database'] }),
      await backUp(site, { exclusions: ['uploads', 'themes', 'extensions', 'others'] }),
    ]
    const before = await contentOf(site)
    await change(site)
    const changed = await contentOf(site)
    expect((await restored(site, await start(site, { backupId: files }))).state).to.equal('complete')
    expect(await contentOf(site)).to.deep.equal({ files: before.files, database: changed.database })
    await change(site)
    const { files: later } = await contentOf(site)
    expect((await restored(site, await start(site, { backupId: database }))).state).to.equal('complete')
    expect(await contentOf(site)).to.deep.equal({ files: later, database: before.database })
  })

  it('leaves the site untouched where the archive is damaged', async () => {
    const path = await archivePath()
    await truncate(path, Math.floor((await stat(path)).size / 2))
    await change(site)
    const before = await contentOf(site)
    const { host } = site
    const progress = await restored(site, await start(site, { backupId }))
    expect(progress).to.deep.include({ state: 'failed', stage: 'verify' })
    expect(progress.error?.code).to.equal('archive_corrupt')
    expect(await contentOf(site)).to.deep.equal(before)
    expect(site.host).to.equal(host)
    expect((await site.call('POST', '/restore/start', { backupId })).status).to.equal(202)
  })

  it('preserves keys, configuration and backups, and notifies extensions and the log', async () => {
    const key = await readFile(join(site.dir, 'secret.key'), 'utf8')
    const told: string[] = []
    site.host.hooks.addAction('restore_started', (job) => {
      told.push(`${job.backupId} ${job.parts.length}`)
    })
    const { jobId } = await restored(site, await start(site, { backupId }))
    expect(told).to.deep.equal([`${backupId} 5`])
    expect(await readFile(join(site.dir, 'secret.key'), 'utf8')).to.equal(key)
    expect((await site.records()).map(({ id }) => id)).to.deep.equal([backupId])
    const { data } = await site.call<{ entries: { stage: string }[] }>('GET', `/backup/logs?jobId=${jobId}`)
    expect(data.entries.map(({ stage }) => stage)).to.include.members([
      'verify',
      'extract',
      'database',
      'files',
      'finish',
    ])
  })

  it('never goes back in percent, and counts the files of the parts that it restores', async () => {
    const { jobId, progressToken } = await start(site, { backupId, parts: ['uploads', 'database'] })
    const seen: Progress[] = []
    while (seen.at(-1)?.percent !== 100) {
      const answer = await site
        .get(`/wp-json/backup/v1/backup/progress?jobId=${jobId}`, { headers: { 'X-Restore-Token': progressToken } })
        .catch(() => undefined)
      if (answer?.status === 200) seen.push(JSON.parse(await answer.text()).data)
    }
    const percents = seen.map(({ percent }) => percent)
    expect(percents).to.deep.equal(percents.toSorted((a, b) => a - b))
    for (const { processed, total } of seen) expect(processed.files).to.be.at.most(total.files)
    const verified = seen.find(({ stage }) => stage === 'extract')
    expect(verified?.processed).to.deep.equal(verified?.total)
    const end = seen.at(-1)
    expect(end?.processed).to.deep.equal(end?.total)
    expect(end?.total.files)
      .to.be.greaterThan(2)
      .and.lessThan(verified?.total.files ?? 0)
  })

  it('can be cancelled until the site is replaced', async () => {
    await change(site)
    const before = await contentOf(site)
    const { host } = site
    const { jobId, progressToken } = await start(site, { backupId })
    await site.call('GET', `/backup/progress?jobId=${jobId}`)
    const cancelled = await site.call('POST', '/backup/cancel', { jobId })
    expect([cancelled.status, cancelled.data]).to.deep.equal([200, { jobId, state: 'cancelled' }])
    expect((await restored(site, { jobId, progressToken })).state).to.equal('cancelled')
    const again = await site.call('POST', '/backup/cancel', { jobId })
    expect([again.status, again.code]).to.deep.equal([409, 'job_not_running'])
    expect(await contentOf(site)).to.deep.equal(before)
    expect(site.host).to.equal(host)
    // A tick may have been under way, and lets go first.
    const made = join(site.dir, 'tmp', `restore-${jobId}`, 'work')
    while (existsSync(made)) await wait(50)
    await expectNothingLeft(site, jobId)

    const next = await start(site, { backupId })
    expect((await restored(site, next)).state).to.equal('complete')
    const late = await site.call('POST', '/backup/cancel', { jobId: next.jobId })
    expect([late.status, late.code]).to.deep.equal([409, 'job_not_running'])
  })

  it('is either cancelled or done, never both, where the two meet', async () => {
    await change(site)
    const before = await contentOf(site)
    const { jobId, progressToken } = await start(site, { backupId })
    const poll = () => site.call<Progress>('GET', `/backup/progress?jobId=${jobId}`)
    while ((await poll()).data.stage !== 'files');
    const [answer] = await Promise.all([site.call('POST', '/backup/cancel', { jobId }), poll().catch(() => {})])
    const { state } = await restored(site, { jobId, progressToken })
    expect(state).to.equal(answer.status === 200 ? 'cancelled' : 'complete')
    const after = await contentOf(site)
    if (state === 'cancelled') expect(after).to.deep.equal(before)
    else expect(after).to.not.deep.equal(before)
  })

  it('keeps what backups leave out, and writes nothing through a link of the archive', async () => {
    const at = (name: string) => join(site.dir, name)
    await site.call('PUT', '/settings', { settings: { excludePatterns: ['*.mp4', 'uploads/proxies'] } })
    await symlink('2026', at('uploads/shared'))
    const partial = await backUp(site, { exclusions: ['extensions'] })
    site.host.hooks.addFilter('backup_exclude_path', (exclude, path) => exclude || path === 'themes/own/node_modules')
    await rm(at('uploads/shared'))
    await site.write({
      'uploads/film.mp4': 'film',
      'uploads/later/film.mp4': 'film',
      'uploads/later/gone.txt': 'gone',
      'uploads/proxies/deep/a.txt': 'proxy',
      'uploads/shared/x.mp4': 'film',
      'themes/own/node_modules/a/index.js': 'a',
      'generated/film.mp4': 'film',
    })
    await symlink(tmpdir(), at('uploads/outside'))
    const { state, warnings } = await restored(site, await start(site, { backupId: partial }))
    expect(state).to.equal('complete')
    const kept = [
      'uploads/film.mp4',
      'uploads/later/film.mp4',
      'uploads/proxies/deep/a.txt',
      'themes/own/node_modules/a/index.js',
      'generated/film.mp4',
    ]
    for (const name of kept) expect((await stat(at(name))).nlink, name).to.equal(1)
    expect(await readlink(at('uploads/outside'))).to.equal(tmpdir())
    expect(await readdir(at('uploads/later'))).to.deep.equal(['film.mp4'])
    expect(await readlink(at('uploads/shared'))).to.equal('2026')
    expect((await readdir(at('uploads/2026'))).sort()).to.deep.equal(['a.txt', 'b.bin'])
    expect(warnings.join()).to.include('uploads/shared/x.mp4')
  })

  it('is not kept from its end by paths that are too long', async () => {
    // Below what systems take where it lies, above it where it is unpacked or put aside; and so deep that only `cd` gets there.
    const script = `cd "$1"; mkdir $2; cd $2
      while [ $(pwd | wc -c) -lt $3 ]; do mkdir ${'d'.repeat(90)}; cd ${'d'.repeat(90)}; done; echo x > a.mp4; ln -s /etc l`
    const uploads = join(site.dir, 'uploads')
    // Not synchronously: the connection to the site would time out meanwhile.
    await run('bash', ['-ec', script, 'bash', uploads, 'near', '3990'])
    await run('bash', ['-ec', script, 'bash', uploads, 'far', '4800'])
    try {
      await site.call('PUT', '/settings', { settings: { excludePatterns: ['*.mp4'] } })
      const jobId = await site.create()
      const { state, warnings } = await site.ended(jobId)
      expect([state, warnings.length]).to.deep.equal(['complete', 2])
      for (const warning of warnings) expect(warning).to.match(/d…": The file was skipped: its path is too long/)
      const progress = await restored(site, await start(site, { backupId: jobId }))
      expect([progress.state, progress.error]).to.deep.equal(['complete', null])
      expect((await readdir(uploads)).sort()).to.include.members(['2026', 'empty'])
      await expectNothingLeft(site, progress.jobId)
    } finally {
      await run('rm', ['-rf', uploads])
    }
  })

  it('is taken back as a whole where a folder can not be moved', async () => {
    await change(site)
    const before = await contentOf(site)
    const begun = await start(site, { backupId })
    // On another file system, where nothing can be put aside by a rename.
    const elsewhere = await mkdtemp(join(otherFileSystem(), 'pentad-'))
    await symlink(elsewhere, join(site.dir, 'tmp', `restore-${begun.jobId}`, 'old'))
    const progress = await restored(site, begun)
    await rm(elsewhere, { recursive: true })
    expect(progress.state).to.equal('failed')
    expect(progress.error?.message)
      .to.match(/could not be replaced/)
      .and.not.include(site.dir)
    expect(await contentOf(site)).to.deep.equal(before)
    expect((await site.get('/')).status).to.equal(200)
  })
})

describe('POST /restore/relogin', () => {
  let site: BackupSite
  let begun: Started
  const relogin = (token: string) =>
    site.request('/wp-json/backup/v1/restore/relogin', { method: 'POST', body: { token } })
  let backupId: string
  before(async () => {
    site = await createBackupSite()
    // The user who begins it, and who is in the backup.
    await site.call('GET', '/backup/fetch')
    backupId = await backUp(site)
  })
  after(() => site.close())
  beforeEach(async () => {
    begun = await start(site, { backupId })
  })
  // There is one restore at a time.
  afterEach(() => restored(site, begun))

  it('gives one session for the token, however many ask at once', async () => {
    await restored(site, begun)
    const answers = await Promise.all([1, 2, 3, 4].map(() => relogin(begun.reloginToken)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403, 403])
    const good = answers.find(({ status }) => status === 200)
    const { data } = JSON.parse((await good?.text()) ?? '')
    expect(data.user.name).to.equal('owner')
    const cookie = good?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const me = await site.get('/wp-json/wp/v2/users/me', { headers: { Cookie: cookie, 'X-WP-Nonce': data.nonce } })
    expect(me.status).to.equal(200)
  })

  it('gives none to a user whom the restored site does not know as an administrator', async () => {
    await restored(site, begun)
    const { users } = site.host.auth
    const user = await users.getByLogin('owner')
    await users.update(user?.id ?? 0, { roles: ['editor'] })
    const demoted = await relogin(begun.reloginToken)
    expect([demoted.status, JSON.parse(await demoted.text()).code]).to.deep.equal([403, 'invalid_relogin_token'])
    expect(demoted.headers.getSetCookie()).to.deep.equal([])
    await users.update(user?.id ?? 0, { roles: ['administrator'] })
    expect((await relogin(begun.reloginToken)).status, 'it is used up').to.equal(403)
  })

  it('responds identically to an unknown, a used and a premature token', async () => {
    const early = await relogin(begun.reloginToken)
    await restored(site, begun)
    const unknown = await relogin('nonsense')
    await relogin(begun.reloginToken)
    const used = await relogin(begun.reloginToken)
    const progress = await relogin(begun.progressToken)
    const texts = await Promise.all([early, unknown, used, progress].map((answer) => answer.text()))
    expect(new Set(texts).size).to.equal(1)
    expect(JSON.parse(texts[0] ?? '')).to.deep.include({ code: 'invalid_relogin_token', data: { status: 403 } })
  })

  it('refuses a token whose half hour is over', async () => {
    const { jobId } = await restored(site, begun)
    expect(Date.parse(begun.reloginExpires) - Date.now()).to.be.within(25 * 60_000, 30 * 60_000)
    const file = join(site.dir, 'tmp', `restore-${jobId}`, 'relogin.json')
    const stored = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...stored, expires: Date.now() - 1 }))
    const late = await relogin(begun.reloginToken)
    expect([late.status, JSON.parse(await late.text()).code]).to.deep.equal([403, 'invalid_relogin_token'])
    await writeFile(file, JSON.stringify(stored))
    expect((await relogin(begun.reloginToken)).status).to.equal(200)
  })

  it('the progress token opens the progress of its job and nothing else', async () => {
    const headers = { 'X-Restore-Token': begun.progressToken }
    const ask = (method: string, path: string) => site.request(`/wp-json${path}`, { method, headers })
    const other = await ask('GET', '/backup/v1/backup/progress?jobId=another')
    expect([other.status, JSON.parse(await other.text()).code]).to.deep.equal([404, 'job_not_found'])
    const routes = [
      ['GET', '/backup/v1/backup/fetch'],
      ['GET', `/backup/v1/backup/logs?jobId=${begun.jobId}`],
      ['POST', `/backup/v1/backup/cancel?jobId=${begun.jobId}`],
      ['POST', '/backup/v1/backup/create'],
      ['POST', '/backup/v1/restore/start'],
      ['PUT', '/backup/v1/settings'],
      ['GET', '/wp/v2/users/me'],
    ] as const
    for (const [method, path] of routes) expect((await ask(method, path)).status, path).to.equal(401)
    const wrong = { 'X-Restore-Token': begun.reloginToken }
    const denied = await site.get(`/wp-json/backup/v1/backup/progress?jobId=${begun.jobId}`, { headers: wrong })
    expect(denied.status).to.equal(401)
    expect((await restored(site, begun)).state).to.equal('complete')
  })

  it('stores no token', async () => {
    const { jobId } = await restored(site, begun)
    const folder = join(site.dir, 'tmp', `restore-${jobId}`)
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    expect(files.join('')).to.not.include(begun.reloginToken).and.to.not.include(begun.progressToken)
  })

  it('limits the rate of token attempts', async () => {
    let last = 0
    for (let tries = 0; tries < 25; tries++) last = (await relogin('nonsense')).status
    expect(last).to.equal(429)
    await restored(site, begun)
  })
})
