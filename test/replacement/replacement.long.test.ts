import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { Client } from 'pg'
import { beginReplacement, finishReplacement, lastReplacement } from '../../app/replacement/replacement.ts'
import { createRestart } from '../../app/replacement/restart.ts'
import { createTestHost } from '../../app/testing/index.ts'
import { createEmptyPostgresDatabase, postgresBinaries } from '../support/postgres.ts'

const NAMES = ['uploads', 'themes', 'options.json']
const replacement = {
  id: 'one',
  moves: [
    ...NAMES.map((to) => ({ to, from: `tmp/new/${to}`, aside: `tmp/old/${to}` })),
    { to: 'notes.txt', aside: 'tmp/old/notes.txt' },
    { to: 'site.db', from: 'tmp/new/site.db', aside: 'tmp/old/site.db' },
  ],
}

/** A folder with an old site, and a new one beside it. */
function siteFolder() {
  const path = mkdtempSync(join(tmpdir(), 'pentad-replacement-'))
  for (const [place, version] of [
    ['', 'old'],
    ['tmp/new', 'new'],
  ] as const) {
    const at = (name: string) => join(path, place, name)
    mkdirSync(at('uploads/2026'), { recursive: true })
    mkdirSync(at('themes'), { recursive: true })
    writeFileSync(at('uploads/2026/a.txt'), version)
    writeFileSync(at('themes/a.txt'), version)
    writeFileSync(at('options.json'), version)
    const database = new DatabaseSync(at('site.db'))
    database.exec(`pragma journal_mode = wal; create table version as select '${version}' as name`)
    database.close()
  }
  writeFileSync(join(path, 'notes.txt'), 'old')
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** `old`, `new` or a mixture, of all that was to be replaced. */
function versionOf(siteDir: string): string {
  const database = new DatabaseSync(join(siteDir, 'site.db'))
  const inDatabase = String(database.prepare('select name from version').get()?.name)
  database.close()
  const files = ['uploads/2026/a.txt', 'themes/a.txt', 'options.json'].map((name) =>
    readFileSync(join(siteDir, name), 'utf8'),
  )
  const notes = existsSync(join(siteDir, 'notes.txt')) ? 'old' : 'new'
  return [...new Set([inDatabase, notes, ...files])].join('+')
}

describe('the replacement of parts of a site', () => {
  it('happens when it is finished, not when it is begun', async () => {
    using site = siteFolder()
    beginReplacement(site.path, replacement)
    expect(versionOf(site.path)).to.equal('old')
    await finishReplacement({ siteDir: site.path })
    expect(versionOf(site.path)).to.equal('new')
    expect(lastReplacement(site.path)).to.deep.equal({ id: 'one', outcome: { done: true } })
  })

  it('is finished by the next start, wherever it was killed', async () => {
    // Two renames for each thing, one for the note that goes, one for the journal.
    const renames = 2 * (NAMES.length + 1) + 1
    for (let killedAfter = 1; killedAfter <= renames; killedAfter++) {
      using site = siteFolder()
      beginReplacement(site.path, replacement)
      const child = join(import.meta.dirname, 'replacement-child.ts')
      const { signal } = spawnSync(process.execPath, [child, site.path, String(killedAfter)])
      expect(signal, `after ${killedAfter}`).to.equal('SIGKILL')
      await finishReplacement({ siteDir: site.path })
      expect(versionOf(site.path), `after ${killedAfter}`).to.equal('new')
    }
  })

  it('is taken back as a whole where a step fails', async () => {
    using site = siteFolder()
    // No folder can be moved into itself.
    const moves = [...replacement.moves, { to: 'tmp', aside: 'tmp/inside/tmp' }]
    beginReplacement(site.path, { id: 'two', moves })
    await finishReplacement({ siteDir: site.path })
    expect(versionOf(site.path)).to.equal('old')
    const last = lastReplacement(site.path)
    expect(last?.outcome?.done).to.equal(false)
    expect(readFileSync(join(site.path, 'tmp/new/uploads/2026/a.txt'), 'utf8')).to.equal('new')
  })

  it('is taken back where another process does not close the database', async () => {
    using site = siteFolder()
    const other = new DatabaseSync(join(site.path, 'site.db'))
    other.prepare('select name from version').get()
    beginReplacement(site.path, replacement)
    await finishReplacement({ siteDir: site.path }, { patience: 100 })
    other.close()
    expect(versionOf(site.path)).to.equal('old')
    expect(lastReplacement(site.path)?.outcome).to.deep.include({ done: false })
  })

  it('waits for another process to close the database', async () => {
    using site = siteFolder()
    const other = new DatabaseSync(join(site.path, 'site.db'))
    other.prepare('select name from version').get()
    beginReplacement(site.path, replacement)
    setTimeout(() => other.close(), 300)
    await finishReplacement({ siteDir: site.path })
    expect(versionOf(site.path)).to.equal('new')
  })

  it('is done once by several that start at the same moment', async () => {
    using site = siteFolder()
    beginReplacement(site.path, replacement)
    const config = { siteDir: site.path }
    await Promise.all([finishReplacement(config), finishReplacement(config), finishReplacement(config)])
    expect(versionOf(site.path)).to.equal('new')
  })

  it('is refused where something is missing, in the way, or outside of the site', () => {
    using site = siteFolder()
    const begin = (move: { to: string; from?: string; aside: string }) => () =>
      beginReplacement(site.path, { id: 'three', moves: [move] })
    expect(begin({ to: 'uploads', from: 'tmp/new/missing', aside: 'tmp/old/uploads' })).to.throw(
      'tmp/new/missing does not exist.',
    )
    expect(begin({ to: 'uploads', aside: 'themes' })).to.throw('themes already exists.')
    for (const to of ['../x', '/etc', 'a/../../b', '.']) expect(begin({ to, aside: 'tmp/old/x' }), to).to.throw()
    expect(lastReplacement(site.path)).to.equal(undefined)
  })

  it('moves the tables of PostgreSQL, once', async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    using site = siteFolder()
    const databaseUrl = await createEmptyPostgresDatabase()
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(`create table version as select 'old' as name; create table gone as select 1 as one;
      create schema restore_new; create table restore_new.version as select 'new' as name`)
    const given = {
      id: 'four',
      moves: replacement.moves.slice(0, 3),
      tables: { from: 'restore_new', aside: 'restore_old' },
    }
    beginReplacement(site.path, given)
    await finishReplacement({ siteDir: site.path, databaseUrl })
    const journal = join(site.path, 'replacement.json')
    // As a crash leaves it between the transaction and the end.
    writeFileSync(journal, JSON.stringify(given))
    await finishReplacement({ siteDir: site.path, databaseUrl })
    const { rows } = await client.query(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname !~ '^(pg_|information)' order by 1",
    )
    expect(rows.map(({ name }) => name)).to.deep.equal(['public.version', 'restore_old.gone', 'restore_old.version'])
    expect((await client.query('select name from version')).rows).to.deep.equal([{ name: 'new' }])
    // The restored tables lack the archives of extensions and themes, which the node then stores again.
    await client.query('create schema later; create table later.version as select 1 as one')
    beginReplacement(site.path, { id: 'five', moves: [], tables: { from: 'later', aside: 'restore_later' } })
    await finishReplacement({ siteDir: site.path, databaseUrl, nodes: 'many' })
    expect(existsSync(join(site.path, 'code.import'))).to.equal(true)
    await client.end()
  })

  it('closes a site too that was being opened when it began', async () => {
    using site = siteFolder()
    beginReplacement(site.path, replacement)
    const restart = createRestart(site.path)
    const notYet = new Promise((resolve) => setImmediate(resolve, 'not yet'))
    const seen = await Promise.race([restart.restarting.then(() => 'restarting'), notYet])
    restart.close()
    expect(seen).to.equal('restarting')
  })

  it('closes the site to visitors, opens it again at the same address', async () => {
    const site = await createTestHost()
    const { siteDir } = site.host.config
    const before = site.host
    mkdirSync(join(siteDir, 'tmp/new/uploads'), { recursive: true })
    writeFileSync(join(siteDir, 'tmp/new/uploads/a.txt'), 'new')
    beginReplacement(siteDir, {
      id: 'five',
      moves: [{ to: 'uploads', from: 'tmp/new/uploads', aside: 'tmp/old/uploads' }],
    })
    const seen = new Set<number>()
    while (!seen.has(503) || site.host === before || !(await isServing())) seen.add((await health()) ?? 0)
    const answer = await site.get('/wp-content/uploads/a.txt')
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'new'])
    await site.close()

    async function health(): Promise<number | undefined> {
      return site.get('/wp-json/host/v1/health').then(
        ({ status }) => status,
        () => undefined,
      )
    }
    async function isServing(): Promise<boolean> {
      return (await health()) === 200
    }
  })
})
