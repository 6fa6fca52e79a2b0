import type { Registry } from 'prom-client'
import type { SiteDatabase } from '../../../core/database/index.ts'

/** First words of statements that are counted by name. */
const KINDS = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback']

/** Statements of the site and its extensions, by kind and result. */
export async function measureDatabase(registry: Registry, database: SiteDatabase): Promise<void> {
  const { Histogram } = await import('prom-client')
  const duration = new Histogram({
    name: 'pentad_database_statement_duration_seconds',
    help: 'Time of a database statement, including the wait for a lock or connection, by its first word and result.',
    labelNames: ['statement', 'result'],
    buckets: [0.0001, 0.0005, 0.0025, 0.01, 0.05, 0.25, 1, 5],
    registers: [registry],
  })
  database.onStatement(({ level, query, queryDurationMillis }) => {
    const [word = ''] = query.sql.trimStart().split(/\W/, 1)
    const statement = KINDS.includes(word.toLowerCase()) ? word.toLowerCase() : 'other'
    duration.observe({ statement, result: level === 'error' ? 'error' : 'ok' }, queryDurationMillis / 1000)
  })
}
