import { statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './types.ts'

/** When this version was developed: no clock that is right shows an earlier time. */
const RELEASED = Date.UTC(2026, 10, 1)
/** Seconds by which two clocks may differ. Sessions, nonces, leases and schedules depend on them. */
const TOLERANCE = 5
/** Files that a site writes often. */
const WRITTEN = ['options.json', 'site.db', 'site.db-wal', 'cache', 'tmp']

export const checkNode: DoctorCheck = async ({ texts }) => [inspectNode(process.versions.node, texts)]

/** @param node - Version of Node.js: `24.11.0`. */
export function inspectNode(node: string, { __ }: ExaminedSite['texts']): Finding {
  const [required = 0] = packageJson.engines.node.match(/\d+/g)?.map(Number) ?? []
  if (Number.parseInt(node, 10) >= required) return ok('Node.js', __('Node.js %s is supported.', node))
  return error('Node.js', __('Node.js %s is too old.', node), __('Install Node.js %s or later.', required))
}

/** The clock, compared with this version, the files of the site and PostgreSQL. */
export const checkClock: DoctorCheck = async ({ config: { siteDir }, database, texts }) => {
  const { __ } = texts
  const now = Date.now()
  const shown = new Date(now).toISOString()
  const findings = [...comparedWithFiles(siteDir, now, texts), ...(await comparedWithDatabase(database, texts))]
  if (now < RELEASED) {
    const message = __('The clock shows %s, which is before this version was released.', shown)
    findings.unshift(error('clock', message, setClock(texts)))
  }
  return findings.length > 0 ? findings : [ok('clock', __('The clock shows %s.', shown))]
}

const SYNCHRONIZE = 'sudo timedatectl set-ntp true'
const setClock = ({ __ }: ExaminedSite['texts']) => __('Set the clock and keep it synchronized: %s', SYNCHRONIZE)

function comparedWithFiles(siteDir: string, now: number, texts: ExaminedSite['texts']): Finding[] {
  const times = WRITTEN.map((name) => statSync(join(siteDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const ahead = Math.round((Math.max(...times) - now) / 1000)
  if (ahead <= TOLERANCE) return []
  const message = texts.__(
    'The site’s files have modification times %s seconds in the future: the clock was set back, or differs from that of the file system.',
    ahead,
  )
  return [warning('clock', message, setClock(texts))]
}

async function comparedWithDatabase(
  database: ExaminedSite['database'],
  texts: ExaminedSite['texts'],
): Promise<Finding[]> {
  const { __ } = texts
  if (database instanceof Error || database.kind === 'sqlite') return []
  try {
    const before = Date.now()
    const [row] = await database.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const after = Date.now()
    const now = Number(row?.now)
    const skew = Math.round(Math.max(before - now, now - after) / 1000)
    if (skew <= TOLERANCE) return []
    return [
      warning(
        'clock',
        __('The clock differs from that of the database server by %s seconds.', skew),
        __('Set the clocks of both machines and keep them synchronized: %s', SYNCHRONIZE),
      ),
    ]
  } catch (thrown) {
    return [
      error(
        'clock',
        __('The clock of the database server cannot be read: %s', messageOf(thrown)),
        __('See the “database” check.'),
      ),
    ]
  }
}
