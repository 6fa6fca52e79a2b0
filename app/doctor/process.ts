import { statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type DoctorCheck, error, type Finding, ok, warning } from './types.ts'

/** When this version was developed: no clock that is right shows an earlier time. */
const RELEASED = Date.UTC(2026, 10, 1)
/** Seconds by which two clocks may differ. Sessions, nonces, leases and schedules depend on them. */
const TOLERANCE = 5
/** Files that a site writes often. */
const WRITTEN = ['options.json', 'site.db', 'site.db-wal', 'cache', 'tmp']

export const checkNode: DoctorCheck = async () => [inspectNode(process.versions.node)]

/** @param node - Version of Node.js: `24.11.0`. */
export function inspectNode(node: string): Finding {
  const [required = 0] = packageJson.engines.node.match(/\d+/g)?.map(Number) ?? []
  if (Number.parseInt(node, 10) >= required) return ok('Node.js', `Node.js ${node} is supported.`)
  return error('Node.js', `Node.js ${node} is too old.`, `Install Node.js ${required} or later.`)
}

/** The clock, compared with this version, the files of the site and PostgreSQL. */
export const checkClock: DoctorCheck = async ({ config: { siteDir }, database }) => {
  const now = Date.now()
  const findings = [...comparedWithFiles(siteDir, now), ...(await comparedWithDatabase(database))]
  if (now < RELEASED) {
    const message = `The clock shows ${new Date(now).toISOString()}, which is before this version was released.`
    findings.unshift(error('clock', message, SET_CLOCK))
  }
  return findings.length > 0 ? findings : [ok('clock', `The clock shows ${new Date(now).toISOString()}.`)]
}

const SET_CLOCK = 'Set the clock and keep it synchronized: sudo timedatectl set-ntp true'

function comparedWithFiles(siteDir: string, now: number): Finding[] {
  const times = WRITTEN.map((name) => statSync(join(siteDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const ahead = Math.round((Math.max(...times) - now) / 1000)
  if (ahead <= TOLERANCE) return []
  const message = `The site’s files have modification times ${ahead} seconds in the future: the clock was set back, or differs from that of the file system.`
  return [warning('clock', message, SET_CLOCK)]
}

async function comparedWithDatabase(database: Parameters<DoctorCheck>[0]['database']): Promise<Finding[]> {
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
        `The clock differs from that of the database server by ${skew} seconds.`,
        `${SET_CLOCK}, on both.`,
      ),
    ]
  } catch (thrown) {
    return [
      error(
        'clock',
        `The clock of the database server cannot be read: ${messageOf(thrown)}`,
        'See the “database” check.',
      ),
    ]
  }
}
