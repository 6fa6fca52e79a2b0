import { Pool, types } from 'pg'

// Imported where PostgreSQL is used only: a site on SQLite starts without its driver.

/** PostgreSQL's `int8`, which `count(*)` and `bigint` columns answer; every value of ours fits a number. */
const INT8 = 20

/**
 * Connections to PostgreSQL. One that is lost, because the server was restarted, is replaced when somebody needs one:
 * whose query was under way hears of it by that query, and nobody else needs to. Unheard, it would end the process.
 */
export function createPool(connectionString: string, schema?: string): Pool {
  const pool = new Pool({
    connectionString,
    ...(schema !== undefined && { options: `-c search_path=${schema}` }),
    max: 10,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  })
  const lost = () => {}
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}
