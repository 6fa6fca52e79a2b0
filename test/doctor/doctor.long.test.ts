import { chmodSync, chownSync, cpSync, globSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { SMTPServer } from 'smtp-server'
import { examineSite } from '../../app/doctor/index.ts'
import { checkClock, inspectNode } from '../../app/doctor/process.ts'
import type { Finding } from '../../app/doctor/types.ts'
import { createTestHost } from '../../app/testing/index.ts'
import { createTranslations } from '../../cms/text/index.ts'
import { readConfig } from '../../core/config.ts'
import { createLog } from '../../core/log.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort } from '../support/free-port.ts'
import { canMount, mountReadOnly, mountSmallDisk } from '../support/mounts.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { createEmptyPostgresDatabase, createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('pentad doctor', () => {
  const stopped = temporaryFolder()
  let siteDir: string
  before(async () => {
    const site = await createTestHost({ config: { siteDir: stopped } })
    await site.close()
  })
  beforeEach(() => {
    siteDir = temporaryFolder()
    cpSync(stopped, siteDir, { recursive: true, preserveTimestamps: true })
    chmodSync(siteDir, 0o755)
  })

  const examine = (variables: NodeJS.ProcessEnv = {}) => examineSite({ PENTAD_SITE_DIR: siteDir, ...variables })
  const at = (name: string) => join(siteDir, name)

  /** The findings of one check. */
  async function findings(check: string, variables?: NodeJS.ProcessEnv): Promise<Finding[]> {
    return (await examine(variables)).filter((finding) => finding.check === check)
  }

  /** Expects that a check finds a problem of that level, whose message and fix match. */
  async function expectProblem(
    check: string,
    level: Finding['level'],
    message: RegExp,
    { fix = /./, variables }: { fix?: RegExp; variables?: NodeJS.ProcessEnv } = {},
  ): Promise<void> {
    const found = await findings(check, variables)
    const matching = found.find((finding) => message.test(finding.message))
    expect(matching, JSON.stringify(found)).to.include({ check, level })
    expect(matching?.fix).to.match(fix)
  }

  function changeDatabase(...statements: string[]): void {
    const database = new DatabaseSync(at('site.db'))
    for (const statement of statements) database.exec(statement)
    database.close()
  }

  function setOption(name: string, value: unknown): void {
    writeFileSync(at('options.json'), JSON.stringify({ [name]: value }), { mode: 0o600 })
  }

  it('finds caches that do not accept purges, and webhooks that fail', async () => {
    expect(await findings('caches')).to.deep.equal([])
    const values = "'Varnish', '', 3, 'It could not be reached.', '2026-01-01 10:00:00', null, '2026-01-01 10:00:00'"
    changeDatabase(
      `insert into change_readers values ('varnish-purge:http://10.0.0.2:6081', ${values})`,
      `insert into change_readers values ('fastly-purge:an-inactive-extension', ${values})`,
    )
    expect(await findings('caches')).to.deep.equal([])
    setOption('host_extensions', { 'varnish-purge': { state: 'active' } })
    const found = await findings('caches')
    expect(found).to.have.lengthOf(1)
    await expectProblem(
      'caches',
      'error',
      /^Varnish \(http:\/\/10\.0\.0\.2:6081\) has not accepted purges since 2026-01-01T10:00:00Z, so visitors may see outdated pages: It could not be reached\.$/,
      { fix: /cache purge --all/ },
    )
    changeDatabase("update change_readers set failing_since_gmt = null, error = '', failures = 0")
    expect((await findings('caches')).map(({ level }) => level)).to.deep.equal(['ok'])
    changeDatabase(
      "insert into change_webhooks values ('1', 'https://cdn.example/hook', '{}', null, 0, 'failing', 9, null, '2026-01-01 10:00:00')",
    )
    await expectProblem('caches', 'error', /The webhook for cdn\.example was disabled/, { fix: /Webhooks/ })
    changeDatabase('update change_webhooks set is_enabled = 1')
    await expectProblem('caches', 'warning', /The webhook for cdn\.example is failing/)
    changeDatabase("update change_webhooks set is_enabled = 0, disabled_reason = 'owner'")
    expect((await findings('caches')).map(({ level }) => level)).to.deep.equal(['ok'])
  })

  it('finds no error in a stopped site, and changes nothing in its folder', async () => {
    const list = () =>
      globSync('**', { cwd: siteDir }).map((name) => [name, statSync(at(name)).mtimeMs, statSync(at(name)).mode])
    const before = list()
    const found = await examine({ PENTAD_PORT: String(await freePort()) })
    expect(found.filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(found.map(({ check }) => check)).to.include.members(['database', 'server', 'backups', 'page cache'])
    expect(list()).to.deep.equal(before)
  })

  it('finds a site that was started on another port than the configured one', async () => {
    const port = await freePort()
    const site = await startPentad(siteDir, ['--port', String(port)])
    try {
      await until(async () => {
        const [found] = await findings('server')
        return found?.message === `The site is running on http://127.0.0.1:${port}, and is ready.`
      })
      const [url] = await findings('URL')
      expect(url?.message).to.equal(`The site URL is http://127.0.0.1:${port}.`)
    } finally {
      await site.end()
    }
  })

  it('says that a running site is ready', async () => {
    const site = await createTestHost({ config: { siteDir } })
    try {
      const [found] = await findings('server', { PENTAD_PORT: new URL(site.url).port })
      expect(found).to.include({ level: 'ok', message: `The site is running on ${site.url}, and is ready.` })
      rmSync(at('site.db'))
      const variables = { PENTAD_PORT: new URL(site.url).port }
      await expectProblem('database', 'error', /site\.db does not exist/, { fix: /backup restore/, variables })
    } finally {
      await site.close()
    }
  })

  it('as a command, prints the findings as JSON, and exits 1 on errors', async () => {
    writeFileSync(at('config.json'), '{ port: 1 }')
    writeFileSync(at('site.db'), 'not a database'.repeat(1000))
    const { code, output, errors } = await pentad(siteDir, ['doctor', '--json'])
    const report: { ok: boolean; findings: Finding[] } = JSON.parse(output)
    const checks = report.findings.filter(({ level }) => level === 'error').map(({ check }) => check)
    expect(checks).to.have.members(['configuration', 'database'])
    expect(report.ok).to.equal(false)
    expect([code, errors]).to.deep.equal([1, `pentad: 2 errors, ${count(report.findings)} warnings.\n`])
  })
  const count = (found: readonly Finding[]) => found.filter(({ level }) => level === 'warning').length

  it('finds a folder without a site, and creates none', async () => {
    const nowhere = join(siteDir, 'nowhere')
    await expectProblem('site folder', 'error', /There is no site in .*nowhere/, {
      fix: /PENTAD_SITE_DIR/,
      variables: { PENTAD_SITE_DIR: nowhere },
    })
    expect(statSync(nowhere, { throwIfNoEntry: false })).to.equal(undefined)
  })

  describe('configuration', () => {
    it('finds invalid values and unknown names in config.json and in the environment', async () => {
      writeFileSync(at('config.json'), JSON.stringify({ prot: 1, host: 'a host' }))
      const variables = { PENTAD_PORT: 'eighty', PENTAD_DATABASE: 'x' }
      await expectProblem('configuration', 'error', /host \(.*config\.json\)/, { variables })
      await expectProblem('configuration', 'error', /port \(PENTAD_PORT\)/, { variables })
      await expectProblem('configuration', 'warning', /"prot"/, { variables })
      await expectProblem('configuration', 'warning', /PENTAD_DATABASE/, { variables })
      // The rest of the site is checked with the defaults.
      expect((await findings('database', variables))[0]).to.include({ level: 'ok' })
    })

    it('finds a config.json that is not JSON', async () => {
      writeFileSync(at('config.json'), '{ port: 1 }')
      await expectProblem('configuration', 'error', /config\.json is not a JSON object/)
    })

    it('finds a version of Node.js that is too old', async () => {
      const texts = await createTranslations({ siteDir: temporaryFolder(), log: createLog('silent') }).page('en')
      expect(inspectNode('22.4.0', texts)).to.include({ level: 'error', fix: 'Install Node.js 24 or later.' })
      expect(inspectNode('26.0.0', texts)).to.include({ level: 'ok' })
    })
  })

  describe('site folder', () => {
    it('finds damaged and missing files', async () => {
      writeFileSync(at('options.json'), '{ "a": ')
      await expectProblem('site folder', 'error', /options\.json cannot be read: .*JSON/)
      writeFileSync(at('secret.key'), 'short')
      await expectProblem('site folder', 'error', /secret\.key is damaged/)
      rmSync(at('secret.key'))
      await expectProblem('site folder', 'error', /secret\.key is missing/, { fix: /before you start/ })
    })

    it('finds permissions that are too wide', async () => {
      chmodSync(at('secret.key'), 0o644)
      await expectProblem('permissions', 'error', /may read .*secret\.key/, { fix: /chmod 600 .*secret\.key$/ })
      writeFileSync(at('config.json'), '{}', { mode: 0o644 })
      expect((await findings('permissions')).some(({ message }) => message.includes('config.json'))).to.equal(false)
      writeFileSync(at('config.json'), '{ "smtpUrl": "smtp://ann:secret@127.0.0.1" }')
      await expectProblem('permissions', 'error', /may read .*config\.json/)
      chmodSync(siteDir, 0o777)
      await expectProblem('permissions', 'error', /may change files/, { fix: /chmod go-w/ })
    })

    it('finds files of another user', async function () {
      if (process.getuid?.() !== 0) this.skip()
      chownSync(at('options.json'), 12_345, 12_345)
      await expectProblem('permissions', 'error', /options\.json belongs to a different user/, { fix: /chown -R/ })
    })

    it('finds a read-only folder', async function () {
      if (!canMount) this.skip()
      const unmount = mountReadOnly(siteDir)
      try {
        await expectProblem('disk', 'error', /not writable: EROFS/)
        expect((await findings('database'))[0]).to.include({ level: 'ok' })
      } finally {
        unmount()
      }
    })

    it('finds a disk that is full or almost full', async function () {
      if (!canMount) this.skip()
      const unmount = mountSmallDisk(siteDir, 96)
      try {
        cpSync(stopped, siteDir, { recursive: true })
        await expectProblem('disk', 'warning', /only \d+ MB left/)
        writeFileSync(at('filler'), Buffer.alloc(64 * 1024 * 1024))
        await expectProblem('disk', 'error', /at least 64 MB/)
      } finally {
        unmount()
      }
    })
  })

  describe('clock', () => {
    it('finds a clock that was set back', async () => {
      const later = Date.now() / 1000 + 3600
      utimesSync(at('options.json'), later, later)
      await expectProblem('clock', 'warning', /(?:3599|3600) seconds in the future/, { fix: /timedatectl/ })
    })

    it('finds a clock that shows a time before the release, or another time than the database server', async () => {
      const { config } = readConfig({ siteDir }, {})
      const database = {
        kind: 'postgres' as const,
        query: async () => [{ now: Date.UTC(2026, 11, 1) }],
        close: async () => {},
      }
      const { now } = Date
      Date.now = () => Date.UTC(2001, 0, 1)
      try {
        const texts = await createTranslations({ siteDir, log: createLog('silent') }).page('en')
        const stopped = { options: {}, processes: 0, servers: [], environment: {} }
        const found = await checkClock({ ...stopped, config, database, texts })
        expect(found.map(({ level }) => level)).to.deep.equal(['error', 'warning', 'warning'])
        expect(found[0]?.message).to.contain('2001-01-01').and.contain('before this version')
        expect(found[2]?.message).to.match(/differs from that of the database server by \d+ seconds/)
      } finally {
        Date.now = now
      }
    })
  })

  describe('database', () => {
    it('finds a database that is damaged, newer or older', async () => {
      changeDatabase("insert into migrations_content (name, timestamp) values ('999_future', '')")
      await expectProblem('database', 'error', /newer version: content 999_future/, { fix: /Install that version/ })
      changeDatabase("delete from migrations_content where name in ('999_future', '001_search')")
      await expectProblem('database', 'warning', /next start will apply content 001_search/, { fix: /backup/ })
      changeDatabase('drop table migrations_core')
      await expectProblem('database', 'error', /cannot be read: .*migrations_core/)
      writeFileSync(at('site.db'), 'not a database'.repeat(1000))
      await expectProblem('database', 'error', /not a database/, { fix: /backup restore/ })
    })

    it('finds a PostgreSQL server that is unreachable, and a database without tables', async function () {
      const closed = `postgres://ann:secret@127.0.0.1:${await freePort()}/site`
      const variables = { PENTAD_DATABASE_URL: closed }
      await expectProblem('database', 'error', /ECONNREFUSED/, { fix: /PENTAD_DATABASE_URL/, variables })
      expect(JSON.stringify(await examine(variables))).not.to.contain('secret@')
      if (!postgresBinaries && process.env.CI !== 'true') this.skip()
      const empty = { PENTAD_DATABASE_URL: await createEmptyPostgresDatabase() }
      await expectProblem('database', 'error', /tables of the site cannot be read/, { variables: empty })
      const databaseUrl = await createPostgresDatabase()
      const site = await createTestHost({ config: { siteDir, databaseUrl } })
      await site.close()
      const [found] = await findings('database', { PENTAD_DATABASE_URL: databaseUrl })
      expect(found).to.include({ level: 'ok' })
      expect(found?.message).to.match(/^PostgreSQL \d/)
    })

    it('lists the machines that serve a site, and finds those that do not know of each other', async function () {
      if (!postgresBinaries && process.env.CI !== 'true') this.skip()
      const databaseUrl = await createPostgresDatabase()
      const site = await createTestHost({ config: { siteDir, databaseUrl } })
      const variables = { PENTAD_DATABASE_URL: databaseUrl }
      const expires = Date.now() + 60_000
      const insert = (name: string) =>
        site.host.database.db.insertInto('leases').values({ name, holder: name, expires }).execute()
      try {
        expect(await findings('nodes', variables)).to.deep.equal([])
        await insert('lease:server:web2 1.0.1 y')
        const list = `${hostname()} (${packageJson.version}), web2 (1.0.1)`
        const [problem] = await findings('nodes', variables)
        expect(problem).to.include({ level: 'warning' })
        expect(problem?.message).to.include(list)
        const many = { ...variables, PENTAD_NODES: 'many' }
        expect((await findings('nodes', many))[0]).to.include({ level: 'ok', message: 'No node is running.' })
        const node = { failures: 0, error: '', updated_gmt: '2026-01-01 00:00:00' }
        await site.host.database.db
          .insertInto('change_readers')
          .values([
            { ...node, id: 'node x 1.0.0', name: 'web1', position: (await site.host.changes.newest()) ?? null },
            { ...node, id: 'node y 1.0.1', name: 'web2', position: null },
          ])
          .execute()
        await site.host.changes.record({ scope: 'urls', urls: [], tags: ['post-1'], reason: 'A test.' })
        const [found] = await findings('nodes', many)
        expect(found).to.include({ level: 'ok' })
        expect(found?.message).to.match(/^Running nodes: web1 \(1\.0\.0, 1 event behind\), web2 \(1\.0\.1, /)
      } finally {
        await site.close()
      }
    })
  })

  describe('server', () => {
    it('finds another program on its port, and a site that does not respond', async () => {
      const port = await freePort()
      const variables = { PENTAD_PORT: String(port) }
      changeDatabase(`insert into leases values ('lease:server:x', 'x', ${Date.now() + 60_000})`)
      await expectProblem('server', 'warning', /does not respond on/, { variables })
      const other = createServer((socket) => {
        socket.on('error', () => {})
        socket.end('SSH-2.0\r\n')
      }).listen(port, '127.0.0.1')
      try {
        await expectProblem('server', 'error', /does not respond/, { variables })
        changeDatabase('delete from leases')
        await expectProblem('server', 'error', /another program uses its port/, { fix: /PENTAD_PORT/, variables })
      } finally {
        other.close()
      }
    })

    it('finds a running site that is not ready', async () => {
      const site = await createTestHost({ config: { siteDir } })
      try {
        site.host.maintenance.enter(60)
        const variables = { PENTAD_PORT: new URL(site.url).port }
        await expectProblem('server', 'error', /not ready: .*maintenance_mode/, { variables })
      } finally {
        await site.close()
      }
    })
  })

  it('finds URLs and proxies that do not fit', async () => {
    const url = (PENTAD_URL: string, PENTAD_TRUSTED_PROXIES = '') => ({
      variables: { PENTAD_URL, PENTAD_TRUSTED_PROXIES },
    })
    await expectProblem('URL', 'error', /not a URL/, { variables: { PENTAD_HOST: '0.0.0.0' } })
    await expectProblem('URL', 'warning', /not encrypted/, url('http://example.org'))
    await expectProblem('proxies', 'warning', /no proxy is trusted/, url('https://example.org'))
    await expectProblem('proxies', 'error', /any client/, url('https://example.org', '0.0.0.0/0'))
    await expectProblem('proxies', 'error', /proxy\.internal/, url('https://example.org', 'proxy.internal'))
    expect(await findings('proxies', url('https://example.org', '127.0.0.1').variables)).to.deep.equal([])
  })

  it('finds an SMTP server that is unreachable or rejects the password, and never prints it', async () => {
    await expectProblem('email', 'warning', /No SMTP server/)
    const port = await freePort()
    const smtp = (password: string) => ({ PENTAD_SMTP_URL: `smtp://ann:${password}@127.0.0.1:${port}` })
    await expectProblem('email', 'error', /ECONNREFUSED/, { variables: smtp('right') })
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth({ password }, _session, done) {
        if (password === 'right') done(null, { user: 'ann' })
        else done(new Error(`${password} is wrong`))
      },
    })
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    try {
      expect((await findings('email', smtp('right')))[0]).to.include({ level: 'ok' })
      await expectProblem('email', 'error', /cannot be used/, { variables: smtp('mistaken') })
      expect(JSON.stringify(await findings('email', smtp('mistaken')))).not.to.contain('mistaken')
    } finally {
      await new Promise<void>((resolve) => server.close(resolve))
    }
  })

  it('finds paused, broken and missing extensions, and crashes', async () => {
    mkdirSync(at('extensions'))
    writeFileSync(at('extensions/shop.ts'), 'export default {')
    mkdirSync(at('faults'))
    writeFileSync(at('faults/1.json'), '{}')
    const record = (state: string, reason: string | null = null) => ({ state, reason })
    setOption('host_extensions', {
      shop: record('active'),
      gone: record('active'),
      backup: record('paused', 'It failed.'),
      speed: record('inactive'),
    })
    await expectProblem('extensions', 'error', /^shop cannot be loaded: /, { fix: /extension deactivate shop/ })
    await expectProblem('extensions', 'error', /extension gone are missing/, { fix: /extension deactivate gone/ })
    await expectProblem('extensions', 'error', /backup is paused: It failed\./, { fix: /extension activate backup/ })
    await expectProblem('extensions', 'warning', /has stopped unexpectedly once/)
    const active = (await findings('extensions')).find(({ level }) => level === 'ok')?.message
    expect(active)
      .to.match(/seo \d/)
      .and.not.match(/speed|backup/)
  })

  it('finds settings that are risky on a public site only', async () => {
    expect((await findings('security'))[0]).to.include({ level: 'ok' })
    const variables = {
      PENTAD_URL: 'https://example.org',
      PENTAD_LOG_LEVEL: 'debug',
      PENTAD_ADMIN_PASSWORD: 'long enough',
    }
    for (const message of [
      /local environment/,
      /change code over HTTP/,
      /Debug mode/,
      /"admin"/,
      /first administrator/,
    ]) {
      await expectProblem('security', 'warning', message, { variables })
    }
    changeDatabase("update users set login = 'ann', login_key = 'ann'")
    const hardened = { PENTAD_ENVIRONMENT: 'production', PENTAD_DISALLOW_FILE_MODS: 'true' }
    const found = await findings('security', { PENTAD_URL: 'https://example.org', ...hardened })
    expect(found.map(({ level }) => level)).to.deep.equal(['ok'])
  })

  it('finds missing, old and only local backups', async () => {
    const record = (date: Date, location: string) => ({
      ...{ id: 'one', title: 'Backup', contents: ['database'], size: 1, location, date: date.toISOString() },
      ...{ kind: 'automatic', sha256: 'a', fileName: 'one.tar.gz', createdBy: null, keepForever: false },
    })
    const store = (...given: Parameters<typeof record>) =>
      writeFileSync(at('backups/records/one.json'), JSON.stringify(record(...given)))
    setOption('backup_settings', { automaticBackups: 'on', automaticBackupsFrequency: 'daily' })
    await expectProblem('backups', 'warning', /no backup yet/)
    mkdirSync(at('backups/records'), { recursive: true })
    store(new Date(Date.now() - 10 * 86_400_000), 'local')
    await expectProblem('backups', 'warning', /newest backup is 10 days old/)
    await expectProblem('backups', 'warning', /same server/)
    store(new Date(Date.now() - 3_600_000), 's3')
    expect((await findings('backups')).map(({ message }) => message)).to.deep.equal([
      'The newest backup is 1 hour old.',
    ])
  })

  it('finds a page cache that is off or not writable', async () => {
    await expectProblem('page cache', 'warning', /disabled/, { variables: { PENTAD_PAGE_CACHE: 'off' } })
    setOption('speed_settings', { pageCache: 'off' })
    await expectProblem('page cache', 'warning', /is off/)
    setOption('speed_settings', {})
    rmSync(at('cache'), { recursive: true, force: true })
    expect((await findings('page cache'))[0]).to.include({ level: 'ok' })
    writeFileSync(at('cache'), 'not a folder')
    await expectProblem('page cache', 'warning', /not writable/)
  })
})
