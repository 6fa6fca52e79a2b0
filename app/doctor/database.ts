import { readMigrations } from '../../cms/operations/migrations.ts'
import { messageOf } from '../../core/errors.ts'
import { ownCommand } from '../own-command.ts'
import { type DoctorCheck, error, ok, warning } from './types.ts'

const CHECK = 'database'
/** The oldest major version that PostgreSQL still maintains (postgresql.org/support/versioning). */
const OLDEST_POSTGRES = 14

/** Whether the database can be read, its version, and whether its tables fit this version. */
export const checkDatabase: DoctorCheck = async ({ config: { databaseUrl, siteDir }, database }) => {
  const restoreFix = `Restore the site from a backup: ${ownCommand(`--site ${siteDir} backup restore <file>`)}`
  if (database instanceof Error) {
    const fix = databaseUrl === undefined ? restoreFix : 'Start the database server, or correct PENTAD_DATABASE_URL.'
    return [error(CHECK, `The database cannot be opened: ${messageOf(database)}`, fix)]
  }
  try {
    const name = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    const version = database.kind === 'sqlite' ? 'sqlite_version()' : "current_setting('server_version')"
    const [row] = await database.query(`select ${version} as version`)
    const isOld = database.kind === 'postgres' && Number.parseInt(String(row?.version), 10) < OLDEST_POSTGRES
    const { pending, unknown } = await readMigrations(database.kind, database.query)
    return [
      ...(isOld
        ? [
            warning(
              CHECK,
              `${name} ${row?.version} is no longer maintained, so it receives no security fixes.`,
              `Upgrade to version ${OLDEST_POSTGRES} or later.`,
            ),
          ]
        : [ok(CHECK, `${name} ${row?.version} is responding.`)]),
      ...compare(pending, unknown),
    ]
  } catch (thrown) {
    const message = `The tables of the site cannot be read: ${messageOf(thrown)}`
    return [error(CHECK, message, restoreFix)]
  }
}

function compare(pending: readonly string[], unknown: readonly string[]) {
  if (unknown.length > 0) {
    const message = `The database was migrated by a newer version: ${unknown.join(', ')}.`
    return [error(CHECK, message, 'Install that version again, or restore a backup from before the update.')]
  }
  if (pending.length === 0) return []
  const message = `The database is from an older version; the next start will apply ${pending.join(', ')}.`
  return [warning(CHECK, message, 'Create a backup before you start the site with this version.')]
}
