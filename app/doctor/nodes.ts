import { type DoctorCheck, type ExaminedSite, ok, warning } from './types.ts'

const CHECK = 'nodes'

/** The positions of the nodes in the change log; see `cms/changes/node-positions.ts`. */
const POSITIONS = `select id, name, (select count(*) from change_log
  where type = 'purge' and seq > coalesce((select seq from change_log where change_log.id = position), 0)) as pending
  from change_readers where id like 'node %' order by name, id`

/** The machines that serve the site, with their versions and how far they are in the change log. */
export const checkNodes: DoctorCheck = async ({ config, database, servers, texts }) => {
  const { __ } = texts
  if (database instanceof Error || database.kind === 'sqlite') return []
  const machines = new Set(servers.map(({ machine }) => machine))
  if (config.nodes === 'one' && machines.size > 1) {
    const names = servers.map(({ machine, version }) => `${machine} (${version})`).toSorted()
    const message = __(
      'Several machines serve the site: %s. Without a shared site folder, they serve outdated pages.',
      names.join(', '),
    )
    return [warning(CHECK, message, __('Set PENTAD_NODES=many on each of them; see docs/guides/scale.md.'))]
  }
  if (config.nodes === 'one') return []
  // A database of an earlier version does not have the tables.
  const nodes = await database.query(POSITIONS).catch(() => [])
  const running = nodes.map(
    ({ id, name, pending }) => `${name} (${String(id).split(' ')[2]}, ${describeLag(Number(pending), texts)})`,
  )
  return [ok(CHECK, running.length === 0 ? __('No node is running.') : __('Running nodes: %s.', running.join(', ')))]
}

function describeLag(pending: number, { __, _n }: ExaminedSite['texts']): string {
  return pending === 0 ? __('up to date') : _n('%s event behind', '%s events behind', pending)
}
