import type { PostgresPool } from 'kysely'
import { Pool, types } from 'pg'
import { connectionErrors } from './errors.ts'

// Imported on first use, so that sites on SQLite start without the driver.

/** OID of PostgreSQL's `int8`, the type of `count(*)` and `bigint` columns; all values here are safe integers. */
const INT8 = 20

/**
 * A pool of connections to PostgreSQL. Lost connections, for example after a restart of the server, are replaced on demand: only queries
 * in flight fail. The listener for errors of idle connections is required, because an unhandled one would end the process.
 */
export function createPool(connectionString: string, schema?: string): PostgresPool {
  const pool = new Pool({
    connectionString,
    ...(schema !== undefined && { options: `-c search_path=${schema}` }),
    max: 10,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  })
  const lost = () => {}
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return {
    options: pool.options,
    async connect() {
      try {
        return await pool.connect()
      } catch (error) {
        if (error instanceof Error) connectionErrors.add(error)
        throw error
      }
    },
    end: () => pool.end(),
  }
}
