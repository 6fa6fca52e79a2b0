import { hostname } from 'node:os'
import type { Config } from '../../core/config.ts'
import type { ReadOnlyDatabase } from './read-only-database.ts'

/** A process that serves the site, as it describes itself in the name of its lease; see `app/loader/servers.ts`. */
export interface Server {
  /** Host name of its machine. */
  readonly machine: string
  readonly version: string
  /** Where it listens; `undefined` for earlier versions. */
  readonly address: Pick<Config, 'host' | 'port'> | undefined
}

const PREFIX = 'lease:server:'

/** The running servers of the site, on any machine; those that renewed their lease last are first. */
export async function listServers(database: ReadOnlyDatabase | Error): Promise<Server[]> {
  if (database instanceof Error) return []
  const now = database.kind === 'sqlite' ? Date.now() : 'extract(epoch from clock_timestamp()) * 1000'
  const query = `select name from leases where name like '${PREFIX}%' and expires > ${now} order by expires desc`
  const rows = await database.query(query).catch(() => [])
  return rows.map(({ name }) => {
    const [machine = '', version = '', , host, port] = String(name).slice(PREFIX.length).split(' ')
    return { machine, version, address: host && port ? { host, port: Number(port) } : undefined }
  })
}

/** Where a server on this machine listens, which `pentad start --port` may have chosen; `undefined` if none runs, or it is not known. */
export function addressHere(servers: readonly Server[], configured: Pick<Config, 'host' | 'port'>): Server['address'] {
  const addresses = servers.flatMap(({ machine, address }) => (machine === hostname() && address ? [address] : []))
  return addresses.find(({ port }) => port === configured.port) ?? addresses[0]
}
