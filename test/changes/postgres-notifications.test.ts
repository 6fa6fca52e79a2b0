import { sql } from 'kysely'
import { createChangeLog } from '../../cms/changes/log.ts'
import { listenForEntries, notifyOthers } from '../../cms/changes/postgres-notifications.ts'
import { changeTables } from '../../cms/changes/tables.ts'
import { createUnrecorded } from '../../cms/changes/unrecorded.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createLog } from '../../core/log.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('notifications of the change log (PostgreSQL)', () => {
  before(function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
  })

  it('wake other processes, also after the connection was lost', async () => {
    const url = await createPostgresDatabase()
    const database = await createDatabase({ siteDir: temporaryFolder(), databaseUrl: url })
    await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
    const { db } = database
    const changes = createChangeLog(database, {
      ...{ log: createLog('silent'), unrecorded: createUnrecorded(), recorded: () => {}, now: Date.now },
      notifyOthers: () => notifyOthers(db),
    })
    const stopping = new AbortController()
    let woken = 0
    const listening = listenForEntries(url, { notify: () => woken++, signal: stopping.signal })
    const backends = async () => {
      const listening = sql`from pg_stat_activity where datname = current_database() and lower(query) like 'listen %'`
      return (await sql<{ pid: number }>`select pid ${listening}`.execute(db)).rows.map(({ pid }) => pid)
    }
    const isNoticed = async () => {
      const before = woken
      await changes.record({ scope: 'pages', urls: [], tags: [], reason: 'A test.' }, 'change')
      await until(() => woken > before)
    }
    await until(async () => (await backends()).length === 1)
    await isNoticed()
    const [lost] = await backends()
    await sql`select pg_terminate_backend(${lost})`.execute(db)
    await until(async () => (await backends()).some((pid) => pid !== lost), { seconds: 30 })
    await isNoticed()
    stopping.abort()
    await listening
    await changes.close()
    await database.close()
  })
})
