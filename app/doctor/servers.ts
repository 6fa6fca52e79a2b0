import { hostname } from 'node:os'
import { type Config, originOf } from '../../core/config.ts'
import { openReadOnly, type ReadOnlyDatabase } from './read-only-database.ts'

/** A process that serves the site, as it describes itself in the name of its lease; see `app/loader/servers.ts`. */
export interface Server {
  /** Host name of its machine. */
  readonly machine: string
  readonly version: string
  /** Where it listens; `undefined` for earlier versions. */
  readonly address: Pick<Config, 'host' | 'port'> | undefined
  /** URL of the site; `undefined` for earlier versions. */
  readonly url: string | undefined
}

const PREFIX = 'lease:server:'

/** The running servers of the site, on any machine; those that renewed their lease last are first. */
export async function listServers(database: ReadOnlyDatabase | Error): Promise<Server[]> {
  if (database instanceof Error) return []
  const now = database.kind === 'sqlite' ? Date.now() : 'extract(epoch from clock_timestamp()) * 1000'
  const query = `select name from leases where name like '${PREFIX}%' and expires > ${now} order by expires desc`
  const rows = await database.query(query).catch(() => [])
  return rows.map(({ name }) => {
    const [machine = '', version = '', , host, port, url] = String(name).slice(PREFIX.length).split(' ')
    return { machine, version, address: host && port ? { host, port: Number(port) } : undefined, url }
  })
}

/** Where a server on this machine listens, which `pentad start --port` may have chosen; `undefined` if none runs, or it is not known. */
export function addressHere(servers: readonly Server[], configured: Pick<Config, 'host' | 'port'>): Server['address'] {
  const addresses = servers.flatMap(({ machine, address }) => (machine === hostname() && address ? [address] : []))
  return addresses.find(({ port }) => port === configured.port) ?? addresses[0]
}

/**
 * The URL with which the site is running, if none is configured: `pentad start --port` may have chosen another port. `undefined` if one is
 * configured, or no server runs.
 */
export async function runningUrl(config: Config): Promise<string | undefined> {
  if (config.url !== originOf(config.host, config.port)) return undefined
  const database = await openReadOnly(config).catch(() => undefined)
  if (database === undefined) return undefined
  const servers = await listServers(database).finally(() => database.close())
  return (servers.find(({ machine }) => machine === hostname()) ?? servers[0])?.url
}
