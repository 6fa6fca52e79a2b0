import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { Client } from 'pg'
import { loadSiteKey } from '../../core/options/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { pentad } from '../support/pentad.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** Dumps of a site that an earlier version created. */
const EARLIER = join(import.meta.dirname, '../fixtures/site-before-content-tables')
/** A table that this version creates, before the migrations of content. */
const NEW_TABLE = 'migrations_cms_accounts'

interface OldSite {
  readonly siteDir: string
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

onEachDatabase(
  'pentad upgrade',
  (databaseUrl) => {
    const path = process.env.PATH
    before(() => {
      if (postgresBinaries) process.env.PATH = `${path}:${postgresBinaries}`
    })
    after(() => {
      process.env.PATH = path
    })

    /** A site of an earlier version, with one user. */
    async function oldSite(): Promise<OldSite> {
      const siteDir = temporaryFolder()
      const url = await databaseUrl()
      const site = { siteDir, query: (sql: string) => query(siteDir, url, sql) }
      loadSiteKey(siteDir)
      writeFileSync(join(siteDir, 'options.json'), '{"site_title":"Before"}')
      if (url) writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ databaseUrl: url }))
      await site.query(readFileSync(join(EARLIER, `whole.${url ? 'postgres' : 'sqlite'}.sql`), 'utf8'))
      await site.query(
        `insert into users (login, login_key, password_hash, email, slug, display_name, roles, registered_gmt)
         values ('ann', 'ann', '', 'ann@example.org', 'ann', 'Ann', '["administrator"]', '2026-01-01T00:00:00')`,
      )
      return site
    }

    const logins = async (site: OldSite) =>
      (await site.query('select login from users order by id')).map(({ login }) => login)
    const hasNewTable = (site: OldSite) =>
      site.query(`select count(*) from ${NEW_TABLE}`).then(
        () => true,
        () => false,
      )
    const optionsOf = ({ siteDir }: OldSite) => readFileSync(join(siteDir, 'options.json'), 'utf8')
    const copiesOf = ({ siteDir }: OldSite) =>
      readdirSync(join(siteDir, 'backups')).filter((name) => name.startsWith('before-upgrade-'))

    it('migrates the data of an earlier version, and puts it back on request', async () => {
      const site = await oldSite()
      expect(await hasNewTable(site)).to.equal(false)
      const { code, output, errors } = await pentad(site.siteDir, ['upgrade'])
      expect(errors).to.equal('')
      expect(code).to.equal(0)
      expect(output).to.match(/Migrations to apply: core 004_job_requests, cms-accounts 001_accounts.*content /)
      expect(await hasNewTable(site)).to.equal(true)
      const [copy = '', ...others] = copiesOf(site)
      expect(others).to.deep.equal([])
      expect(output).to.contain(`upgrade --rollback ${copy}`)

      await site.query("update users set login = 'changed'")
      const rollback = await pentad(site.siteDir, ['upgrade', '--rollback', copy])
      expect(rollback.errors).to.equal('')
      expect(rollback.code).to.equal(0)
      expect(await logins(site)).to.deep.equal(['ann'])
      expect(await hasNewTable(site)).to.equal(false)
      expect(optionsOf(site)).to.equal('{"site_title":"Before"}')
    })

    it('rolls back if a migration fails', async () => {
      const site = await oldSite()
      // The migration that creates this table fails, after others were applied.
      await site.query('create table content_versions (id integer)')
      const { code, errors } = await pentad(site.siteDir, ['upgrade'])
      expect(code).to.equal(1)
      expect(errors).to.match(/could not be migrated: .*content_versions.* already exists/)
      expect(errors).to.contain('was rolled back: the site’s data was restored')
      expect(await logins(site)).to.deep.equal(['ann'])
      expect(await hasNewTable(site)).to.equal(false)
      expect(optionsOf(site)).to.equal('{"site_title":"Before"}')
    })
  },
  { isEmpty: true },
)

describe('pentad upgrade', () => {
  it('rolls back if an active extension does not run with this version', async () => {
    const siteDir = temporaryFolder()
    mkdirSync(join(siteDir, 'extensions'))
    writeFileSync(
      join(siteDir, 'extensions/old.ts'),
      `import { defineExtension } from 'pentad'
       export default defineExtension({ id: 'old', name: 'Old', version: '1.0.0', setup() { throw new Error('removed function') } })`,
    )
    loadSiteKey(siteDir)
    const options = JSON.stringify({ host_extensions: { old: { state: 'active', reason: null } } })
    await query(siteDir, undefined, readFileSync(join(EARLIER, 'whole.sqlite.sql'), 'utf8'))
    writeFileSync(join(siteDir, 'options.json'), options)
    const { code, errors } = await pentad(siteDir, ['upgrade'])
    expect(code).to.equal(1)
    expect(errors).to.match(
      /Extensions do not run with this version(.|\n)*old: .*removed function(.|\n)*was rolled back/,
    )
    expect(readFileSync(join(siteDir, 'options.json'), 'utf8')).to.equal(options)
  })

  it('changes nothing while the site runs, and nothing of a site that a newer version migrated', async () => {
    const siteDir = temporaryFolder()
    await query(siteDir, undefined, readFileSync(join(EARLIER, 'whole.sqlite.sql'), 'utf8'))
    await query(siteDir, undefined, `insert into leases values ('lease:server:1', '1', ${Date.now() + 60_000})`)
    const running = await pentad(siteDir, ['upgrade'])
    expect(running.code).to.equal(1)
    expect(running.errors).to.contain('The site is running. Stop it first')

    await query(siteDir, undefined, "delete from leases; insert into migrations_core values ('999_future', '')")
    const newer = await pentad(siteDir, ['upgrade'])
    expect(newer.code).to.equal(1)
    expect(newer.errors).to.contain('upgraded by a newer version of Pentad, with core 999_future')
    expect(readdirSync(siteDir)).not.to.include('backups')
  })
})

async function query(siteDir: string, url: string | undefined, sql: string) {
  if (url) {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows ?? []
    } finally {
      await client.end()
    }
  }
  const database = new DatabaseSync(join(siteDir, 'site.db'))
  try {
    if (/^select/.test(sql)) return database.prepare(sql).all()
    database.exec(sql)
    return []
  } finally {
    database.close()
  }
}
