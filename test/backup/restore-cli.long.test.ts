import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createRestoreStates, newRestoreId } from '../../plugins/backup/restore/state.ts'
import { commandLine } from '../support/command-line.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { createBackupSite } from './backup-site.ts'

/** Writes down what it hears of restores; in the order of loading it comes after the backup service. */
const LISTENER = `
  import { appendFileSync } from 'node:fs'
  import { defineExtension } from 'pentad'
  export default defineExtension({
    id: 'listener', name: 'Listener', version: '1.0.0',
    setup({ hooks, site }) {
      const note = (text) => appendFileSync(site.dir + '/backups/heard.txt', text + '\\n')
      hooks.addAction('restore_completed', ({ parts }) => note('completed ' + parts.length))
      hooks.addAction('restore_failed', (job, { code }) => note('failed ' + code))
    },
  })`

describe('pentad backup', () => {
  const command = commandLine()
  let folder: string
  let archive: string
  let formerUrl: string
  let restoring: Awaited<ReturnType<typeof pentad>>
  const at = (name: string) => join(folder, name)
  /** The site as the command has restored it where there was none. */
  const restoredAt = (name: string) => cp(at('restored'), at(name), { recursive: true, preserveTimestamps: true })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-backup-cli-'))
    const site = await createBackupSite()
    formerUrl = site.url
    await site.host.content.posts.insert({
      title: 'Moved',
      content: `<a href="${site.url}/uploads/a.txt">a</a>`,
      status: 'publish',
    })
    await site.write({ 'uploads/a.txt': 'hello', 'extensions/listener/index.ts': LISTENER })
    await site.host.extensions.activate('listener')
    await site.call('PUT', '/settings', { settings: { excludePatterns: ['*.mp4'] } })
    const { state } = await site.ended(await site.create())
    expect(state).to.equal('complete')
    archive = at('archive.tar.gz')
    await writeFile(archive, await readFile(join(site.dir, 'backups', (await site.records())[0]?.fileName ?? '')))
    await site.close()
    restoring = await pentad(at('restored'), ['backup', 'restore', archive, '--trust-code'])
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const contentOfPost = (siteDir: string) => {
    const database = new DatabaseSync(join(siteDir, 'site.db'), { readOnly: true })
    const row = database.prepare("select content from posts where title = 'Moved'").get()
    database.close()
    return String(row?.content)
  }

  /** Of the page that a visitor sees; `undefined` while the site is closed. */
  const linkOfPost = async (url: string) => {
    const answer = await fetch(`${url}/moved/`).catch(() => undefined)
    return /href="([^"]*\/uploads\/a\.txt)"/.exec((await answer?.text()) ?? '')?.[1]
  }

  it('restores a site where there is none, at its new address', async () => {
    expect(restoring.code, restoring.errors).to.equal(0)
    expect(restoring.output).to.match(/Site restored/)
    expect(contentOfPost(at('restored'))).to.equal('<a href="http://127.0.0.1:8080/uploads/a.txt">a</a>')
    await restoredAt('empty')
    const site = await startPentad(at('empty'))
    const answer = await fetch(`${site.url}/wp-content/uploads/a.txt`)
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'hello'])
    expect(await readFile(join(at('empty'), 'backups/heard.txt'), 'utf8')).to.equal('completed 5\n')
    expect(await site.end()).to.equal(0)
  })

  it('says which address the content has now; served at another one it has that', async () => {
    await restoredAt('moved')
    expect(restoring.output).to.include(formerUrl).and.include('http://127.0.0.1:8080')
    const site = await startPentad(at('moved'))
    expect(await linkOfPost(site.url)).to.equal(`${site.url}/uploads/a.txt`)
    expect(await site.end()).to.equal(0)
  })

  it('keeps the security log of the site that it replaces, and is in it', async () => {
    await restoredAt('logged')
    const events = () => {
      const database = new DatabaseSync(join(at('logged'), 'site.db'), { readOnly: true })
      const rows = database.prepare('select event from security_log').all()
      database.close()
      return rows.map(({ event }) => String(event))
    }
    const changed = await pentad(at('logged'), ['user', 'password', 'admin', '--password-stdin'], 'battery staple 9\n')
    expect(changed.code, changed.errors).to.equal(0)
    expect(events()).to.include('password_changed')
    const { code, errors } = await pentad(at('logged'), ['backup', 'restore', archive])
    expect(code, errors).to.equal(0)
    expect(events()).to.include('password_changed')
    // Told by the next process that opens the site.
    const site = await startPentad(at('logged'))
    expect(await site.end()).to.equal(0)
    expect(events()).to.include.members(['password_changed', 'restore_completed'])
  })

  it('keeps what the settings leave out of backups', async () => {
    await restoredAt('kept-out')
    await writeFile(join(at('kept-out'), 'uploads/film.mp4'), 'film')
    await writeFile(join(at('kept-out'), 'uploads/later.txt'), 'later')
    const { code, errors } = await pentad(at('kept-out'), ['backup', 'restore', archive])
    expect(code, errors).to.equal(0)
    expect((await readdir(join(at('kept-out'), 'uploads'))).sort()).to.deep.equal(['a.txt', 'film.mp4'])
  })

  it('restores a site whose database and options are broken', async () => {
    await restoredAt('broken')
    await writeFile(join(at('broken'), 'site.db'), 'no database')
    await writeFile(join(at('broken'), 'options.json'), '{')
    const { code, errors } = await pentad(at('broken'), ['backup', 'restore', archive])
    expect(code, errors).to.equal(0)
    expect(contentOfPost(at('broken'))).to.not.include(formerUrl)
  })

  it('restores where another one was killed after it had decided to replace the site and before it did', async () => {
    await restoredAt('decided')
    const states = createRestoreStates(at('decided'))
    const none = { files: 0, bytes: 0 }
    const { id } = await states.write({
      ...{
        id: newRestoreId(),
        backupId: null,
        source: { file: archive },
        trustCode: false,
        parts: null,
        siteUrl: null,
      },
      ...{
        state: 'running',
        stage: 'files',
        percent: 90,
        message: '',
        warnings: [],
        error: null,
        worker: null,
        takeovers: 0,
      },
      ...{ processed: none, total: none, failures: 0, startedAt: new Date().toISOString(), updatedAt: '' },
    })
    await states.decide(id, 'replaced')
    expect(await pentad(at('decided'), ['backup', 'restore', archive])).to.include({ code: 0 })
    expect((await states.read(id))?.state).to.equal('failed')
  })

  it('restores alongside a running server, which then serves the restored site', async () => {
    const site = await startPentad(at('served'))
    const { code, errors } = await pentad(at('served'), ['backup', 'restore', archive])
    expect(code, errors).to.equal(0)
    let found: unknown
    while (!Array.isArray(found) || found.length === 0) {
      await wait(50)
      const answer = await fetch(`${site.url}/wp-json/wp/v2/search?search=moved`).catch(() => undefined)
      found = answer?.status === 200 ? await answer.json() : undefined
    }
    expect(await linkOfPost(site.url)).to.equal(`${site.url}/uploads/a.txt`)
    expect(await site.end()).to.equal(0)
  })

  it('makes, lists and verifies a backup', async () => {
    await restoredAt('own')
    const created = await command(at('own'), ['backup', 'create', '--title', 'Before the move', '--exclude', 'themes'])
    expect(created.code, created.errors).to.equal(0)
    const { output } = await command(at('own'), ['backup', 'list'])
    const fields = output.trim().split('\t')
    expect(fields).to.include.members(['local', 'manual', 'Before the move'])
    const verified = await command(at('own'), ['backup', 'verify', join(at('own'), 'backups', fields.at(-1) ?? '')])
    expect([verified.code, verified.output]).to.satisfy(
      ([code, text]: [number, string]) => code === 0 && /is intact/.test(text),
    )
  })

  it('says of a damaged archive that it is, with exit code 1, and touches nothing', async () => {
    const damaged = at('damaged.tar.gz')
    await writeFile(damaged, await readFile(archive))
    await truncate(damaged, 2000)
    await restoredAt('kept')
    const before = await readFile(join(at('kept'), 'site.db'))
    for (const name of ['verify', 'restore']) {
      const { code, errors } = await command(at('kept'), ['backup', name, damaged])
      expect(code, name).to.equal(1)
      expect(errors, name).to.match(/damaged|truncated/)
    }
    expect(await readFile(join(at('kept'), 'site.db'))).to.deep.equal(before)
  })

  it('refuses a part that there is not, and a file that there is not', async () => {
    expect(await command(at('none'), ['backup', 'restore', archive, '--parts', 'everything'])).to.include({ code: 1 })
    expect(await command(at('none'), ['backup', 'verify', at('nothing')])).to.include({ code: 1 })
  })
})
