import type { JoiningHost } from '../../../core/types.ts'
import { childOf, type Tracing } from './types.ts'

/** A span for each database statement of a request or job, with its text and without its values. */
export function traceStatements({ database }: Pick<JoiningHost, 'database'>, tracing: Tracing): void {
  const { api, tracer, current } = tracing
  const system = database.kind === 'sqlite' ? 'sqlite' : 'postgresql'
  database.onStatement(({ level, query, queryDurationMillis }) => {
    const parent = current.getStore()
    if (parent === undefined) return
    const [operation = ''] = query.sql.trimStart().split(/\W/, 1)
    const attributes = { 'db.system.name': system, 'db.operation.name': operation, 'db.query.text': query.sql }
    const startTime = Date.now() - queryDurationMillis
    const kind = api.SpanKind.CLIENT
    const span = tracer.startSpan(operation, { kind, attributes, startTime }, childOf(tracing, parent))
    if (level === 'error') span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end()
  })
}
