import { type DoctorCheck, ok, warning } from './types.ts'

const CHECK = 'nodes'
/** Names of the leases that servers hold; see `app/loader/servers.ts`. */
const LEASE = /^lease:server:(\S+) (\S+) /

/** The machines that serve the site, with their versions. */
export const checkNodes: DoctorCheck = async ({ config, database }) => {
  if (database instanceof Error || database.kind === 'sqlite') return []
  const rows = await database.query(
    `select name from leases where name like 'lease:server:%' and expires > ${Date.now()} order by name`,
  )
  const servers = rows.flatMap(({ name }) => {
    const [, host, version] = LEASE.exec(String(name)) ?? []
    return host === undefined || version === undefined ? [] : [{ host, version }]
  })
  const hosts = new Set(servers.map(({ host }) => host))
  const list = servers.map(({ host, version }) => `${host} (${version})`).join(', ')
  if (config.nodes === 'one' && hosts.size > 1) {
    const message = `Several machines serve the site: ${list}. Without a shared site folder, they serve outdated pages.`
    return [warning(CHECK, message, 'Set PENTAD_NODES=many on each of them; see docs/guides/scale.md.')]
  }
  if (config.nodes === 'one') return []
  return [ok(CHECK, servers.length === 0 ? 'No node is running.' : `Running nodes: ${list}.`)]
}
