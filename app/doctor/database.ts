import { readMigrations } from '../../cms/operations/migrations.ts'
import { messageOf } from '../../core/errors.ts'
import { ownCommand } from '../own-command.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './types.ts'

const CHECK = 'database'
/** The oldest major version that PostgreSQL still maintains (postgresql.org/support/versioning). */
const OLDEST_POSTGRES = 14

/** Whether the database can be read, its version, and whether its tables fit this version. */
export const checkDatabase: DoctorCheck = async ({ config: { databaseUrl, siteDir }, database, texts }) => {
  const { __ } = texts
  const restoreFix = __('Restore the site from a backup: %s', ownCommand(`--site ${siteDir} backup restore <file>`))
  if (database instanceof Error) {
    const fix =
      databaseUrl === undefined ? restoreFix : __('Start the database server, or correct PENTAD_DATABASE_URL.')
    return [error(CHECK, __('The database cannot be opened: %s', messageOf(database)), fix)]
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
              __('%s is no longer maintained, so it receives no security fixes.', `${name} ${row?.version}`),
              __('Upgrade to version %s or later.', OLDEST_POSTGRES),
            ),
          ]
        : [ok(CHECK, __('%s is responding.', `${name} ${row?.version}`))]),
      ...compare(pending, unknown, texts),
    ]
  } catch (thrown) {
    return [error(CHECK, __('The tables of the site cannot be read: %s', messageOf(thrown)), restoreFix)]
  }
}

function compare(pending: readonly string[], unknown: readonly string[], { __ }: ExaminedSite['texts']): Finding[] {
  if (unknown.length > 0) {
    const message = __('The database was migrated by a newer version: %s.', unknown.join(', '))
    return [error(CHECK, message, __('Install that version again, or restore a backup from before the update.'))]
  }
  if (pending.length === 0) return []
  const message = __('The database is from an older version; the next start will apply %s.', pending.join(', '))
  return [warning(CHECK, message, __('Create a backup before you start the site with this version.'))]
}
